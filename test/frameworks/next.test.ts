import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { compareStrings } from '../../src/text/compare.js'
import { twoServices, uuids } from '../support/several-spaces.js'
import { svg } from '../support/space.js'
import { expectApplication, writeIcons } from './support/application.js'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, collectProblems, look, openPage } from './support/look.js'
import type { Site } from './support/process.js'
import { openProject, type FrameworkProject } from './support/project.js'

const used = ['brand-guide', 'coast-at-dawn', 'flame', 'solvane-logo']

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('next')
  content = await readContent(project.space)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

const serve = (...command: string[]): Promise<Site> =>
  project.serve((port) => ['next', ...command, '--hostname', '127.0.0.1', '--port', `${port}`], '/shop')

test('types are checked before the first build, without a download', async () => {
  await project.run('next', 'typegen')
  await project.run('tsc', '-p', '.')
  expect(project.downloads).toEqual([])
  await project.edit('app/shown.tsx', 'icon.src', 'icon.source')
  await expect(project.run('tsc', '-p', '.')).rejects.toThrow("Property 'source' does not exist")
  await project.edit('app/shown.tsx', 'icon.source', 'icon.src')
})

test('the command writes the icons of the application', async () => {
  await writeIcons(project, 'public', '--start', '/shop')
  expect(project.downloads.splice(0)).toHaveLength(1)
})

test('the dev server of Turbopack serves pages, new ids and edited drafts', async () => {
  const source = await project.read('app/shown.tsx')
  const { url, output, stop } = await serve('dev')
  // The text of two drawings and the color of a photo are part of modules.
  expect(new Set(project.downloads).size).toBe(3)
  await expectPage(url)
  const page = await openPage()
  const problems = collectProblems(page)
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.evaluate(() => Reflect.set(window, 'kept', true))

  const moon = join(project.space, 'solvane/03 Icons/01 Weather/moon.svg')
  await writeFile(moon, (await readFile(moon, 'utf8')).replace('</svg>', '<path class="edited" d="M0 0h1"/></svg>'))
  await page.waitForSelector('#draft .edited', { state: 'attached', timeout: 60_000 })

  await project.edit(
    'app/shown.tsx',
    "?raw'",
    "?raw'\nimport wind from 'content-space:asset/brand/wind?w=64&format=webp'",
  )
  await project.edit('app/shown.tsx', '<span', '<img src={wind.src} alt={wind.name} />\n      <span')
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('[alt=Wind]')?.naturalWidth === 64)

  expect(await page.evaluate(() => Reflect.get(window, 'kept'))).toBe(true)
  expect(problems).toEqual([])
  await page.close()

  await project.edit('app/shown.tsx', 'brand/wind?', 'brand/wnd?')
  // The dev server notices the edit some time later.
  await vi.waitFor(
    async () => {
      const shown = (await (await fetch(url)).text()) + output()
      expect(shown).toContain('There is no asset wnd in kit Solvane Brand.')
      expect(shown).toContain('imported by: app/shown.tsx:7')
      expect(shown).toContain('> 7 | import wind')
    },
    { timeout: 60_000, interval: 500 },
  )
  await stop()
  await writeFile(join(project.root, 'app/shown.tsx'), source)
})

test('the dev server of webpack serves pages', async () => {
  const { url, stop } = await serve('dev', '--webpack')
  await expectPage(url)
  await stop()
})

test.each(['--turbopack', '--webpack'])('a production build with %s contains the files in use', async (bundler) => {
  // Copies the result as other packages' wrappers do, and contains the rules for SVG from SVGR's documentation.
  await writeFile(
    join(project.root, 'next.config.mjs'),
    `import { withContentSpace } from 'unplugin-content-space/next'
     const svgr = {
       turbopack: { rules: { '*.svg': { loaders: ['@svgr/webpack'], as: '*.js' } } },
       webpack(config) {
         const rule = config.module.rules.find(({ test }) => test?.test?.('.svg'))
         config.module.rules.push(
           { ...rule, test: /\\.svg$/i, resourceQuery: /url/ },
           { test: /\\.svg$/i, issuer: rule.issuer, resourceQuery: { not: [/url/] }, use: ['@svgr/webpack'] },
         )
         rule.exclude = /\\.svg$/i
         return config
       },
     }
     export default Object.assign({}, withContentSpace({ basePath: '/shop', ...svgr }))`,
  )
  await rm(join(project.root, 'next.config.ts'), { force: true })
  // An id in a page's data. The page is rendered after both bundlers have run.
  await mkdir(join(project.root, 'app/about'), { recursive: true })
  await writeFile(
    join(project.root, 'app/about/page.tsx'),
    `const data = [{ thumb: 'content-space:asset/brand/solvane-mark' }]
     export default () => <script type="application/ld+json">{JSON.stringify(data)}</script>`,
  )
  const log = await project.run('next', 'build', bundler)
  expect(log.match(/\S+ content-space:.*/g)).toEqual(['app/about/page.tsx:1 content-space:asset/brand/solvane-mark'])
  expect(await emittedAssets(join(project.root, '.next/static'), content)).toEqual(used)
  const { url, stop } = await serve('start')
  const { logo, guide } = await expectPage(url)
  for (const address of [logo, guide]) expect(address).toMatch(/^\/shop\/_next\/static\/media\//)
  const { files, problems } = await crawl([url], content)
  expect(problems).toEqual([])
  expect(files.filter((file) => !file.startsWith('/shop/_next/static/media/'))).toEqual([])
  await expectApplication(url)
  await stop()
})

test('kits of two services and of a folder are one application, with one lockfile', async () => {
  const { press, close } = await twoServices()
  project.setEnv({
    CONTENT_SPACE_PRESS_URL: press.url,
    CONTENT_SPACE_PRESS_ID: String(press.spaceId),
    CONTENT_SPACE_PRESS_TOKEN: press.token,
  })
  const config = await project.read('content-space.config.ts')
  await writeFile(
    join(project.root, 'content-space.config.ts'),
    `import { defineConfig } from 'unplugin-content-space'
     const kits = { brand: 'solvane-brand', press: { kit: '${uuids.press}', source: {} }, own: { source: './own' } }
     export default defineConfig({ kits })`,
  )
  await mkdir(join(project.root, 'own'))
  await mkdir(join(project.root, 'app/sources'))
  await writeFile(join(project.root, 'own/logo.svg'), svg('logo of the folder'))
  await writeFile(
    join(project.root, 'app/sources/page.tsx'),
    `import { flame } from 'content-space:kit/brand'
     import { logo } from 'content-space:kit/press'
     import { logo as own } from 'content-space:kit/own'
     export default function Page() {
       return [flame, logo, own].map(({ src, name }) => <img key={src} src={src} alt={name} />)
     }`,
  )
  await project.run('content-space', 'sync')
  await project.run('next', 'build')
  const page = await project.read('.next/server/app/sources.html')
  const files = [...page.matchAll(/src="\/shop\/_next\/(static\/media\/[^"]+)"/g)].map(([, path = '']) => path)
  const texts = await Promise.all(files.map((path) => project.read(`.next/${path}`)))
  expect(texts.map((text) => /<title>(.*)<\/title>/.exec(text)?.[1])).toEqual([
    undefined,
    'logo of the press',
    'logo of the folder',
  ])
  const { kits } = JSON.parse(await project.read('content-space.lock.json'))
  const inLock = Object.values<{ space?: string }>(kits).map(({ space = 'main' }) => space)
  expect(inLock.toSorted(compareStrings)).toEqual(['8', 'main', 'main'])
  for (const secret of [project.env['CONTENT_SPACE_TOKEN'], project.env['CONTENT_SPACE_URL']?.slice('http://'.length)])
    expect(press.received()).not.toContain(secret)
  await writeFile(join(project.root, 'content-space.config.ts'), config)
  await rm(join(project.root, 'app/sources'), { recursive: true })
  await close()
})

test('a build without an asset fails, and names the importing file', async () => {
  await project.edit('app/shown.tsx', 'brand/flame?', 'brand/flme?')
  await expect(project.run('next', 'build')).rejects.toThrow(
    /There is no asset flme[\s\S]*imported by: app\/shown.tsx:5[\s\S]*> 5 \| import/,
  )
})

test("a wrapper that copies withContentSpace's function is an error that explains the order", async () => {
  await writeFile(
    join(project.root, 'next.config.ts'),
    `import { withContentSpace } from 'unplugin-content-space/next'
     export default Object.assign({}, withContentSpace(() => ({ basePath: '/shop' })))`,
  )
  await rm(join(project.root, 'next.config.mjs'), { force: true })
  await expect(project.run('next', 'build')).rejects.toThrow('Write withContentSpace around the wrapper')
})

/**
 * Checks what the page renders.
 * @returns the URLs of a picture and of a document
 */
async function expectPage(url: string): Promise<{ logo: string; guide: string }> {
  const { pictures, problems, markup } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Optimized', 640],
    ['Coast At Dawn', 400],
    ['Flame', 48],
  ])
  expect(pictures[1]?.src).toContain('/shop/_next/image?')
  expect(await backgroundOf(url)).toMatch(/\/shop\/.+\/solvane-logo[^/]*\.svg$/)
  expect(pictures[2]?.src).toMatch(/coast-at-dawn.*\.avif$/)
  expect(markup.client).toEqual(markup.server)
  expect(markup.client['leaf']).toContain('<svg')
  const logo = pictures[0]?.src ?? ''
  expect(markup.client['client']).toContain(`data-logo="${logo}"`)
  expect(await (await fetch(`${url}/api/logo`)).json()).toEqual({ name: 'Solvane Logo', src: logo })
  const guide = /href="([^"]+)"/.exec(markup.client['guide'] ?? '')?.[1] ?? ''
  const response = await fetch(new URL(guide, url))
  expect(await content.problemOf('brand-guide.pdf', Buffer.from(await response.arrayBuffer()))).toBeUndefined()
  return { logo, guide }
}

/** Returns the URL of a page's background, after checking that the browser can load it as a picture. */
async function backgroundOf(url: string): Promise<string> {
  const page = await openPage()
  await page.goto(url)
  const address = await page.evaluate(async () => {
    const [, found = ''] = /url\("(.*)"\)/.exec(getComputedStyle(document.body).backgroundImage) ?? []
    await Object.assign(new Image(), { src: found }).decode()
    return found
  })
  await page.close()
  return address
}

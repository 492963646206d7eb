import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import fastGlob from 'fast-glob'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectApplication } from './support/application.js'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { expectFlip } from './support/drawings.js'
import { closeBrowser, look, openPage, openOnce } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

const used = ['coast-at-dawn', 'dunes-at-noon', 'pines-in-mist', 'ridge-in-fog', 'solvane-logo', 'tide-lines']

/** A page with a pair that follows a class, with the rules from the documentation. */
const pair = `---
import Logo from 'content-space:asset/brand/solvane-logo?dark=solvane-logo-reversed&w=120&format=png&as=astro'
---
<html lang="en">
  <head><title>Pair</title><link rel="icon" href="data:," /></head>
  <body><Logo alt="Solvane" /></body>
</html>
<style is:global>
  .dark .content-space-light, .content-space-dark:not(.dark *) { display: none !important }
</style>
`

/** A page whose style sheets are in a component, in a file, and in a file that it imports. */
const styled: Record<string, string> = {
  'src/pages/styled.astro': `---
import '../site.css'
import Badge from '../components/Badge.astro'
---
<html lang="en">
  <head><title>Styled</title><link rel="icon" href="data:," /></head>
  <body><p>Shop</p><Badge /></body>
</html>
<style>
  p { background: url('content-space:asset/brand/coast-at-dawn?w=40&format=png') }
</style>
`,
  'src/components/Badge.astro': `<b>New</b>
<style is:global>
  @import '../part.css';
  b { background: image-set('content-space:asset/brand/tide-lines?w=40' 1x) }
</style>
`,
  'src/site.css': "@import './part.css'; body { background: url(content-space:asset/brand/leaf) }\n",
  'src/part.css': "i { background: url('content-space:asset/brand@draft/solvane-logo') }\n",
}

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('astro')
  content = await readContent(project.space)
  const section = join(project.space, 'solvane/versions/1/01 Logos/section.json')
  const text = await readFile(section, 'utf8')
  const code = { type: 'code_snippet', content: 'a { color: red }\n```', language: 'css' }
  const listed: { items: object[] } = JSON.parse(text.replace('Dark ground is Pine', 'Dark ground is **Pine**'))
  await writeFile(section, JSON.stringify({ ...listed, items: [...listed.items, code] }))
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('types of imports and entries are exact before the first build', async () => {
  const page = 'src/pages/index.astro'
  await project.edit(page, 'data.order -', 'data.place -')
  await project.edit(page, 'solvaneLogo.name', 'solvaneLogo.title')
  await project.edit(page, '{dawn?.data.fields?.expires}', "{dawn?.data.fields?.expires === '2026-12-31'}")
  const output = await project.run('astro', 'check').catch(String)
  await project.edit(page, " === '2026-12-31'", '')
  await project.edit(page, 'data.place -', 'data.order -')
  await project.edit(page, 'solvaneLogo.title', 'solvaneLogo.name')
  expect(output).toContain("Property 'place' does not exist on type 'KitEntry<Fields>'")
  expect(output).toContain("Property 'title' does not exist")
  expect(output).toContain(`types '"2027-12-31" | "2028-06-30" | undefined' and '"2026-12-31"' have no overlap`)
  expect(output).toContain('3 errors')
  expect(await project.read('.astro/types.d.ts')).toContain('integrations/unplugin-content-space/types.d.ts')
  expect(project.downloads).toEqual([])
  expect(existsSync(join(project.root, '.content-space'))).toBe(false)
})

test('a static build contains the files in use, and its server serves them', async () => {
  // Copies the output before this package removes files from it.
  const copy =
    "{ name: 'copy', hooks: { 'astro:build:done': ({ dir }) => cpSync(dir, 'before', { recursive: true }) } }"
  await project.edit('astro.config.mjs', '[contentSpace()]', `[${copy}, contentSpace()]`)
  await project.edit('astro.config.mjs', 'import content', "import { cpSync } from 'node:fs'\nimport content")
  // An original may be referenced only by a page or by a file without an extension.
  const route =
    "import ridge from 'content-space:asset/brand/ridge-in-fog'\nexport const GET = () => new Response(ridge.src)\n"
  await writeFile(join(project.root, 'src/pages/address.ts'), route)
  // An id that is in a page but not in a script.
  await writeFile(join(project.root, 'about.yaml'), 'name: About\nlogo: content-space:asset/brand/solvane-mark\n')
  const about =
    "---\nimport { readFileSync } from 'node:fs'\nconst text = readFileSync('about.yaml', 'utf8')\n---\n{text}\n"
  await writeFile(join(project.root, 'src/pages/about.astro'), about)
  const log = await project.run('astro', 'build')
  expect(log.match(/content-space: .*|\S+:\d+ content-space:.*/g)).toEqual([
    expect.stringMatching(/^content-space: 20 files and 1 inlined from Solvane Brand \d/),
    expect.stringMatching(/^content-space: ids remain plain text/),
    'about.yaml:2 content-space:asset/brand/solvane-mark',
  ])
  expect(await emittedAssets(join(project.root, 'before'), content)).toEqual(used)
  const before = await sizes(join(project.root, 'before'))
  const after = await sizes(join(project.root, 'dist'))
  const removed = Object.keys(before).filter((file) => !(file in after))
  console.log(`before: ${sum(before)} bytes, after: ${sum(after)} bytes, removed: ${removed.join(', ')}`)
  const names = 'coast-at-dawn dunes-at-noon dunes-at-noon night-camp pines-in-mist ridge-in-fog tide-lines'
  expect(removed.map((file) => basename(file).split('.')[0]).join(' ')).toBe(names)
  expect(await project.read('dist/address')).toMatch(/ridge-in-fog.*\.jpg$/)
  const site = await project.serve((port) => ['astro', 'preview', '--host', '127.0.0.1', '--port', `${port}`], '/shop/')
  await expectPage(site.url)
  const { files, problems } = await crawl([site.url], content)
  expect(problems).toEqual([])
  expect(files.filter((file) => !file.startsWith('/shop/_astro/'))).toEqual([])
  await expectApplication(site.url)
  await site.stop()
})

test('a server build renders the same page', async () => {
  const config = 'astro.config.mjs'
  await project.edit(
    config,
    "base: '/shop',",
    "base: '/shop', output: 'server', adapter: node({ mode: 'standalone' }),",
  )
  await project.edit(config, 'import content', "import node from '@astrojs/node'\nimport content")
  await project.run('astro', 'build')
  expect(await emittedAssets(join(project.root, 'dist/client'), content)).toEqual(used)
  expect(await emittedAssets(join(project.root, 'dist/server'), content)).toEqual([])
  const site = await project.serve(() => ['node', 'dist/server/entry.mjs'], '/shop/')
  await expectPage(site.url)
  const { problems } = await crawl([site.url], content)
  expect(problems).toEqual([])
  await site.stop()
})

describe('the dev server', () => {
  let logo: string
  let described: string
  let url: string

  beforeAll(async () => {
    logo = join(project.space, 'solvane/01 Logos/solvane-logo.json')
    described = await readFile(logo, 'utf8')
    await project.edit('src/content.config.ts', "kitLoader('brand')", "kitLoader('brand@draft')")
    // Astro's toolbar would examine the page and its pictures during the test.
    await project.edit('astro.config.mjs', "base: '/shop',", "base: '/shop', devToolbar: { enabled: false },")
    await project.edit('content-space.config.ts', '{ kits', "{ refresh: 1, darkMode: '.dark', kits")
    await writeFile(join(project.root, 'src/pages/pair.astro'), pair)
    await mkdir(join(project.root, 'src/components'))
    for (const [file, text] of Object.entries(styled)) await writeFile(join(project.root, file), text)
    const site = await project.serve((port) => ['astro', 'dev', '--host', '127.0.0.1', '--port', `${port}`], '/shop/')
    url = site.url
  })

  test('writes addresses into the style sheets of pages, which need no scripts', async () => {
    const address = new URL('styled', url).href
    const page = await fetch(address)
    expect(await page.text()).not.toContain('content-space:')
    const { files, problems } = await crawl([address], content)
    expect(problems).toEqual([])
    expect(new Set(files.map(content.assetOf))).toEqual(
      new Set(['coast-at-dawn', 'leaf', 'solvane-logo', 'tide-lines']),
    )
  })

  // It takes half a minute. The limit leaves time to repeat it.
  test('renders the page, and the collection follows the kit', { timeout: 200_000 }, async () => {
    await writeFile(logo, described)
    // Astro reloads the first page when it has found the page's dependencies, which aborts requests for pictures and
    // may prevent their decoding. We therefore test a later page.
    await openOnce(url)
    await expectPage(url, [/net::ERR_ABORTED$/])
    // Do this before the content changes, because the dev server reloads pages then.
    await expectFlip(new URL('pair', url).href)
    // A service's draft is requested only while a page is open. Keep the page open until the browser ends: the dev
    // server reloads it, and Chromium may never close a page that is being reloaded.
    const open = await openPage()
    await open.goto(url)
    const styles = new URL('styled', url).href
    await fetch(styles)
    await writeFile(logo, described.replace('{', '{ "name": "Renamed Logo",'))
    const drawing = logo.replace('.json', '.svg')
    await writeFile(drawing, (await readFile(drawing, 'utf8')).replace('<svg', '<svg data-renewed=""'))
    await vi.waitFor(
      async () => {
        const page = await fetch(url, { signal: AbortSignal.timeout(20_000) })
        expect(await page.text()).toContain('Renamed Logo, Solvane Logo Reversed')
        const [path = ''] = /[^"'(]*logo\.svg/.exec(await (await fetch(styles)).text()) ?? []
        expect(await (await fetch(new URL(path, url))).text()).toContain('data-renewed')
      },
      { timeout: 60_000, interval: 500 },
    )
  })
})

async function expectPage(url: string, ignore: RegExp[] = []): Promise<void> {
  const { pictures, problems, markup } = await look(url, { ignore })
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
    ['Dunes At Noon', 240],
    ['Small dunes', 120],
    ['Tide Lines', 120],
  ])
  expect(pictures[1]?.src).toMatch(/coast-at-dawn.*\.webp$/)
  expect(markup.client['page']).toContain('<svg')
  const page = markup.client['page'] ?? ''
  expect(page).toContain('Solvane Logo, Solvane Logo Reversed, Solvane Logo Mono')
  expect(page).toContain('<p>2027-12-31</p>')
  expect(page).toMatch(/<h2>inline_note {3}On dark ground<\/h2>\s*<p>Dark ground is <strong>Pine<\/strong>/)
  expect(page).toMatch(/<h2>guide Do solvane-logo-reversed On dark ground<\/h2>\s*<p>Take the reversed logo/)
  expect(page).toMatch(/<pre class="astro-code[^>]*data-language="css"/)
}

/** Returns the sizes of the files in a folder, by name. */
async function sizes(folder: string): Promise<Record<string, number>> {
  const files = await fastGlob('**', { cwd: folder, stats: true })
  return Object.fromEntries(files.map(({ path, stats }) => [path, stats?.size ?? 0]))
}

const sum = (files: Record<string, number>): number => Object.values(files).reduce((total, size) => total + size, 0)

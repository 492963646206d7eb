import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectApplication } from './support/application.js'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look, openOnce } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('nuxt')
  content = await readContent(project.space)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('`nuxt prepare` makes types for pages and server routes, without downloads', async () => {
  await project.run('nuxt', 'prepare')
  expect(project.downloads).toEqual([])
  await project.edit('app/app.vue', 'solvaneLogo.src', 'solvaneLogo.source')
  await project.edit('server/api/card.ts', 'appIcon.src', 'appIcon.source')
  const failed = await project.run('vue-tsc', '-b', '--noEmit').catch(String)
  expect(failed).toMatch(/app\/app\.vue.*TS2339/)
  expect(failed).toMatch(/server\/api\/card\.ts.*TS2339/)
  await project.edit('app/app.vue', 'solvaneLogo.source', 'solvaneLogo.src')
  await project.edit('server/api/card.ts', 'appIcon.source', 'appIcon.src')
  await project.run('vue-tsc', '-b', '--noEmit')
})

test('the dev server serves the files of pages and server routes', async () => {
  const { url, stop } = await project.serve(
    (port) => ['nuxt', 'dev', '--host', '127.0.0.1', '--port', `${port}`],
    '/shop/',
  )
  await expectPage(url)
  await stop()
})

test('a production build contains the files in use, has one summary, and its server serves them', async () => {
  // Nuxt builds the server an extra time to prerender a page.
  await project.edit('nuxt.config.ts', '})', "  nitro: { prerender: { routes: ['/404.html', '/about.txt'] } },\n})")
  // An id that isn't in a script but in a page that is rendered during the build.
  await writeFile(join(project.root, 'about.yaml'), 'name: About\nlogo: content-space:asset/brand/solvane-mark\n')
  await mkdir(join(project.root, 'server/routes'))
  await writeFile(
    join(project.root, 'server/routes/about.txt.ts'),
    "import { readFileSync } from 'node:fs'\n" +
      "export default defineEventHandler(() => readFileSync('about.yaml', 'utf8'))\n",
  )
  const log = await project.run('nuxt', 'build')
  expect(log.match(/content-space: .*|\S+:\d+ content-space:.*/g)).toEqual([
    expect.stringMatching(/^content-space: 15 files and 1 inlined from Solvane Brand \d/),
    expect.stringMatching(/^content-space: ids remain plain text/),
    'about.yaml:2 content-space:asset/brand/solvane-mark',
  ])
  // A server component contains a picture, and a style sheet with another picture.
  const used = ['app-icon', 'coast-at-dawn', 'dunes-at-noon', 'solvane-logo', 'tide-lines']
  expect(await emittedAssets(join(project.root, '.output/public'), content)).toEqual(used)
  const { url } = await project.serve(() => ['node', '.output/server/index.mjs'], '/shop/')
  await expectPage(url)
  const { files, problems } = await crawl([url, new URL('api/card', url).href], content)
  expect(problems).toEqual([])
  await expectApplication(url)
  // Server routes use the same logo file as pages.
  expect(files).toHaveLength(8)
  expect(files.filter((file) => !file.startsWith('/shop/_nuxt/'))).toEqual([])
})

test('Nuxt Image shows content by its provider, in development and when pages are generated', async () => {
  await project.edit(
    'nuxt.config.ts',
    "['unplugin-content-space/nuxt']",
    "['unplugin-content-space/nuxt', '@nuxt/image']",
  )
  const picture =
    '<NuxtImg provider="contentSpace" :src="coast.src" :width="coast.width" :height="coast.height" alt="By Nuxt" />'
  await project.edit('app/app.vue', '</main>', `${picture}</main>`)
  const { url, stop } = await project.serve(
    (port) => ['nuxt', 'dev', '--host', '127.0.0.1', '--port', `${port}`],
    '/shop/',
  )
  // Nuxt reloads the first pages when it has found their dependencies.
  await openOnce(url)
  const { pictures, problems } = await look(url, { ignore: [/net::ERR_ABORTED$/] })
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toContainEqual(['By Nuxt', 640])
  await stop()
  await project.run('nuxt', 'generate')
  const html = await project.read('.output/public/index.html')
  const [shown = ''] = /<img[^>]*alt="By Nuxt"[^>]*>/.exec(html) ?? []
  const [, path = ''] = /src="\/shop\/(_nuxt\/[^"]+)"/.exec(shown) ?? []
  const bytes = await readFile(join(project.root, '.output/public', path))
  expect(await content.problemOf(path, bytes)).toBeUndefined()
})

test('`nuxt prepare` warns and succeeds without a lockfile and access to the space', async () => {
  // If a lockfile exists, types come from it.
  for (const file of ['content-space.d.ts', 'content-space.lock.json'])
    await rm(join(project.root, file), { force: true })
  project.setEnv({ CONTENT_SPACE_TOKEN: 'wrong', CONTENT_SPACE_CACHE: join(project.root, 'empty-cache') })
  expect(await project.run('nuxt', 'prepare')).toContain('content-space.d.ts was not written')
})

async function expectPage(url: string): Promise<void> {
  const { pictures, problems, markup } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
    ['Server Icon', 512],
    ['Server Logo', 636],
    ['Dunes At Noon', 240],
  ])
  expect(pictures[1]?.src).toMatch(/coast-at-dawn.*\.webp$/)
  expect(pictures[3]?.src).toBe(pictures[0]?.src)
  expect(markup.client['leaf']).toContain('<svg')
  expect(markup.client).toEqual(markup.server)
}

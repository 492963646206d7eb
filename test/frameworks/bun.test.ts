import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bunDriver } from '../bundlers/drivers/bun.js'
import { suite } from '../bundlers/suite.js'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('bun')
  // Runs Bun's install script, which installs the executable.
  await project.run('node', 'node_modules/bun/install.js')
  content = await readContent(project.space)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('types are checked before the first build', async () => {
  await project.run('content-space', 'sync')
  await project.run('tsc', '-p', '.')
})

test('a production build contains the files in use, under the configured names', async () => {
  await project.run('bun', 'build.ts')
  expect(await emittedAssets(join(project.root, 'dist'), content)).toEqual(['coast-at-dawn', 'solvane-logo'])
  // Bun inlines small files in style sheets.
  const [sheet = ''] = await fastGlob('dist/*.css', { cwd: project.root })
  expect(await project.read(sheet)).toMatch(/background: url\("data:image\/svg\+xml;/)
})

test('a build names the places of ids that remain plain text', async () => {
  const data = '<script type="application/ld+json">{ "logo": "content-space:asset/brand/compass" }</script>'
  await project.edit('index.html', '</title>', `</title>\n${data}`)
  await project.edit(
    'src/main.ts',
    'document.body',
    "window.names = ['content-space:asset/brand/dunes-at-noon']\n\ndocument.body",
  )
  const log = await project.run('bun', 'build.ts')
  expect(log.match(/\S+:\d+ content-space:\S+|.*remain plain text.*/g)).toEqual([
    expect.stringContaining('ids remain plain text'),
    'index.html:6 content-space:asset/brand/compass',
    'src/main.ts:6 content-space:asset/brand/dunes-at-noon',
  ])
  await project.edit('index.html', `\n${data}`, '')
  await project.edit('src/main.ts', "window.names = ['content-space:asset/brand/dunes-at-noon']\n\n", '')
})

test('the runtime resolves ids, and its server bundles pages with the plugin', async () => {
  const { url } = await project.serve(() => ['bun', 'src/server.ts'])
  await expectPage(url)
  expect(await (await fetch(new URL('/icons', url))).json()).toBe(23)
  const logo = await fetch(new URL('/logo.svg', url))
  expect(await content.problemOf('solvane-logo.svg', Buffer.from(await logo.arrayBuffer()))).toBeUndefined()

  const built = new URL('/shop/', url).href
  await expectPage(built)
  const { files, problems } = await crawl([built], content)
  expect(problems).toEqual([])
  expect(files).toHaveLength(5)
  expect(files.filter((file) => !file.startsWith('/shop/media/'))).toEqual([])
})

test('the test runner of Bun resolves ids and mocks, and coverage leaves generated modules out', async () => {
  const output = await project.run('bun', 'test', '--coverage')
  expect(output).toContain('4 pass')
  expect(output.match(/\S+(?= *\|[ \d.]+\|[ \d.]+\|)/g)).toEqual(['files', 'src/shown.ts'])
})

suite(bunDriver(() => join(project.root, 'node_modules/bun/bin/bun.exe')))

async function expectPage(url: string): Promise<void> {
  const { pictures, problems, markup } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
  ])
  expect(markup.client['leaf']).toContain('<svg')
}

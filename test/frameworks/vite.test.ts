import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('vite')
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

test('the dev server serves the page', async () => {
  const { url } = await project.serve((port) => ['vite', '--host', '127.0.0.1', '--port', `${port}`], '/shop/')
  await expectPage(url)
})

test('a production build contains the files in use, and its server serves them', async () => {
  await project.run('vite', 'build')
  expect(await emittedAssets(join(project.root, 'dist'), content)).toEqual(['coast-at-dawn', 'solvane-logo'])
  const { url } = await project.serve(
    (port) => ['vite', 'preview', '--host', '127.0.0.1', '--port', `${port}`],
    '/shop/',
  )
  await expectPage(url)
  const { files, problems } = await crawl([url], content)
  expect(problems).toEqual([])
  expect(files).toHaveLength(5)
  expect(files.filter((file) => !file.startsWith('/shop/assets/'))).toEqual([])
})

test('style sheets of vanilla-extract, whose compiler is a second Vite, refer to emitted files', async () => {
  await project.run('vite', 'build', '--config', 'extract.config.js')
  const output = join(project.root, 'dist-extract/assets')
  const names = await readdir(output)
  const css = await readFile(join(output, names.find((name) => name.endsWith('.css')) ?? ''), 'utf8')
  expect(css).toContain(`url(/assets/${names.find((name) => /^solvane-logo-.*svg$/.test(name))})`)
})

async function expectPage(url: string): Promise<void> {
  const { pictures, problems, markup } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
  ])
  expect(pictures[1]?.src).toMatch(/coast-at-dawn.*\.webp$/)
  expect(markup.client['leaf']).toContain('<svg')
}

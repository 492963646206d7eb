import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look, openOnce, openPage } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('vitepress')
  content = await readContent(project.space)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('ids in Markdown are found before the first build', async () => {
  await project.run('content-space', 'sync')
  expect(await project.read('content-space.d.ts')).toContain(`'content-space:asset/brand/leaf?raw'`)
})

test('the dev server serves the page', async () => {
  const { url, stop } = await project.serve(
    (port) => ['vitepress', 'dev', 'docs', '--host', '127.0.0.1', '--port', `${port}`],
    '/shop/',
  )
  await expectPage(url)
  await stop()
})

test('a production build contains the files in use, and its server serves them', async () => {
  const data = `- - script\n    - type: application/ld+json\n    - '{ "logo": "content-space:asset/brand/solvane-mark" }'`
  await writeFile(join(project.root, 'docs/about.md'), `---\nhead:\n  ${data}\n---\n# About\n`)
  const log = await project.run('vitepress', 'build', 'docs')
  expect(log.match(/\S+ content-space:.*/g)).toEqual(['about.md:5 content-space:asset/brand/solvane-mark'])
  const dist = join(project.root, 'docs/.vitepress/dist')
  expect(await emittedAssets(dist, content)).toEqual(['coast-at-dawn', 'solvane-logo'])
  const { url } = await project.serve((port) => ['vitepress', 'preview', 'docs', '--port', `${port}`], '/shop/')
  const { client, server } = await expectPage(url)
  expect(client).toEqual(server)
  const { files, problems } = await crawl([url], content)
  expect(problems).toEqual([])
  expect(files).toHaveLength(5)
  expect(files.filter((file) => !file.startsWith('/shop/assets/'))).toEqual([])
  // The build has used the same configuration, lockfile, and declarations as the command line.
  await project.run('content-space', 'verify')
})

test('the dev server replaces edited drafts in the page, without loading it again', async () => {
  const draft = "refresh: 1, kits: { brand: { kit: 'solvane-brand', version: 'draft' } }"
  await project.edit('content-space.config.ts', "kits: { brand: 'solvane-brand' }", draft)
  const { url, stop } = await project.serve(
    (port) => ['vitepress', 'dev', 'docs', '--host', '127.0.0.1', '--port', `${port}`],
    '/shop/',
  )
  await openOnce(url)
  const page = await openPage()
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.evaluate(() => document.body.classList.add('kept'))
  const logo = join(project.space, 'solvane/01 Logos/solvane-logo.json')
  await writeFile(logo, (await readFile(logo, 'utf8')).replace('{', '{ "name": "Renamed Logo",'))
  await page.waitForSelector('.kept img[alt="Renamed Logo"]', { timeout: 60_000 })
  await page.close()
  await stop()
})

async function expectPage(url: string): Promise<Awaited<ReturnType<typeof look>>['markup']> {
  const { pictures, problems, markup } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
  ])
  expect(pictures[1]?.src).toMatch(/coast-at-dawn.*\.webp$/)
  expect(markup.client['leaf']).toContain('<svg')
  return markup
}

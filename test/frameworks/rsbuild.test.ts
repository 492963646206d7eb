import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('rsbuild')
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

test('the dev server fetches files when the browser requests them, and builds once', async () => {
  const { url, output, stop } = await project.serve(
    (port) => ['node', '--experimental-vm-modules', 'server.js', 'dev', `${port}`],
    '/shop/',
  )
  const before = [...project.downloads]
  // Only the placeholder and the inline icon need bytes.
  expect(before.every((path) => !path.includes('logo'))).toBe(true)
  const sources = await expectPage(url)
  expect(sources.every((src) => src.startsWith('/shop/__content-space/'))).toBe(true)
  expect(output().match(/built in .* \(web\)/g)).toHaveLength(1)
  await expect(access(join(project.root, 'dist/static/assets'))).rejects.toThrow()
  await stop()
})

test('a production build contains the files in use once, and has one summary', async () => {
  const output = await project.run('rsbuild', 'build')
  expect(output.match(/ from Solvane Brand \d/g)).toHaveLength(1)
  expect(await emittedAssets(join(project.root, 'dist'), content)).toEqual(['coast-at-dawn', 'solvane-logo'])
  expect(await emittedAssets(join(project.root, 'dist/server'), content)).toEqual([])
  const { url } = await project.serve((port) => ['node', 'server.js', 'production', `${port}`], '/shop/')
  const sources = await expectPage(url)
  expect(sources.every((src) => src.startsWith('/shop/static/assets/'))).toBe(true)
  const { files, problems } = await crawl([url], content)
  expect(problems).toEqual([])
  expect(files).toHaveLength(5)
})

test('files up to dataUriLimit are parts of scripts', async () => {
  await project.edit('rsbuild.config.ts', 'server:', 'output: { dataUriLimit: { svg: 1e6 } },\n  server:')
  const output = await project.run('rsbuild', 'build')
  expect(output).toMatch(/4 files and 2 inlined from Solvane Brand/)
  expect(await emittedAssets(join(project.root, 'dist'), content)).toEqual(['coast-at-dawn'])
})

/**
 * Expects the same page from server and browser.
 * @returns the URLs of its pictures
 */
async function expectPage(url: string): Promise<string[]> {
  const { pictures, problems, markup } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
  ])
  expect(pictures[1]?.src).toMatch(/coast-at-dawn.*\.webp$/)
  expect(markup.client['leaf']).toContain('<svg')
  expect(Object.keys(markup.server)).toEqual(['logo', 'coast', 'leaf'])
  // The placeholder is removed when the picture has loaded.
  const coast = markup.server['coast']?.replace(/style="background:url[^"]*"/, 'style="background: none;"')
  expect(markup.client).toEqual({ ...markup.server, coast })
  return pictures.map(({ src }) => src)
}

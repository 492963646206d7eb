import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('electron-vite')
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

test('the main process and the preload script find their files, and the renderer has relative addresses', async () => {
  const log = await project.run('electron-vite', 'build')
  expect(log.match(/content-space: .*/g)).toEqual([
    expect.stringMatching(/^content-space: 7 files from Solvane Brand \d/),
  ])
  expect(await filesOf('out/main/index.js')).toEqual([expect.stringMatching(/^app-icon-[\w-]+\.png$/)])
  expect(await filesOf('out/preload/index.mjs')).toEqual([expect.stringMatching(/^solvane-mark-[\w-]+\.svg$/)])
  const used = ['coast-at-dawn', 'solvane-logo']
  expect(await emittedAssets(join(project.root, 'out/renderer'), content)).toEqual(used)
  const args = ['--outDir', 'out/renderer', '--base', '/anywhere/', '--host', '127.0.0.1']
  const { url } = await project.serve((port) => ['vite', 'preview', ...args, '--port', `${port}`], '/anywhere/')
  const { pictures, problems } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
  ])
  const crawled = await crawl([url], content)
  expect(crawled.problems).toEqual([])
  expect(crawled.files).toHaveLength(5)
})

/** Returns the names of the files to which a script refers, and checks that they exist and contain the asset. */
async function filesOf(script: string): Promise<string[]> {
  const expressions = (await project.read(script)).matchAll(/new URL\("([^"]+)", import\.meta\.url\)\.href/g)
  const folder = pathToFileURL(join(project.root, script))
  return Promise.all(
    Array.from(expressions, async ([, path = '']) => {
      const file = new URL(path, folder)
      expect(await content.problemOf(path, await readFile(file))).toBeUndefined()
      return basename(path)
    }),
  )
}

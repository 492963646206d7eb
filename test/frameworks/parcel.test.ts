import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('parcel')
  content = await readContent(project.space)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('a production build contains the files of the imported modules', async () => {
  await project.run('npm', 'run', 'build')
  expect(await emittedAssets(join(project.root, 'dist'), content)).toEqual(['coast-at-dawn', 'solvane-logo'])
})

test('types are checked', () => project.run('tsc', '-p', '.'))

test('the server shows them', async () => {
  const { url } = await project.serve((port) => ['parcel', '--public-url', '/shop/', '--port', `${port}`], '/shop/')
  const { pictures, problems } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
  ])
  const { files, problems: dead } = await crawl([url], content)
  // Parcel rewrites drawings, so their bytes differ. The browser has decoded them above.
  const others = dead.filter((problem) => !problem.endsWith('is not the drawing solvane-logo'))
  // Pulled modules also contain the paths in their folder, which a server doesn't need to answer.
  expect(others.map((problem) => problem.replace(/^\S+: /, ''))).toEqual([
    '/logos/solvane-logo.svg: status 404',
    '/photographs/coast-at-dawn-320.webp: status 404',
    '/photographs/coast-at-dawn-640.webp: status 404',
  ])
  expect(files.map((file) => file.replace(/\.\w+\.webp$/, ''))).toEqual([
    '/shop/coast-at-dawn-320',
    '/shop/coast-at-dawn-640',
  ])
})

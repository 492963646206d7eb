import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { closeBrowser, look } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('angular')
  content = await readContent(project.space)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('a build with prerendering contains the files in use', async () => {
  await project.run('npm', 'run', 'build')
  expect(await emittedAssets(join(project.root, 'dist'), content)).toEqual(['coast-at-dawn', 'solvane-logo'])
  expect(await project.read('dist/shop/browser/index.html')).not.toContain('file:')
})

test('the dev server shows them, rendered by the server and in the browser', async () => {
  const { url } = await project.serve((port) => ['ng', 'serve', '--port', `${port}`, '--host', '127.0.0.1'], '/shop/')
  const { pictures, problems, markup } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
  ])
  expect(markup.client).toEqual(markup.server)
})

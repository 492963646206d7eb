import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('eleventy')
  content = await readContent(project.space)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('a production build contains the pulled files', async () => {
  await project.run('npm', 'run', 'build')
  expect(await emittedAssets(join(project.root, '_site'), content)).toEqual(['coast-at-dawn', 'solvane-logo'])
})

test('the server shows them', async () => {
  const { url, output } = await project.serve((port) => ['npm', 'run', 'dev', '--', `--port=${port}`], '/shop/')
  const { pictures, problems } = await look(url)
  expect(problems).toEqual([])
  expect(pictures).toEqual([
    { alt: 'Solvane', src: '/shop/brand/logos/solvane-logo.svg', width: 636 },
    { alt: 'The coast at dawn', src: '/shop/photographs/photographs/coast-at-dawn-640.webp', width: 400 },
  ])
  const { files, problems: dead } = await crawl([url], content)
  expect(dead).toEqual([])
  expect(files).toHaveLength(3)
  const pull = ['pull', 'brand', '--out', 'photographs', '--asset', 'coast-at-dawn', '--query']
  await project.run('content-space', ...pull, 'w=200;400&format=webp')
  const copied = join(project.root, '_site/photographs/photographs/coast-at-dawn-400.webp')
  await vi.waitFor(() => expect(existsSync(copied)).toBe(true), { timeout: 30_000 })
  expect(output()).not.toMatch(/Problem|Error/)
})

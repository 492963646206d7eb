import * as nodeModule from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

const register = ['--import', 'unplugin-content-space/register']
let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('node')
  content = await readContent(project.space)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('types are checked before the first run', async () => {
  await project.run('content-space', 'sync')
  await project.run('tsc', '-p', '.')
})

test('a server sends the files of imported assets', async () => {
  const { url } = await project.serve(() => ['node', ...register, 'src/server.ts'])
  const { pictures, problems } = await look(url)
  expect(problems).toEqual([])
  expect(pictures).toEqual([
    { alt: 'Solvane Logo', src: '/solvane-logo.svg', width: 636 },
    { alt: 'Coast At Dawn', src: '/coast-at-dawn.webp', width: 640 },
  ])
  expect((await crawl([url], content)).problems).toEqual([])
})

test('a CommonJS script requires content', async () => {
  expect(await project.run('node', ...register, 'src/report.cjs')).toBe('23 <svg\n')
})

test('mocks of `node:test` replace modules, and coverage leaves generated modules out', async () => {
  const options = ['--test', '--experimental-test-module-mocks', '--experimental-test-coverage']
  const output = await project.run('node', ...register, ...options)
  expect(output).toContain('pass 3')
  const [, report = ''] = /start of coverage report([^]*)end of coverage report/.exec(output) ?? []
  expect(report.match(/[\w.-]+\.[cm]?[jt]s\b/g)).toEqual(['content-space.config.ts', 'shown.ts'])
})

test('an import that the source does not contain is an error that names option scan', async () => {
  await expect(project.run('node', ...register, 'src/unknown.js')).rejects.toThrow(
    /content-space:asset\/brand\/compass was not loaded[^]*`scan`[^]*imported by: .*unknown\.js/,
  )
})

test('a Node without synchronous hooks is told which version it needs', async () => {
  const run = project.run(process.execPath, ...register, '--eval', '0')
  if ('registerHooks' in nodeModule) await run
  else await expect(run).rejects.toThrow(/ContentSpaceError: .* needs Node 22\.15 or newer/)
})

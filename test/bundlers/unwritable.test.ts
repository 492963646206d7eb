import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { context } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { soon } from '../support/long.js'
import type { Options } from '../../src/config/options.js'
import { project as cliProject } from '../support/cli.js'
import { svg, writeSpace, type SpaceFolder } from '../support/space.js'
import { esbuildSettings, startVite } from './development.js'
import { build, createProject, type Project } from './driver.js'
import { rolldownDriver } from './drivers/rolldown.js'

let space: SpaceFolder
let project: Project

beforeAll(async () => void (space = await writeSpace({ 'brand/Logos/acme-logo.svg': svg('acme') })))
afterAll(() => space.remove())
const main = "import { acmeLogo } from 'content-space:kit/brand'; console.log(JSON.stringify(acmeLogo.name))"
beforeEach(async () => void (project = await createProject({ 'main.js': main })))
afterEach(() => project.remove())

const options = (): Options => ({
  space: space.folder,
  cacheDir: join(project.root, '.cache'),
  lockfile: join(project.root, 'content-space.lock.json'),
  types: join(project.root, 'content-space.d.ts'),
})
const count = (text: string, part: string): number => text.split(part).length - 1

test('a build warns when it cannot write the declarations', async () => {
  await mkdir(join(project.root, 'content-space.d.ts'))
  const output = await build(rolldownDriver, project, options())
  expect(await output.run()).toBe('Acme Logo')
  expect(count(output.log, 'content-space.d.ts was not written: ')).toBe(1)
  expect(output.log).toMatch(/content-space\.d\.ts cannot be read or written: EISDIR[^\n]* A folder exists where/)
  expect(await readFile(join(project.root, 'content-space.lock.json'), 'utf8')).toContain('acmeLogo')
})

test('sync reports that it cannot write the declarations, without a stack', async () => {
  const work = await cliProject({ 'main.js': main, 'content-space.d.ts/file': '' })
  try {
    const { code, stderr } = await work.run('sync', '--space', space.folder)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error\[fileSystem\]: .*content-space\.d\.ts cannot be read or written: EISDIR/m)
    expect(stderr).not.toMatch(/^\s+at /m)
  } finally {
    await work.remove()
  }
})

test("a dev server reports that it can't write the lockfile, and continues", async () => {
  const folder = join(project.root, 'state')
  const lockfile = join(folder, 'content-space.lock.json')
  const { server, log, get } = await startVite(project.root, { ...options(), lockfile })
  try {
    expect((await get('/main.js')).status).toBe(200)
    await vi.waitFor(() => readFile(lockfile), soon)
    await rm(folder, { recursive: true })
    await writeFile(folder, 'a file in the place of the folder')
    await writeFile(join(project.root, 'second.js'), main)
    expect((await get('/second.js')).status).toBe(200)
    await vi.waitFor(() => expect(log()).toMatch(/content-space\.lock\.json cannot be read/), soon)
    expect((await get('/main.js')).status).toBe(200)
  } finally {
    await server.close()
  }
})

test('a dev server and an esbuild context work without markers, and warn once', async () => {
  await writeFile(join(project.root, '.content-space'), 'a file in the place of the folder')
  const { server, log, get } = await startVite(project.root, options())
  const building = await context(esbuildSettings(project.root, options()))
  try {
    const { warnings } = await building.rebuild()
    expect(warnings).toEqual([])
    expect((await get('/main.js')).status).toBe(200)
    await space.write({ 'brand/Logos/acme-logo.svg': svg('another') })
    await vi.waitFor(() => expect(log()).toMatch(/1 changed/), soon)
    await space.write({ 'brand/Logos/acme-logo.svg': svg('acme') })
    await vi.waitFor(() => expect(count(log(), '1 changed')).toBe(2), soon)
    // By now, the context has noticed that it may watch, so it checks for content too.
    const { warnings: later } = await building.rebuild()
    expect(later.map(({ text }) => text)).toEqual([
      expect.stringMatching(/\.content-space cannot be read or written: /),
    ])
  } finally {
    await Promise.all([server.close(), building.dispose()])
  }
  expect(log()).toMatch(/\.content-space cannot be read or written: .*\n.*\nWithout it, bundlers/)
  expect(count(log(), 'Without it')).toBe(1)
})

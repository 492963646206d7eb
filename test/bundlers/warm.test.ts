import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { expectWithin } from '../support/budgets.js'
import { lockedSpace } from '../support/locked-space.js'
import { serveSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { loadedByScript } from '../support/loaded-modules.js'
import { createProject, type Project } from './driver.js'

/*
 * The cost of a warm build, counted instead of timed: it builds five assets of a locked kit after an earlier build. The
 * cost must not depend on the size of the kit.
 */

interface Case {
  space: SpaceFolder
  service: ServedSpace
  project: Project
  script: string
}

const sizes = [1000, 10_000]
const cases = new Map<number, Case>()
let work: string

const main = `import { asset00000, asset00001, asset00002, asset00003, asset00004 } from 'content-space:kit/large'
console.log([asset00000, asset00001, asset00002, asset00003, asset00004])\n`

/** esbuild reads the source in a separate process, so all files that this script reads are read by this package. */
function scriptOf(project: Project, options: object): string {
  return `
    import { build } from 'esbuild'
    import contentSpace from 'unplugin-content-space/esbuild'
    process.chdir(${JSON.stringify(project.root)})
    await build({
      absWorkingDir: process.cwd(),
      entryPoints: ['main.js'], bundle: true, outdir: 'dist', logLevel: 'silent',
      plugins: [contentSpace(${JSON.stringify(options)})],
    })`
}

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'content-space-warm-'))
  for (const size of sizes) {
    const space = await lockedSpace(size)
    const service = await serveSpace(space.folder, { rateLimit: false })
    const project = await createProject({ 'main.js': main })
    const script = scriptOf(project, { ...service.options, cacheDir: join(work, `cache-${size}`), rateLimit: false })
    cases.set(size, { space, service, project, script })
    await run(script)
    if (size === 1000) expectWithin('coldRequests1000', service.requests.length)
  }
}, timeFor(4))
afterAll(async () => {
  for (const { space, service, project } of cases.values()) {
    await service.close()
    await Promise.all([space.remove(), project.remove()])
  }
  await rm(work, { recursive: true, force: true })
})

/**
 * Counts the files that a script reads, and their bytes, and how often it opens the lockfile. Excludes code, and the
 * lockfile and the declarations, which are only read to hash them. Excludes the files of the cache's index too, because how many of its 16 files a build
 * reads depends on the hashes of keys, which contain the service's port.
 */
const counted = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const paths = []
  let bytes = 0
  let locks = 0
  const count = (path, size) => {
    if (/\\.(?:[cm]?js|node|json|d\\.ts)$|[\\/]index.[\\da-f]$/.test(path)) return
    paths.push(path)
    bytes += size
  }
  const readSync = fs.readFileSync
  fs.readFileSync = (path, ...rest) => {
    const data = readSync(path, ...rest)
    if (typeof path === 'string') count(path, data.length)
    return data
  }
  const read = fs.promises.readFile
  fs.promises.readFile = async (path, ...rest) => {
    const data = await read(path, ...rest)
    if (typeof path === 'string') count(path, data.length)
    return data
  }
  const { open } = fs.promises
  fs.promises.open = (path, ...rest) => {
    if (path.endsWith('content-space.lock.json')) locks++
    return open(path, ...rest)
  }
  syncBuiltinESMExports()
  process.on('exit', () => console.log('COUNTED ' + JSON.stringify({ paths, bytes, locks })))`

async function run(script: string): Promise<{ paths: string[]; bytes: number; locks: number }> {
  const hook = `data:text/javascript,${encodeURIComponent(counted)}`
  const root = new URL('../..', import.meta.url)
  const args = ['--import', hook, '--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return JSON.parse(/COUNTED (.*)/.exec(stdout)?.[1] ?? '')
}

test('a warm build of five assets reads as much of a kit of 10,000 as of a kit of 1,000, without any requests', async () => {
  const counts = []
  for (const size of sizes) {
    const { script, service } = cases.get(size) ?? { script: '', service: undefined }
    const before = service?.requests.length
    counts.push(await run(script))
    expectWithin('warmRequests', (service?.requests.length ?? Number.NaN) - (before ?? 0))
  }
  const [small, large] = counts
  expect(large?.paths.length, [small?.paths, large?.paths].join('\n\n')).toBe(small?.paths.length)
  // Five files, the record, the snapshot's entry, and the source.
  expectWithin('warmReads', large?.paths.length ?? Number.NaN)
  expectWithin('warmBytes', large?.bytes ?? Number.NaN)
  expect(Math.abs((large?.bytes ?? 0) - (small?.bytes ?? 0))).toBeLessThan(1024)
  expect([small?.locks, large?.locks]).toEqual([1, 1])
})

test("a warm build doesn't load unnecessary code", async () => {
  const { packages, bundled, own, files } = await loadedByScript(cases.get(1000)?.script ?? '')
  for (const name of [
    'fast-glob',
    'css-tree',
    'parse5',
    'saxes',
    'sharp',
    'undici',
    'write-file-atomic',
    'magic-string',
  ])
    expect([...packages, ...bundled]).not.toContain(name)
  for (const name of ['space/http/client', 'files/svg/check', 'engine/sync/resolve-imports'])
    expect(own).not.toContain(name)
  expect(own.length).toBeLessThanOrEqual(202)
  expectWithin('warmFiles', files)
  expectWithin('warmPackages', packages.length)
})

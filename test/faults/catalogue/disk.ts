import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { contentPath, describeKey } from '../../../src/disk/cache-layout.js'
import { readIndex } from '../../../src/files/store-index.js'
import { openStore } from '../../../src/files/store.js'
import { formatLock } from '../../../src/lock/format.js'
import { contentService, kitUuid, marks, type Upload } from '../../support/content-service.js'
import { emptyLock, filesIn, type Bench } from '../bench.js'
import type { Row } from '../row.js'
import { shell, type Ended } from '../shell.js'

/** Whether any user can mount a file system on this machine, because only then can a test fill a disk. */
const mounts = (() => {
  try {
    execFileSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /tmp'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/**
 * Mounts a small disk at a folder for a script's commands. If that isn't possible, limits the size of files to 2 kB.
 */
function full(folder: string, script: string): { command: string; args: string[] } {
  return mounts
    ? {
        command: 'unshare',
        args: ['-rm', 'sh', '-c', `mount -t tmpfs -o size=64k,mode=777 tmpfs '${folder}' && cd . && ${script}`],
      }
    : { command: 'sh', args: ['-c', `trap '' XFSZ; ulimit -f 4; ${script}`] }
}

const pull = '"$NODE" "$CLI" pull brand --out out/content'
/** Drawings of 8 kB, twenty of which don't fit on the disk. */
const large = marks(20).map(({ record, bytes }): Upload => {
  const padded = Buffer.concat([bytes, Buffer.from(`<!--${'x'.repeat(8000)}-->`)])
  return { record: { ...record, size: padded.length, file_hash: null }, bytes: padded }
})

function saidClearly({ stderr, code }: Ended, expected: RegExp): void {
  expect(code, stderr).toBe(1)
  expect(stderr).toMatch(expected)
  expect(stderr).not.toMatch(/^ {4}at /m)
}

/** Opens a project for a shell, with its own `out` folder and cache, which every user can write to. */
async function open(
  bench: Bench,
  uploads = large,
): Promise<{
  root: string
  run: (script: string | { command: string; args: string[] }, env?: Record<string, string>) => Promise<Ended>
}> {
  const { url } = await bench.serve(contentService({ uploads }))
  const { root } = await bench.project(url)
  for (const folder of ['out', '.cache']) await mkdir(join(root, folder), { recursive: true })
  for (const path of ['', 'out', '.cache', 'content-space.lock.json']) await chmod(join(root, path), 0o777)
  const run = async (script: string | { command: string; args: string[] }, env = {}): Promise<Ended> => {
    const ended = await shell(
      root,
      url,
      typeof script === 'string' ? { command: 'sh', args: ['-c', script] } : script,
      env,
    )
    bench.said(ended.stdout + ended.stderr)
    return ended
  }
  return { root, run }
}

const drawings = async (root: string): Promise<number> =>
  (await filesIn(join(root, 'out/content'))).filter((path) => path.endsWith('.svg')).length
const lockOf = (root: string): Promise<string> => readFile(join(root, 'content-space.lock.json'), 'utf8')

export const disk: Row[] = [
  {
    row: 60,
    fault: 'local: ENOSPC, EACCES, EMFILE, EXDEV, read-only cache',
    must: 'clear error; build may go uncached; old state intact',
    async run(bench) {
      const seen: string[] = []
      const noSpace = async () => {
        const { root, run } = await open(bench)
        const output = await run(full(join(root, 'out'), `${pull}; code=$?; echo "left: $(ls -A out)"; exit $code`))
        saidClearly(output, /ENOSPC|no space|EFBIG|cannot be written/i)
        expect(output.stdout).toMatch(/^left: $/m)
        expect(await lockOf(root)).toBe(emptyLock)
        const cache = await run(full(join(root, '.cache'), pull))
        if (mounts)
          expect(cache, cache.stderr).toMatchObject({
            code: 0,
            stderr: expect.stringMatching(/cache.*cannot be written.*Continuing without it/s),
          })
        if (mounts) expect(await drawings(root)).toBe(20)
        seen.push('a full disk: exit 1 and nothing left; a full cache: goes on without')
      }
      const noPermission = async () => {
        const { root, run } = await open(bench)
        await chmod(join(root, 'out'), 0o555)
        saidClearly(await run(pull, { AS_NOBODY: '1' }), /EACCES|permission|cannot be written/i)
        expect(await lockOf(root)).toBe(emptyLock)
        await chmod(join(root, 'out'), 0o777)
        await mkdir(join(root, 'readonly'), { mode: 0o555 })
        const cache = await run(pull, { AS_NOBODY: '1', CONTENT_SPACE_CACHE: join(root, 'readonly') })
        expect(cache, cache.stderr).toMatchObject({
          code: 0,
          stderr: expect.stringMatching(/cache.*cannot be written.*Continuing without it/s),
        })
        expect(await drawings(root)).toBe(20)
        await mkdir(join(root, 'closed'), { mode: 0 })
        const init = await run('"$NODE" "$CLI" init --yes', { AS_NOBODY: '1' })
        await chmod(join(root, 'closed'), 0o755)
        expect(init, init.stderr).toMatchObject({ code: 0 })
        seen.push('no permission: exit 1; a read-only cache: goes on without; a closed folder: skipped by init')
      }
      const tooManyFiles = async () => {
        const { root, run } = await open(bench, marks(200))
        const { code, stderr } = await run(`ulimit -n 64; ${pull}`)
        if (code === 0) expect(await drawings(root)).toBe(200)
        else saidClearly({ code, stderr, stdout: '' }, /EMFILE|too many open files/i)
        if (code !== 0) expect(await lockOf(root)).toBe(emptyLock)
        seen.push(`64 open files: ${code === 0 ? 'all 200 written' : 'exit 1, a clear error'}`)
      }
      const otherDisk = async () => {
        const { root, run } = await open(bench)
        const mounted = {
          command: 'unshare',
          args: [
            '-rm',
            'sh',
            '-c',
            `mkdir -p out/content && mount -t tmpfs tmpfs out/content && ${pull} && ls -A out/content/logos | grep -c svg$`,
          ],
        }
        const { code, stdout, stderr } = await run(
          mounts ? mounted : `${pull} && ls -A out/content/logos | grep -c svg$`,
        )
        expect(code, stderr).toBe(0)
        expect(stdout).toMatch(/^20$/m)
        expect(await lockOf(root)).not.toBe(emptyLock)
        seen.push('an output on another disk: written')
      }
      // Wait until all of them have ended before removing anything.
      const ends = await Promise.allSettled([noSpace(), noPermission(), tooManyFiles(), otherDisk()])
      expect(ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))).toEqual([])
      return seen.toSorted().join('; ')
    },
  },
  {
    row: 61,
    fault: 'local: lockfile conflict markers, newer schema, BOM',
    must: 'merge both sides, unless frozen; refuse all else; never overwrite',
    async run(bench) {
      const good = formatLock({
        space: '7',
        kits: { [kitUuid]: { name: 'Brand', slug: 'brand', versions: {} } },
      })
      const locks = {
        'a side that is no lock': good.replace('"kits"', '<<<<<<< ours\n"kits"\n=======\n>>>>>>> theirs\n"kits"'),
        'a newer schema': good.replace(/"lockfileVersion": ?2/, '"lockfileVersion": 3'),
        'a byte order mark': `\uFEFF${good}`,
        'half a file': good.slice(0, good.length / 2),
        'another space': good.replace('"7"', '"8"'),
        'nothing at all': '',
      }
      const server = await bench.serve(contentService())
      for (const [what, text] of Object.entries(locks)) {
        expect(text, what).not.toBe(good)
        const root = await bench.folder()
        const path = join(root, 'content-space.lock.json')
        await writeFile(path, text)
        expect(await bench.failure(bench.pull(server.url, {}, {}, root)), what).toMatchObject({ code: 'invalidLock' })
        expect(await readFile(path, 'utf8')).toBe(text)
      }
      const work = await bench.project(server.url, { 'content-space.lock.json': locks['a side that is no lock'] })
      for (const args of [['pull', 'brand', '--out', 'content'], ['sync'], ['update'], ['verify']]) {
        const { code, stderr, stdout } = await work.run(...args)
        bench.said(stdout + stderr)
        saidClearly({ code, stderr, stdout }, /conflict markers/)
        expect(await readFile(join(work.root, 'content-space.lock.json'), 'utf8')).toBe(locks['a side that is no lock'])
      }
      expect(server.requests).toEqual([])
      await rm(join(work.root, 'content-space.lock.json'))
      expect((await bench.run(work)).code).toBe(0)
      const path = join(work.root, 'content-space.lock.json')
      const lock = await readFile(path, 'utf8')
      const [line = ''] = / *"use": .*/.exec(lock) ?? []
      const older = line.replace('1', '0')
      const bothSides = {
        markers: `<<<<<<< ours\n${lock}=======\n${lock.replace(line, older)}>>>>>>> theirs\n`,
        lines: lock.replace(line, `${line}\n${older}`),
      }
      for (const [what, text] of Object.entries(bothSides)) {
        expect(text).not.toBe(lock)
        await writeFile(path, text)
        const frozen = await bench.run(work, '--frozen')
        saidClearly(frozen, /contains (?:merge conflict markers|the lines of both sides)/)
        expect(await readFile(path, 'utf8'), what).toBe(text)
        const { code, stderr } = await bench.run(work)
        expect([code, stderr], what).toEqual([0, expect.stringContaining('kit brand: use is version 1, and not 0')])
        expect(await readFile(path, 'utf8'), what).toBe(lock)
      }
      return `${Object.keys(locks).join(', ')}: invalidLock, no request, the file unchanged; the same for pull, sync, update and verify, with exit 1; both sides of a merge: an error if frozen, or merged with the newer version, and said`
    },
  },
  {
    row: 66,
    fault: 'local: a folder of the cache is a link to a folder outside',
    must: 'refuse, and name it; change nothing outside',
    async run(bench) {
      const { root, run } = await open(bench, marks(5))
      const outside = join(root, 'outside')
      await mkdir(outside)
      await writeFile(join(outside, '3'), 'mine')
      const cache = join(root, '.cache/files-v3')
      await mkdir(cache, { recursive: true })
      await symlink(outside, join(cache, 'index'))
      for (const script of [pull, '"$NODE" "$CLI" cache prune --older-than 0s'])
        saidClearly(await run(script, { CONTENT_SPACE_CACHE: join(root, '.cache') }), /index is a link/)
      expect([await readdir(outside), await readFile(join(outside, '3'), 'utf8')]).toEqual([['3'], 'mine'])
      return 'exit 1, a clear error, nothing outside changed'
    },
  },
  {
    row: 68,
    fault: 'local: entries of the cache that someone has replaced, with hashes that match',
    must: 'the bytes of the lockfile; offline, an error',
    async run(bench) {
      const server = await bench.serve(contentService({ uploads: marks(3) }))
      const { root } = await bench.pull(server.url)
      const read = async () =>
        Promise.all((await filesIn(join(root, 'content'))).map((path) => readFile(join(root, 'content', path), 'utf8')))
      const good = await read()
      const cacheDir = join(root, 'cache')
      const store = openStore(cacheDir, () => {})
      const originals = readIndex(cacheDir).filter(({ key }) => describeKey(key).kind === 'original')
      expect(originals).toHaveLength(3)
      for (const { key, integrity } of originals) {
        await store.put(key, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><title>forged</title></svg>'))
        await store.removeIfDamaged(integrity)
        await rm(contentPath(cacheDir, integrity))
      }
      await rm(join(root, 'content'), { recursive: true })
      expect((await bench.failure(bench.pull(server.url, { offline: true }, {}, root))).code).toBe('offline')
      await bench.pull(server.url, {}, {}, root)
      expect(await read()).toEqual(good)
      return `${originals.length} entries replaced: downloaded again; offline: an error`
    },
  },
  {
    row: 69,
    fault: 'local: the lockfile or the configuration is a pipe',
    must: 'fail at once, and name it',
    async run(bench) {
      const server = await bench.serve(contentService())
      const names = ['content-space.lock.json', 'content-space.config.json']
      for (const name of names) {
        const work = await bench.project(server.url)
        await rm(join(work.root, name))
        execFileSync('mkfifo', [join(work.root, name)])
        const { code, stderr, written } = await bench.run(work)
        await rm(join(work.root, name))
        expect([code, written], stderr).toEqual([1, []])
        expect(stderr).toContain(name)
      }
      expect(server.requests).toEqual([])
      return `${names.join(' and ')}: exit 1, no request`
    },
  },
]

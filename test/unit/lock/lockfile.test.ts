import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatLock } from '../../../src/lock/format.js'
import { emptyLock, type Lock, type LockedAsset } from '../../../src/lock/schema.js'
import { readLock, writeLock } from '../../../src/lock/lockfile.js'
import { lockOf } from '../../support/lock.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockfile-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the file', () => {
  test('is read as an empty lock when it does not exist', async () => {
    expect(await readLock(join(folder, 'absent.json'))).toEqual(emptyLock)
  })

  test('that cannot be read is an error with the cause and the next step', async () => {
    await expect(readLock(folder)).rejects.toMatchObject({
      code: 'fileSystem',
      message: expect.stringContaining('EISDIR'),
      hint: 'A folder exists where this file should be. Move it.',
    })
  })

  test('is written once, and not again without changes', async () => {
    const path = join(folder, 'once.json')
    const lock = lockOf({ 1: { name: 'a', slug: 'a' } })
    expect(await writeLock(path, lock, emptyLock)).toBe(true)
    const { mtimeMs, ino } = await stat(path)
    expect(await writeLock(path, lock, lock)).toBe(false)
    expect(await stat(path)).toMatchObject({ mtimeMs, ino })
    expect((await readdir(folder)).filter((name) => name.startsWith('once'))).toEqual(['once.json'])
  })

  test("isn't accompanied by a killed process's lock after a run without changes", async () => {
    const path = join(folder, 'killed.json')
    const lock = lockOf({ 1: { name: 'a', slug: 'a' } })
    await writeLock(path, lock, emptyLock)
    const { pid } = spawnSync(process.execPath, ['--version'])
    await writeFile(`${path}.lock`, `${pid} gone`)
    expect(await writeLock(path, lock, lock)).toBe(false)
    // A process that is working keeps its lock, and a run without changes doesn't wait for it.
    await writeFile(`${path}.lock`, `${process.pid} works`)
    expect(await writeLock(path, lock, lock)).toBe(false)
    expect((await readdir(folder)).filter((name) => name.startsWith('killed'))).toEqual([
      'killed.json',
      'killed.json.lock',
    ])
    await rm(`${path}.lock`)
  })

  test.each(['<<<<<<< HEAD\n', '\uFEFF{}', '{"lockfileVersion":99}', 'garbage'])(
    'is never overwritten when it contains %j',
    async (text) => {
      const path = join(folder, 'broken.json')
      await writeFile(path, text)
      await expect(writeLock(path, lockOf({}), emptyLock)).rejects.toMatchObject({ code: 'invalidLock' })
      expect(await readFile(path, 'utf8')).toBe(text)
    },
  )
})

describe('git', () => {
  const three = { 1: asset('a'), 2: asset('b'), 3: asset('c') }

  test('merges two branches that each use another asset, also on adjacent lines', async () => {
    const ours = lockOf({ ...three, 1: { ...asset('a'), ...files('x') } })
    const theirs = lockOf({ ...three, 2: { ...asset('b'), ...files('y') } })
    const merged = await mergeByGit('neighbours', lockOf(three), ours, theirs)
    expect(merged).toEqual(
      lockOf({ ...three, 1: { ...asset('a'), ...files('x') }, 2: { ...asset('b'), ...files('y') } }),
    )
  })

  test('merges two branches that each import another kit', async () => {
    const [low, middle, high] = [20, 30, 40].map((kit) => lockOf(three, { kit }).kits)
    const merged = await mergeByGit(
      'kits',
      { space: '7', kits: middle ?? {} },
      { space: '7', kits: { ...low, ...middle } },
      { space: '7', kits: { ...middle, ...high } },
    )
    expect(merged).toEqual({ space: '7', kits: { ...low, ...middle, ...high } })
  })
})

async function mergeByGit(name: string, base: Lock, ours: Lock, theirs: Lock): Promise<Lock> {
  const path = (side: string) => join(folder, `${name}.${side}`)
  await writeFile(path('base'), formatLock(base))
  await writeFile(path('ours'), formatLock(ours))
  await writeFile(path('theirs'), formatLock(theirs))
  execFileSync('git', ['merge-file', path('ours'), path('base'), path('theirs')])
  return readLock(path('ours'))
}

function files(letter: string): Pick<LockedAsset, 'files'> {
  return { files: { original: `sha256-${letter.repeat(43)}=` } }
}

function asset(name: string): LockedAsset {
  return { name, slug: name, record: { name, file_hash: name.repeat(32) } }
}

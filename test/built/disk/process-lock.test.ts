import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openLockFamily, takeLock, type LockOptions } from '../../../src/disk/process-lock.js'
import { ownerTag, thisProcess } from '../../../src/disk/process.js'
import { runs, timeFor } from '../../support/long.js'
import { tempFolder } from '../../support/files.js'

let path: string
beforeEach(async () => {
  path = join(await tempFolder(), 'locks', 'one')
})

/** Starts another process that holds the lock until it receives a signal. */
async function holder(): Promise<ChildProcess> {
  const script = `const { takeLock } = await import(process.argv[1]); await takeLock(process.argv[2]); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
    pathToFileURL('build/disk/process-lock.js').href,
    path,
  ])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

/** Takes the lock, or fails almost immediately. */
const tryLock = (options: LockOptions = {}) => takeLock(path, { patience: 300, ...options })

describe('takeLock', () => {
  test('gives the lock to one holder at a time', async () => {
    let [inside, most] = [0, 0]
    const work = async (): Promise<void> => {
      const release = await takeLock(path)
      most = Math.max(most, ++inside)
      await new Promise((resolve) => setImmediate(resolve))
      inside--
      release?.()
    }
    await Promise.all(Array.from({ length: 20 }, work))
    expect(most).toBe(1)
    expect(await readdir(dirname(path))).toEqual([])
  })

  test('waits no longer than its time-out', async () => {
    await holder()
    expect(await tryLock()).toBeUndefined()
  })

  test('takes the lock from a killed process', async () => {
    const child = await holder()
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await takeLock(path)).toBeTypeOf('function')
    expect(await readdir(dirname(path))).toEqual(['one'])
  })

  test("doesn't take the lock from a stopped process, and doesn't wait forever", async () => {
    const child = await holder()
    const line = await readFile(path, 'utf8')
    child.kill('SIGSTOP')
    expect(await takeLock(path, { silence: 200 })).toBeUndefined()
    expect(await readFile(path, 'utf8')).toBe(line)
  })

  test('takes the lock from a process whose pid now belongs to another process', async () => {
    const { pid, place } = thisProcess()
    await mkdir(dirname(path))
    await writeFile(path, `${ownerTag({ pid, place, start: '1' })} x`)
    expect(await tryLock()).toBeTypeOf('function')
  })

  test('waits for a process in another container while it renews the lock', async () => {
    await mkdir(dirname(path))
    await writeFile(path, `${ownerTag({ pid: 999_999_999, place: '0123456789ab', start: '1' })} x`)
    const beat = setInterval(() => void utimes(path, new Date(), new Date()), 50)
    expect(await takeLock(path, { silence: 1000, patience: 2000 })).toBeUndefined()
    clearInterval(beat)
    expect(await takeLock(path, { silence: 200 })).toBeTypeOf('function')
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a folder', () => mkdir(path, { recursive: true })],
    ['a link to itself', () => mkdir(dirname(path)).then(() => symlink(path, path))],
    ['a file in place of its folder', () => writeFile(dirname(path), '')],
  ])('is not blocked by %s', async (_, lay) => {
    await lay()
    expect(await tryLock()).toBeTypeOf('function')
  })

  test('ignores a truncated lock', async () => {
    await mkdir(dirname(path))
    await writeFile(path, '')
    expect(await takeLock(path, { silence: 200 })).toBeTypeOf('function')
  })

  test('ends the wait when it is aborted', async () => {
    await holder()
    const called = new AbortController()
    setTimeout(() => called.abort(new Error('called off')), 50)
    await expect(takeLock(path, { signal: called.signal })).rejects.toThrow('called off')
  })

  const rounds = runs(5, 100)
  test(
    'gives the lock of a killed process to one of several waiting processes',
    async () => {
      for (let round = 0; round < rounds; round++) {
        const child = await holder()
        let [inside, most] = [0, 0]
        const waiting = Array.from({ length: 8 }, async () => {
          const release = await takeLock(path)
          most = Math.max(most, ++inside)
          await new Promise((resolve) => setTimeout(resolve, 5))
          inside--
          release?.()
        })
        child.kill('SIGKILL')
        await Promise.all(waiting)
        expect(most).toBe(1)
      }
    },
    timeFor(rounds),
  )
})

const other = () => join(dirname(path), 'two')
const inodes = () => Promise.all([path, other()].map(async (one) => (await stat(one)).ino))

describe('a family of locks', () => {
  test('shares a file, and each lock is released alone', async () => {
    const family = openLockFamily()
    const first = await takeLock(path, { family })
    const second = await takeLock(other(), { family })
    const [one, two] = await inodes()
    expect(two).toBe(one)
    expect(await takeLock(other(), { patience: 0 })).toBeUndefined()
    first?.()
    expect(await readdir(dirname(path))).toEqual(['two'])
    const third = await takeLock(path, { family })
    expect(await inodes()).toEqual([one, one])
    second?.()
    third?.()
    expect(await readdir(dirname(path))).toEqual([])
  })

  test('does not share the file of a lock that another process has taken over', async () => {
    const family = openLockFamily()
    await takeLock(path, { family })
    await writeFile(`${path}.new`, 'another process')
    await rename(`${path}.new`, path)
    expect(await takeLock(other(), { family })).toBeTypeOf('function')
    expect(await readFile(other(), 'utf8')).toBe(family.line)
  })

  test('a lock whose work makes no progress gets no sign of life from the others', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const family = openLockFamily()
    let isActive = true
    await takeLock(path, { family, isActive: () => isActive })
    await takeLock(other(), { family })
    const past = new Date(2000, 0, 1)
    await utimes(path, past, past)
    vi.advanceTimersByTime(5000)
    expect((await stat(path)).mtime).not.toEqual(past)
    isActive = false
    vi.advanceTimersByTime(5000)
    const [one, two] = await inodes()
    expect(one).not.toBe(two)
    await utimes(path, past, past)
    vi.advanceTimersByTime(5000)
    expect((await stat(path)).mtime).toEqual(past)
    expect((await stat(other())).mtime).not.toEqual(past)
  })
})

import { randomUUID } from 'node:crypto'
import {
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from './make-folder.js'
import { lifeOf, ownerTag, readOwnerTag, thisProcess } from './process.js'

export interface LockOptions {
  /** Ends the wait. */
  signal?: AbortSignal | undefined
  /** Milliseconds to wait at most; default: for ever. */
  patience?: number
  /** Milliseconds without a sign of life after which an owner is no longer waited for; default 30,000. */
  silence?: number
  /** Whether the work under the lock goes on. While it does not, no sign of life is given. Default: it does. */
  isActive?: () => boolean
}

/** Gives a lock back. To be called once. */
export type Release = () => void

/** Milliseconds. */
const times = { beat: 5000, shortest: 25, longest: 500 }
/** Bytes: a lock is one line. */
const longestLine = 200
/** Looks at a lock that can be neither made nor seen, which Windows has for a moment after a file is removed. */
const blindLooks = 20

/**
 * Takes a lock that processes share, as a file that names its owner. It is taken from an owner that has ended, and,
 * where the owner runs on another machine or in another container, from one that gives no sign of life. Nobody waits
 * for an owner that is stopped or stuck either, but such an owner keeps its lock.
 * @param path of the lock file; its folder is made
 * @returns undefined where the lock cannot be had: nothing can be written, or the wait is over
 * @throws the signal's reason
 */
export async function takeLock(path: string, options: LockOptions = {}): Promise<Release | undefined> {
  const { signal, patience = Infinity, silence = 30_000, isActive = () => true } = options
  const here = thisProcess()
  const line = `${ownerTag(here)} ${randomUUID()}`
  const begun = performance.now()
  let last: (Seen & { at: number }) | undefined
  let blind = 0
  for (let pause = times.shortest; ; pause = Math.min(pause * 1.5, times.longest)) {
    signal?.throwIfAborted()
    const made = make(path, line)
    if (made === 'made') return hold(path, line, isActive)
    if (made === 'failed') return undefined
    const now = performance.now()
    const seen = look(path)
    blind = seen ? 0 : blind + 1
    if (seen && (seen.line !== last?.line || seen.beat !== last.beat)) last = { ...seen, at: now }
    const silent = last !== undefined && now - last.at > silence
    const owner = seen && readOwnerTag(seen.line, here)
    const life = owner ? lifeOf(owner, here) : 'unknown'
    if (seen && (life === 'gone' || seen.broken || (life === 'unknown' && silent))) {
      steal(path, seen.line)
      continue
    }
    if (silent || blind > blindLooks || now - begun > patience) return undefined
    await sleep(pause, undefined, { signal }).catch(() => {})
  }
}

/** What stands at the place of a lock. */
interface Seen {
  line: string
  /** Of the last sign of life. It is compared with itself alone: clocks of machines differ. */
  beat: number
  /** Whether it is no file. */
  broken: boolean
}

function make(path: string, line: string, again = false): 'made' | 'taken' | 'failed' {
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      writeSync(file, line)
    } catch {
      rmSync(path, { force: true })
      return 'failed'
    } finally {
      closeSync(file)
    }
    return 'made'
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST' || (process.platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(code)))
      return 'taken'
    const folder = dirname(path)
    return !again && attempt(() => makeFolder(dirname(folder), folder)) ? make(path, line, true) : 'failed'
  }
}

function look(path: string): Seen | undefined {
  try {
    const facts = lstatSync(path)
    const broken = !facts.isFile()
    return { line: broken ? '' : readFileSync(path, 'utf8').slice(0, longestLine), beat: facts.mtimeMs, broken }
  } catch {
    return undefined
  }
}

function hold(path: string, line: string, isMoving: () => boolean): Release {
  const isOurs = () => look(path)?.line === line
  const timer = setInterval(() => {
    if (!isMoving() || !isOurs()) return
    const now = new Date()
    attempt(() => utimesSync(path, now, now))
  }, times.beat)
  timer.unref()
  return () => {
    clearInterval(timer)
    if (isOurs()) attempt(() => rmSync(path, { force: true }))
  }
}

/** Only one of several processes that see the same owner gets its lock out of the way: a rename happens once. */
function steal(path: string, line: string): void {
  const aside = `${path}.${randomUUID()}`
  if (!attempt(() => renameSync(path, aside))) return
  // Another process was faster, and this is its lock: back with it, unless there is a third by now.
  if (look(aside)?.line !== line) attempt(() => linkSync(aside, path))
  attempt(() => rmSync(aside, { recursive: true, force: true }))
}

/** @returns whether it worked */
function attempt(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

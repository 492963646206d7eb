import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { attempt, completes } from '../async/attempt.js'
import { hasCode } from './file-error.js'
import { makeCacheFolder } from './make-folder.js'
import { lifeOf, ownerTag, readOwnerTag, thisProcess } from './process.js'

export interface LockOptions {
  /** Aborts the wait. */
  signal?: AbortSignal | undefined
  /** Maximum milliseconds to wait. Default: no limit. */
  patience?: number
  /**
   * Milliseconds without a sign of life after which processes stop waiting for the owner. Default: 30,000. The owner
   * gives signs of life by updating the modification time of the lock file.
   */
  silence?: number
  /** Maximum milliseconds between two attempts. Default: 500. */
  maxPause?: number
  /**
   * Returns whether the work under the lock makes progress. While it doesn't, signs of life pause. Default: always
   * true.
   */
  isActive?: () => boolean
  /**
   * Locks that share a file, because this process takes them for the same reason. Default: the lock has its own file.
   */
  family?: LockFamily
}

/** Locks of this process that are hard links to one file, because creating a link is faster than creating a file. */
export interface LockFamily {
  /** The content of the file. */
  line: string
  /** The inode of the file by the path of each lock. */
  inodes: Map<string, number>
}

/** Creates a family without locks. */
export function openLockFamily(): LockFamily {
  return { line: `${ownerTag(thisProcess())} ${randomUUID()}`, inodes: new Map() }
}

/** Releases a lock. Call it once. */
export type Release = () => void

const beatInterval = 5000
const pauses = { min: 25, max: 500, growth: 1.5 }
/** In bytes. A lock file contains one line. */
const maxLineLength = 200
/**
 * The number of attempts at a lock file that can be neither created nor read, which happens on Windows shortly after
 * the file was removed.
 */
const maxUnreadableAttempts = 20

/** Takes a lock if that doesn't need to wait. Otherwise, use `takeLock`. @param path as for `takeLock` */
export function takeFreeLock(
  path: string,
  family: LockFamily,
  isActive: () => boolean = () => true,
): Release | undefined {
  const outcome = link(path, family) ?? create(path, family)
  return outcome === 'created' ? hold(path, family, isActive) : undefined
}

/**
 * Takes a lock among processes: a file that contains its owner. If the owner has ended, the lock is taken over
 * immediately. If the owner runs on another machine or in another container, the lock is taken over after `silence`
 * milliseconds without signs of life. If the owner is stopped or stuck on this machine, it keeps the lock, and the wait
 * ends after the same time.
 * @param path of the lock file. Its folder is created.
 * @returns undefined if the lock file can't be written, or the wait is over
 * @throws the signal's reason
 */
export async function takeLock(path: string, options: LockOptions = {}): Promise<Release | undefined> {
  const { signal, patience = Infinity, silence = 30_000, maxPause = pauses.max, isActive = () => true } = options
  const { family = openLockFamily() } = options
  const self = thisProcess()
  const start = performance.now()
  let last: (LockFile & { at: number }) | undefined
  let unreadable = 0
  for (let pause = pauses.min; ; pause = Math.min(pause * pauses.growth, maxPause)) {
    signal?.throwIfAborted()
    const outcome = link(path, family) ?? create(path, family)
    if (outcome === 'created') return hold(path, family, isActive)
    if (outcome === 'failed') return undefined
    const now = performance.now()
    const found = readLockFile(path)
    unreadable = found ? 0 : unreadable + 1
    if (found && (found.line !== last?.line || found.beat !== last.beat)) last = { ...found, at: now }
    const silent = last !== undefined && now - last.at > silence
    const owner = found && readOwnerTag(found.line, self)
    const life = owner ? lifeOf(owner, self) : 'unknown'
    if (found && (life === 'gone' || !found.isFile || (life === 'unknown' && silent))) {
      steal(path, found.line)
      continue
    }
    if (silent || unreadable > maxUnreadableAttempts || now - start > patience) return undefined
    // Pause randomly, so that processes that started together don't always try at the same time.
    await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {})
  }
}

interface LockFile {
  line: string
  /**
   * The time of the last sign of life. It is compared only with earlier values, because the clocks of machines differ.
   */
  beat: number
  isFile: boolean
}

/**
 * Creates a lock file as a hard link to the family's file.
 * @returns undefined if the family doesn't have a file, or the file system doesn't support hard links
 */
function link(path: string, { inodes }: LockFamily): 'created' | 'taken' | undefined {
  const [[source, inode] = []] = inodes
  if (source === undefined || inode === undefined) return undefined
  try {
    linkSync(source, path)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return 'taken'
    inodes.delete(source)
    return undefined
  }
  if (attempt(() => lstatSync(path))?.ino === inode) {
    inodes.set(path, inode)
    return 'created'
  }
  // Another process has taken over the source.
  inodes.delete(source)
  attempt(() => unlinkSync(path))
  return undefined
}

function create(path: string, family: LockFamily, isRetry = false): 'created' | 'taken' | 'failed' {
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      writeSync(file, family.line)
      family.inodes.set(path, fstatSync(file).ino)
    } catch {
      rmSync(path, { force: true })
      return 'failed'
    } finally {
      closeSync(file)
    }
    return 'created'
  } catch (error) {
    const isBusy = process.platform === 'win32' && hasCode(error, 'EPERM', 'EBUSY', 'EACCES')
    if (isBusy || hasCode(error, 'EEXIST')) return 'taken'
    const folder = dirname(path)
    return !isRetry && completes(() => makeCacheFolder(dirname(folder), folder)) ? create(path, family, true) : 'failed'
  }
}

function readLockFile(path: string): LockFile | undefined {
  return attempt(() => {
    const facts = lstatSync(path)
    const isFile = facts.isFile()
    return { line: isFile ? readFileSync(path, 'utf8').slice(0, maxLineLength) : '', beat: facts.mtimeMs, isFile }
  })
}

function hold(path: string, family: LockFamily, isActive: () => boolean): Release {
  const start = performance.now()
  const isOwn = () => readLockFile(path)?.line === family.line
  const timer = setInterval(() => {
    if (!isOwn()) return
    if (!isActive()) return separate(path, family)
    const now = new Date()
    attempt(() => utimesSync(path, now, now))
  }, beatInterval)
  timer.unref()
  return () => {
    clearInterval(timer)
    family.inodes.delete(path)
    // No other process takes over a lock as young as this one, so we don't need to read its owner.
    if (performance.now() - start < beatInterval || isOwn()) attempt(() => unlinkSync(path))
  }
}

/** Gives a lock its own file, so that signs of life of the other locks don't count for it. */
function separate(path: string, { line, inodes }: LockFamily): void {
  if (!inodes.delete(path)) return
  const aside = `${path}.${randomUUID()}`
  attempt(() => writeFileSync(aside, line, { mode: 0o600 }))
  attempt(() => renameSync(aside, path))
}

/**
 * Removes the lock of an owner. Only one of several processes succeeds, because only the first rename finds the file.
 */
function steal(path: string, line: string): void {
  const aside = `${path}.${randomUUID()}`
  if (!completes(() => renameSync(path, aside))) return
  // Another process was faster, and this is its new lock. Restore it unless a third process has created another one.
  if (readLockFile(aside)?.line !== line) attempt(() => linkSync(aside, path))
  attempt(() => rmSync(aside, { recursive: true, force: true }))
}

import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { attempt } from '../async/attempt.js'
import { hasCode } from './file-error.js'

/**
 * Identifies a process uniquely, even among processes with the same pid on another machine, in another container, or at
 * another time.
 */
export interface Owner {
  pid: number
  /** A hash of machine, boot and pid namespace. A pid is unique only within these. */
  place: string
  /** When the process was started, in a unit of the system. Empty if the system doesn't report it. */
  start: string
}

/** The identity of this process. Cached because every lock needs it and it never changes. */
let self: Owner | undefined

/** Identifies this process. Only Linux reports the boot and has pid namespaces; elsewhere the host name is used. */
export function thisProcess(): Owner {
  return (self ??= identifyProcess())
}

function identifyProcess(): Owner {
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid')) ?? ''
  const parts = [hostname(), process.platform, readOrEmpty('/proc/sys/kernel/random/boot_id'), namespace]
  const place = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12)
  return { pid: process.pid, place, start: startOf(process.pid)?.start ?? '' }
}

/**
 * Returns whether a process is still running. `unknown`: it runs elsewhere, or can't be distinguished from a later
 * process with the same pid.
 */
export function lifeOf({ pid, place, start }: Owner, here: Owner): 'running' | 'gone' | 'unknown' {
  if (place !== here.place) return 'unknown'
  if (!isProcessAlive(pid)) return 'gone'
  const found = startOf(pid)
  if (found === undefined) return 'unknown'
  return found.start === start && !found.ended ? 'running' : 'gone'
}

/** Formats an owner as part of a file name: `4711.0a1b2c3d4e5f.123456`. */
export function ownerTag({ pid, place, start }: Owner): string {
  return [pid, place, start].join('.')
}

/**
 * Reads an owner from the start of a file name.
 * @returns undefined for a name that doesn't start with an owner. A pid without `place` belongs to this machine.
 */
export function readOwnerTag(name: string, here: Owner): Owner | undefined {
  const [, pid, place, start] = /^(\d+)(?:\.([\da-f]{12})\.(\d*))?(?![\d.])/.exec(name) ?? []
  if (pid === undefined) return undefined
  return { pid: Number(pid), place: place ?? here.place, start: start ?? startOf(Number(pid))?.start ?? '' }
}

const times = {
  /** Milliseconds between signs of life: updates of the modification time of a folder. */
  beat: 60_000,
  /**
   * Milliseconds without a sign of life after which a folder counts as abandoned, if its process runs on another
   * machine, or in another boot or pid namespace.
   */
  abandoned: 3_600_000,
}

/**
 * Checks whether a process has abandoned its folder: either the process has ended, or the folder hasn't been touched
 * for an hour and the process ran on another machine, or in another boot or pid namespace.
 * @param tag the part of the folder's name that starts with the owner
 */
export function isAbandoned(folder: string, tag: string): boolean {
  const here = thisProcess()
  const owner = readOwnerTag(tag, here)
  const life = owner ? lifeOf(owner, here) : 'unknown'
  if (life !== 'unknown') return life === 'gone'
  const facts = statSync(folder, { throwIfNoEntry: false })
  return facts !== undefined && Date.now() - facts.mtimeMs > times.abandoned
}

/** Updates the modification time of a folder that this process works in, as a sign of life, until `stop` is called. */
export function keepAlive(folder: string): { stop(this: void): void } {
  const timer = setInterval(() => {
    const now = new Date()
    utimes(folder, now, now).catch(() => {})
  }, times.beat)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** Checks whether a process with this pid exists on this machine. */
function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Any other error, such as EPERM, means that the process exists.
    return !hasCode(error, 'ESRCH')
  }
}

/**
 * Reads proc(5): after the program's name, which may contain any character, the state is the first field, and the start
 * time is the 20th.
 */
function startOf(pid: number): { start: string; ended: boolean } | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = '', start] = [fields[0], fields[19]]
  // A process that has ended (Z or X) keeps its pid until its parent reads the exit code.
  return start === undefined ? undefined : { start, ended: 'ZX'.includes(state) }
}

function readOrEmpty(path: string): string {
  return attempt(() => readFileSync(path, 'utf8')) ?? ''
}

import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { hostname } from 'node:os'

/**
 * A process, told apart from those of other machines and containers that see the same folder, and from later ones with
 * its pid.
 */
export interface Owner {
  pid: number
  /** Stands for machine, boot and pid namespace: only within one of these does a pid mean anything. */
  place: string
  /** When the process was started, in the system's own unit; empty where the system does not tell. */
  start: string
}

/** `unknown`: it runs elsewhere, or the system cannot tell it from a later process with the same pid. */
export type Life = 'running' | 'gone' | 'unknown'

/** Linux tells boot and namespace. Elsewhere there are no pid namespaces, and the name of the machine must do. */
export function thisProcess(): Owner {
  const parts = [hostname(), process.platform, read('/proc/sys/kernel/random/boot_id'), pidNamespace()]
  const place = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12)
  return { pid: process.pid, place, start: startOf(process.pid)?.start ?? '' }
}

/** @param here this process */
export function lifeOf({ pid, place, start }: Owner, here: Owner): Life {
  if (place !== here.place) return 'unknown'
  if (!isProcessAlive(pid)) return 'gone'
  const found = startOf(pid)
  if (found === undefined) return 'unknown'
  return found.start === start && !found.ended ? 'running' : 'gone'
}

/** Part of a file name: `4711.0a1b2c3d4e5f.123456` */
export function ownerTag({ pid, place, start }: Owner): string {
  return [pid, place, start].join('.')
}

/**
 * Reads an owner from the start of a file name.
 * @returns undefined for a name that does not begin with one. A pid alone is taken for one of this place.
 */
export function readOwnerTag(name: string, here: Owner): Owner | undefined {
  const [, pid, place, start] = /^(\d+)(?:\.([\da-f]{12})\.(\d*))?(?![\d.])/.exec(name) ?? []
  if (pid === undefined) return undefined
  return { pid: Number(pid), place: place ?? here.place, start: start ?? startOf(Number(pid))?.start ?? '' }
}

/**
 * Milliseconds between signs of life of a folder, and without one after which a folder of a process elsewhere is left
 * behind.
 */
const times = { beat: 60_000, abandoned: 3_600_000 }

/**
 * Whether a folder that a process works in is left behind: the process has ended, or it runs elsewhere and the folder
 * is old.
 * @param tag the part of its name that begins with the owner
 */
export function isAbandoned(folder: string, tag: string): boolean {
  const here = thisProcess()
  const owner = readOwnerTag(tag, here)
  const life = owner ? lifeOf(owner, here) : 'unknown'
  if (life !== 'unknown') return life === 'gone'
  const facts = statSync(folder, { throwIfNoEntry: false })
  return facts !== undefined && Date.now() - facts.mtimeMs > times.abandoned
}

/** Gives signs of life in a folder that this process works in. */
export function keepAlive(folder: string): { stop(this: void): void } {
  const timer = setInterval(() => {
    const now = new Date()
    utimes(folder, now, now).catch(() => {})
  }, times.beat)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** Whether a process of this place has this pid. */
function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Not allowed to signal it means that it is there.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/**
 * From proc(5): behind the name of the program, which may hold anything, the state is the first field and the start the
 * 20th.
 */
function startOf(pid: number): { start: string; ended: boolean } | undefined {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = '', start] = [fields[0], fields[19]]
  // A process that has ended keeps its pid until its parent asks for the exit code.
  return start === undefined ? undefined : { start, ended: 'ZX'.includes(state) }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

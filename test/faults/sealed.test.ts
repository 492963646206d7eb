import { cp, rm } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectChanges } from './sealed/changes.js'
import { serviceChanges, startService, type Service } from './sealed/content.js'
import {
  openWorkplace,
  startRemote,
  tools,
  type Outcome,
  type RemoteServer,
  type Tool,
  type Workplace,
} from './sealed/runs.js'

/*
 * The lockfile determines the content: a frozen run gives the lockfile's output or an error, and any other run leaves a
 * lockfile that gives the same output again. We try each change with each tool and each cache, both frozen and not.
 */

/**
 * `npm run test:all` tries each change with one tool and two of the caches, and repeats the runs with one of these.
 * `npm run test:faults` tries each change with all tools and caches, and repeats the runs with all caches.
 */
const isWhole = process.env['CONTENT_SPACE_TEST_WHOLE'] === '1'
const caches = ['warm', 'cold', 'remote'] as const
type Cache = (typeof caches)[number]

let service: Service
let remote: RemoteServer
beforeAll(async () => {
  ;[service, remote] = await Promise.all([startService(), startRemote()])
})
afterAll(async () => {
  await Promise.all([service.close(), remote.close()])
  for (const made of starts.values()) await (await made).remove()
})

/** A project whose first run has filled its cache, the remote cache, and the lockfile. */
interface Started {
  work: Workplace
  tool: Tool
  before: Outcome
  tried: readonly Cache[]
  /** The caches with which a frozen run repeats a run that isn't frozen. */
  repeated: readonly Cache[]
}

interface Start {
  work: Workplace
  before: Outcome
  /** Restores the project, its cache, and the remote cache to the state after the first run. */
  again(this: void): Promise<void>
  remove(): Promise<void>
}

/** The first runs by tool and version. All changes share them. */
const starts = new Map<string, Promise<Start>>()

function start(tool: Tool, version: number): Promise<Start> {
  const key = `${tool.name} ${version}`
  const made = starts.get(key) ?? makeStart(tool)
  starts.set(key, made)
  return made
}

async function makeStart(tool: Tool): Promise<Start> {
  remote.entries.clear()
  const work = await openWorkplace(tool, service.url)
  const first = await work.run({ ...remote.options, remoteWrite: true })
  await work.clear()
  const before = await work.run({})
  expect([before.error, before.files]).toEqual([undefined, first.files])
  const [{ options, root }, entries, copy] = [work, [...remote.entries], `${work.root}-start`]
  const how = { recursive: true, preserveTimestamps: true } as const
  await cp(root, copy, how)
  return {
    work,
    before,
    async again() {
      remote.entries.clear()
      for (const [url, bytes] of entries) remote.entries.set(url, bytes)
      await rm(root, { recursive: true })
      await cp(copy, root, how)
      work.options = options
    },
    async remove() {
      await work.remove()
      await rm(copy, { recursive: true })
    },
  }
}

/** Declares a test of each change with each tool. `judge` returns a cell for each cache, both frozen and not. */
function each(
  kind: string,
  changes: readonly string[],
  version: number,
  judge: (change: string, started: Started) => Promise<string[]>,
): void {
  describe(kind, () => {
    for (const [row, change] of changes.entries()) {
      for (const tool of isWhole ? tools : tools.filter((_, at) => at === row % tools.length)) {
        test(`${change}: ${tool.name}`, async ({ task }) => {
          service.reset(version)
          const { work, before, again } = await start(tool, version)
          await again()
          const tried = isWhole ? caches : caches.filter((cache) => cache !== (row % 2 === 0 ? 'warm' : 'remote'))
          const repeated = isWhole ? caches : tried.filter((_, at) => at === row % tried.length)
          const cells = await judge(change, { work, tool, before, tried, repeated })
          task.meta.sealed = { kind, change, tool: tool.name, cells }
          expect(cells.filter((cell) => cell.startsWith('silent'))).toEqual([])
        })
      }
    }
  })
}

/** Runs with each cache, both frozen and not, from the same lockfile. */
async function runAll(
  { work, tried, repeated }: Started,
  judge: (after: Outcome, frozen: boolean, again: boolean) => Promise<string> | string,
): Promise<string[]> {
  const lock = await work.lock()
  const cells: string[] = []
  for (const cache of tried) {
    for (const frozen of [true, false]) {
      if (cache !== 'warm') await work.clear()
      await work.setLock(lock)
      const after = await work.run({ frozen, ...(cache === 'remote' ? remote.options : {}) })
      const isKept = after.lock === lock || (!frozen && after.error === undefined)
      cells.push(
        isKept ? await judge(after, frozen, !frozen && repeated.includes(cache)) : 'silent: the lockfile has changed',
      )
    }
  }
  return cells
}

const isSame = (a: Outcome, b: Outcome): boolean =>
  a.error === undefined && b.error === undefined && isDeepStrictEqual(a.files, b.files)

/**
 * Repeats a run frozen.
 * @param may whether it may fail because the service has other content
 */
async function judgeAgain(work: Workplace, after: Outcome, cell: string, may: boolean): Promise<string> {
  for (const cache of ['warm', 'cold']) {
    if (cache === 'cold') await work.clear()
    const again = await work.run({ frozen: true })
    if (!isSame(after, again) && !(again.error !== undefined && may && cache === 'cold'))
      return `silent: ${cell}, then frozen and ${cache} ${again.error ?? 'another output'}`
  }
  return cell
}

/**
 * A frozen run gives the previous output or an error. Another run may give a different output if the lockfile says so.
 */
function judgeLocked(started: Started): Promise<string[]> {
  const { work, before } = started
  return runAll(started, async (after, frozen, again) => {
    if (after.error !== undefined) return errorCell(after.error)
    const cell = isSame(before, after)
      ? 'equal'
      : frozen || after.lock === before.lock
        ? 'silent: another output'
        : 'in the lock'
    return again ? judgeAgain(work, after, cell, isSame(before, after)) : cell
  })
}

/** With any cache, a run gives the same output and lockfile, or an error. */
async function judgeAny(started: Started, needsCache = false): Promise<string[]> {
  const outcomes: Outcome[] = []
  const cells = await runAll(started, async (after, _, again) => {
    outcomes.push(after)
    if (after.error !== undefined) return errorCell(after.error)
    return again ? judgeAgain(started.work, after, 'equal', needsCache) : 'equal'
  })
  // We compare the others with a cold run without a remote cache.
  return cells.map((cell, at) => {
    const [one, cold] = [outcomes[at], outcomes[2 * started.tried.indexOf('cold') + (at % 2)]]
    if (cell.startsWith('silent') || one === undefined || cold === undefined) return cell
    if (cold.error !== undefined && (one.error !== undefined || needsCache)) return cell
    return isSame(one, cold) && withoutFiles(one.lock) === withoutFiles(cold.lock)
      ? cell
      : `silent: ${cell}, and ${cold.error ?? 'another output'} with a cold cache`
  })
}

/** With this machine's cache, a run gives the previous output. */
async function judgeWarm({ work, before }: Started): Promise<string[]> {
  const cells: string[] = []
  for (const frozen of [true, false]) {
    const after = await work.run({ frozen })
    cells.push(
      isSame(before, after) && after.lock === before.lock ? 'equal' : `silent: ${after.error ?? 'another output'}`,
    )
  }
  return cells
}

/** Only a run that has downloaded a file locks its hash. */
function withoutFiles(lock: string): string {
  return lock.replaceAll(/,"files":\{[^}]*\}/g, '')
}

/** A raw JavaScript error doesn't come from this package. */
function errorCell(error: string): string {
  return /TypeError|ENOENT|undefined/.test(error) ? `silent: ${error}` : `error: ${error}`
}

const services = Object.keys(serviceChanges)

each('version', services, 1, async (change, started) => {
  service.change(1, change)
  return judgeLocked(started)
})

/**
 * Changes that a draft's listing doesn't reveal, because a file in the cache is identified by its `file_hash` and
 * dates.
 */
const unlisted = ['bytes of a file without hash', 'bytes of a cut']

each('draft', services, 0, async (change, started) => {
  service.change(0, change)
  return unlisted.includes(change) ? judgeWarm(started) : judgeAny(started)
})

each('project', Object.keys(projectChanges), 1, async (name, started) => {
  const change = projectChanges[name]
  await change?.apply(started.work, service, started.tool)
  return change?.gives === 'locked' ? judgeLocked(started) : judgeAny(started, change?.needsCache)
})

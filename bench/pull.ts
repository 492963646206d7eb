import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { folderSpace } from '../src/space/folder/space.js'
import { printTable } from './compare.js'
import { medians, runNode, type ProcessRun } from './pull/process.js'
import { smallSpace } from './pull/space.js'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const cli = pathOf('../dist/cli/main.js')
const jiti = pathOf('../node_modules/jiti/lib/jiti-cli.mjs')
const serviceScript = pathOf('pull/service.ts')
const bareDownloader = pathOf('pull/bare.js')
const statFiles = pathOf('pull/stats.js')

/** A file system in memory, where the system has one. */
const memoryFolder = '/dev/shm'

/** `concurrency` is the number of requests at once. The default of the option is 32. */
const cases = [
  { assets: 1000, concurrency: 32, on: 'disk', rounds: 5 },
  { assets: 1000, concurrency: 8, on: 'memory', rounds: 3 },
  { assets: 1000, concurrency: 16, on: 'memory', rounds: 3 },
  { assets: 1000, concurrency: 32, on: 'memory', rounds: 5 },
  { assets: 10_000, concurrency: 32, on: 'disk', rounds: 3 },
] as const
type Case = (typeof cases)[number]
/** Milliseconds. */
const latency = 20

const served = v.object({ url: v.string(), spaceId: v.number(), token: v.string() })

interface Service extends v.InferOutput<typeof served> {
  child: ChildProcess
  folder: string
  /** The header for the bare downloader. */
  authorization: string
  /** The downloads of all assets. */
  urls: string[]
}

/**
 * Compares a pull of a kit of small files over HTTP with a downloader of the files that checks nothing, and the same
 * pull again, without changes, with a process that reads the manifest and calls `stat` for each file.
 */
export async function comparePulls(): Promise<void> {
  const [first, second] = [
    [['assets', 'requests at once', 'on', 'first run : downloader', 'processor time', 'a file', 'peak memory']],
    [['assets', 'on', 'second run', 'manifest and stat', 'ratio']],
  ]
  for (const one of cases) {
    const { assets, concurrency, on } = one
    if (on === 'memory' && !existsSync(memoryFolder)) continue
    const root = await mkdtemp(join(on === 'memory' ? memoryFolder : tmpdir(), 'content-space-bench-'))
    const service = await serve(assets)
    try {
      const { bare, pull, again, stats } = await measure(service, root, one)
      first.push([
        String(assets),
        String(concurrency),
        on,
        times(pull.time, bare.time),
        times(pull.processor, bare.processor),
        `${(pull.processor / assets).toFixed(1)} ms`,
        `${Math.round(pull.memory)} MB`,
      ])
      const seconds = [again, stats].map(({ time }) => `${(time / 1000).toFixed(2)} s`)
      second.push([String(assets), on, ...seconds, times(again.time, stats.time)])
    } finally {
      service.child.kill()
      await Promise.all([service.folder, root].map((folder) => rm(folder, { recursive: true, force: true })))
    }
  }
  printTable(first)
  console.log('')
  printTable(second)
}

function times(a: number, b: number): string {
  return (a / b).toFixed(2)
}

type Sides = Record<'bare' | 'pull' | 'again' | 'stats', () => Promise<ProcessRun>>

/**
 * Runs the sides in turn, after a round that is not counted. Each round uses its own folder, and no folder is removed
 * before the last round, because ext4 is slow to create files after others were removed.
 */
async function measure(service: Service, root: string, one: Case) {
  const runs: Record<keyof Sides, ProcessRun[]> = { bare: [], pull: [], again: [], stats: [] }
  for (let round = -1; round < one.rounds; round++) {
    const sides = sidesOf(service, await mkdtemp(join(root, 'round-')), one)
    for (const side of ['bare', 'pull', 'again', 'stats'] as const) {
      const run = await sides[side]()
      if (round >= 0) runs[side].push(run)
    }
  }
  return {
    bare: medians(runs.bare),
    pull: medians(runs.pull),
    again: medians(runs.again),
    stats: medians(runs.stats),
  }
}

function sidesOf({ url, spaceId, token, authorization, urls }: Service, round: string, one: Case): Sides {
  const { assets, concurrency } = one
  const pull = async (expected: number): Promise<ProcessRun> => {
    const args = [cli, 'pull', 'small', '--out', 'content', '--json', '--config', 'config.json']
    const run = await runNode(args, round, {
      CONTENT_SPACE_URL: url,
      CONTENT_SPACE_ID: String(spaceId),
      CONTENT_SPACE_TOKEN: token,
      CONTENT_SPACE_CACHE: join(round, 'cache'),
      CI: '',
    })
    const { downloads } = v.parse(v.object({ downloads: v.number() }), JSON.parse(run.stdout))
    if (downloads !== expected) throw new Error(`${downloads} downloads instead of ${expected}.`)
    return run
  }
  return {
    async bare() {
      const [list, folder] = [join(round, 'list.json'), join(round, 'bare')]
      await writeFile(list, JSON.stringify({ authorization, urls }))
      const run = await runNode([bareDownloader, list, folder, String(concurrency)], round, {})
      const { length } = await readdir(folder)
      if (length !== assets) throw new Error(`${length} files instead of ${assets}.`)
      return run
    },
    async pull() {
      // A rate limit that is counted, but never reached.
      const rateLimit = { requests: 1e6, seconds: 300 }
      await writeFile(join(round, 'config.json'), JSON.stringify({ concurrency, rateLimit }))
      return pull(assets)
    },
    again: () => pull(0),
    stats: () => runNode([statFiles, join(round, 'content')], round, {}),
  }
}

/** Serves a space from a separate process, so that its work is not measured. */
async function serve(assets: number): Promise<Service> {
  const { folder } = await smallSpace(assets)
  const running = spawn(process.execPath, [jiti, serviceScript, folder, String(latency)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line]: unknown[] = await once(createInterface(running.stdout), 'line')
  const { url, spaceId, token } = v.parse(served, JSON.parse(String(line)))
  const space = folderSpace(folder)
  const [kit] = await space.kits()
  const outline = await space.outline(kit?.uuid ?? '', 1)
  const sections = await Promise.all(outline.sections.map(({ uuid }) => space.section(uuid, 1)))
  const uuids = sections.flatMap(({ items }) => items.flatMap(({ asset }) => (asset ? [asset.uuid] : [])))
  const authorization = `Basic ${Buffer.from(`${spaceId}:${token}`).toString('base64')}`
  return {
    url,
    spaceId,
    token,
    child: running,
    folder,
    authorization,
    urls: uuids.map((uuid) => `${url}/1/assets/${uuid}/download`),
  }
}

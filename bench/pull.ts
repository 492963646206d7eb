import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { folderSpace } from '../src/space/folder/space.js'
import { inTurn, middle, ratio, type Measured, type Side } from './compare.js'
import { cli, runNode, type Finished } from './process.js'
import { smallSpace } from './pull/space.js'
import type { Row, Scale } from './report.js'
import { startService, type Service } from './service.js'

const bareDownloader = fileURLToPath(new URL('pull/bare.js', import.meta.url))
const statFiles = fileURLToPath(new URL('pull/stats.js', import.meta.url))

/** A file system in memory, if the system has one. */
const memoryFolder = '/dev/shm'

interface Case {
  assets: number
  /** The number of concurrent requests. The option's default is 32. */
  concurrency: number
  on: 'disk' | 'memory'
  rounds: number
  /** The maximum cost of a first run. */
  target: { wall: number; cpu?: number; memory?: number }
}

const cases: Record<Scale, Case[]> = {
  full: [
    { assets: 1000, concurrency: 32, on: 'disk', rounds: 5, target: { wall: 2, cpu: 2 } },
    { assets: 1000, concurrency: 8, on: 'memory', rounds: 3, target: { wall: 1.15 } },
    { assets: 1000, concurrency: 16, on: 'memory', rounds: 3, target: { wall: 1.25 } },
    { assets: 10_000, concurrency: 32, on: 'disk', rounds: 3, target: { wall: 1.5, memory: 250 } },
  ],
  quick: [{ assets: 200, concurrency: 32, on: 'disk', rounds: 2, target: { wall: 2, cpu: 2 } }],
}
/** In milliseconds. */
const latency = 20

interface Served extends Service {
  folder: string
  /** The header for the bare downloader. */
  authorization: string
  /** The URLs of all assets. */
  urls: string[]
}

/**
 * Compares a pull of a kit with small files over HTTP with a downloader that doesn't check the files. Compares the same
 * pull again, without changes, with a process that reads the manifest and calls `stat` for each file.
 */
export async function comparePulls(scale: Scale): Promise<Row[]> {
  const rows: Row[] = []
  for (const one of cases[scale].filter(({ on }) => on === 'disk' || existsSync(memoryFolder))) {
    const root = await mkdtemp(join(one.on === 'memory' ? memoryFolder : tmpdir(), 'content-space-bench-'))
    const service = await serve(one.assets)
    try {
      const measured = await inTurn(`pull of ${one.assets}`, sidesOf(service, root, one), one.rounds, true)
      rows.push(...rowsOf(one, measured))
    } finally {
      service.stop()
      await Promise.all([service.folder, root].map((folder) => rm(folder, { recursive: true, force: true })))
    }
  }
  return rows
}

function rowsOf({ assets, concurrency, on, target }: Case, measured: readonly Measured[]): Row[] {
  const count = assets.toLocaleString('en')
  const { wall, cpu, memory } = target
  const what = [cpu && 'processor time', memory && 'memory'].flatMap((one) => (one ? [`; ${one}`] : [])).join('')
  const place = on === 'disk' ? 'on a disk' : 'in memory'
  const first: Row = {
    work: `first \`pull\`, ${count} files, ${concurrency} at a time, ${place}${what}`,
    against: 'a downloader of the files that checks nothing',
    figures: [
      { ...ratio(measured, 'pull', 'bare'), target: wall },
      ...(cpu ? [{ ...ratio(measured, 'pull', 'bare', 'cpu'), target: cpu }] : []),
      ...(memory ? [{ now: middle(measured, 'pull', 'memory'), target: memory, unit: 'MB' as const }] : []),
    ],
  }
  const second: Row = {
    work: `second \`pull\`, ${count} files`,
    against: 'reading the manifest and `stat` for each file',
    figures: [{ ...ratio(measured, 'again', 'stat'), target: 2 }],
  }
  return on === 'disk' ? [first, second] : [first]
}

/**
 * Returns the sides. Each round uses its own folder, and folders are removed only after the last round, because ext4
 * creates files slowly after others have been removed.
 */
function sidesOf(service: Served, root: string, { assets, concurrency }: Case): Side[] {
  const { space, spaceId, token } = service.options
  const env = { CONTENT_SPACE_URL: space, CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: token, CI: '' }
  let round = root
  const pull = async (expected: number): Promise<Finished> => {
    const usage = await runNode([cli(), 'pull', 'small', '--out', 'content', '--json', '--config', 'config.json'], {
      cwd: round,
      env: { ...env, CONTENT_SPACE_CACHE: join(round, 'cache') },
    })
    const { downloads } = v.parse(v.object({ downloads: v.number() }), JSON.parse(usage.stdout))
    if (downloads !== expected) throw new Error(`${downloads} downloads instead of ${expected}.`)
    return usage
  }
  return [
    {
      name: 'bare',
      async run() {
        round = await mkdtemp(join(root, 'round-'))
        return downloadBare(service, round, concurrency)
      },
    },
    {
      name: 'pull',
      async run() {
        // A rate limit that counts requests but is never reached.
        const config = { concurrency, rateLimit: { requests: 1e6, seconds: 300 } }
        await writeFile(join(round, 'config.json'), JSON.stringify(config))
        return pull(assets)
      },
    },
    { name: 'again', run: () => pull(0) },
    { name: 'stat', run: () => runNode([statFiles, join(round, 'content')], { cwd: round, env: {} }) },
  ]
}

/** Runs the bare downloader and checks the number of files. */
async function downloadBare({ authorization, urls }: Served, round: string, concurrency: number): Promise<Finished> {
  const [list, folder] = [join(round, 'list.json'), join(round, 'bare')]
  await writeFile(list, JSON.stringify({ authorization, urls }))
  const usage = await runNode([bareDownloader, list, folder, String(concurrency)], { cwd: round, env: {} })
  const { length } = await readdir(folder)
  if (length !== urls.length) throw new Error(`${length} files instead of ${urls.length}.`)
  return usage
}

/** Serves a space and lists the URLs of its downloads. */
async function serve(assets: number): Promise<Served> {
  const { folder } = await smallSpace(assets)
  const service = await startService(folder, latency)
  const space = folderSpace(folder)
  const [kit] = await space.kits()
  const outline = await space.outline(kit?.uuid ?? '', 1)
  const sections = await Promise.all(outline.sections.map(({ uuid }) => space.section(uuid, 1)))
  const uuids = sections.flatMap(({ items }) => items.flatMap(({ asset }) => (asset ? [asset.uuid] : [])))
  const { space: url, spaceId, token } = service.options
  const authorization = `Basic ${Buffer.from(`${spaceId}:${token}`).toString('base64')}`
  return { ...service, folder, authorization, urls: uuids.map((uuid) => `${url}/1/assets/${uuid}/download`) }
}

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { folderSpace } from '../src/space/folder/space.js'
import { smallSpace } from './pull/space.js'
import { inTurn, middle, ratio, type Side, type Usage } from './compare.js'
import { cli, runNode, type Finished } from './process.js'
import { printTable, ratioText, type Row, type Scale } from './report.js'
import { startService, type Service } from './service.js'

const bareDownloader = fileURLToPath(new URL('pull/bare.js', import.meta.url))

interface Case {
  assets: number
  /** The number of requests at once. The default of the option is 32. */
  concurrency: number
  rounds: number
  /** The largest ratio of a first run. */
  target?: number
}

const cases: Record<Scale, Case[]> = {
  full: [
    { assets: 100, concurrency: 32, rounds: 5 },
    { assets: 1000, concurrency: 8, rounds: 3, target: 1.15 },
    { assets: 1000, concurrency: 16, rounds: 3, target: 1.25 },
    { assets: 1000, concurrency: 32, rounds: 5, target: 1.5 },
    { assets: 10_000, concurrency: 32, rounds: 1, target: 1.5 },
  ],
  quick: [{ assets: 200, concurrency: 32, rounds: 3, target: 1.5 }],
}
/** Milliseconds. */
const latency = 20

interface Served extends Service {
  folder: string
  /** The header for the bare downloader. */
  authorization: string
  /** The downloads of all assets. */
  urls: string[]
}

/** The files that the bare downloader writes for one download. A file without a text contains the body. */
type FilesOfDownload = { path: string; text?: string }[]

/**
 * Compares a pull of a kit of small files over HTTP with a downloader that checks nothing. The downloader writes either
 * only the bodies, or all the bytes that the pull writes, including modules and the cache. Also measures the same pull
 * again, without changes.
 */
export async function comparePulls(scale: Scale): Promise<Row[]> {
  const details = [['assets', 'requests at once', 'first run : downloader of the same bytes', 'peak memory']]
  const rows: Row[] = []
  for (const one of cases[scale]) {
    const root = await mkdtemp(join(tmpdir(), 'content-space-bench-'))
    const service = await serve(one.assets)
    try {
      const measured = await inTurn(sidesOf(service, root, one), one.rounds, true)
      const assets = one.assets.toLocaleString('en')
      details.push([
        assets,
        String(one.concurrency),
        ratioText(ratio(measured, 'pull', 'same bytes')),
        `${Math.round(middle(measured, 'pull', 'memory'))} MB`,
      ])
      rows.push(
        {
          work: `first \`pull\`, ${assets} files, ${one.concurrency} at a time: time; processor time`,
          against: 'a downloader of the files that checks nothing',
          figures: [
            { now: ratio(measured, 'pull', 'bare'), ...(one.target && { target: one.target }) },
            { now: ratio(measured, 'pull', 'bare', 'cpu'), target: 2 },
          ],
        },
        {
          work: `second \`pull\`, ${assets} files`,
          against: 'a start of Node',
          figures: [{ now: middle(measured, 'again') / 1000, unit: 's' }],
        },
      )
    } finally {
      service.stop()
      await Promise.all([service.folder, root].map((folder) => rm(folder, { recursive: true, force: true })))
    }
  }
  printTable(details)
  return rows
}

/**
 * Returns the sides. Each round uses its own folder, and no folder is removed before the last round, because ext4 is
 * slow to create files after others were removed.
 */
function sidesOf(service: Served, root: string, { assets, concurrency }: Case): Side[] {
  const { urls, options } = service
  const { space, spaceId, token } = options
  let round = root
  const env = { CONTENT_SPACE_URL: space, CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: token, CI: '' }
  const pull = (): Promise<Finished> =>
    runNode([cli, 'pull', 'small', '--out', 'content', '--json', '--config', 'config.json'], {
      cwd: round,
      env: { ...env, CONTENT_SPACE_CACHE: join(round, 'cache') },
    })
  const download = (folder: string, files: readonly FilesOfDownload[]): Promise<Usage> =>
    downloadBare(service, join(round, folder), files, concurrency)
  return [
    {
      name: 'bare',
      async run() {
        round = await mkdtemp(join(root, 'round-'))
        return download(
          'bare',
          urls.map((_, at) => [{ path: String(at) }]),
        )
      },
    },
    {
      name: 'pull',
      async run() {
        // A rate limit that is counted, but never reached.
        await writeFile(
          join(round, 'config.json'),
          JSON.stringify({ concurrency, rateLimit: { requests: 1e6, seconds: 300 } }),
        )
        const usage = await pull()
        const { downloads } = v.parse(v.object({ downloads: v.number() }), JSON.parse(usage.stdout))
        if (downloads !== assets) throw new Error(`${downloads} downloads instead of ${assets}.`)
        return usage
      },
    },
    { name: 'same bytes', run: async () => download('same', await filesOfDownloads(round, assets)) },
    { name: 'again', run: pull },
  ]
}

/** Runs the bare downloader, and checks the number of files. */
async function downloadBare(
  { authorization, urls }: Served,
  folder: string,
  files: readonly FilesOfDownload[],
  concurrency: number,
): Promise<Usage> {
  const list = `${folder}.json`
  const downloads = urls.map((url, at) => ({ url, files: files[at] }))
  await writeFile(list, JSON.stringify({ authorization, downloads }))
  const usage = await runNode([bareDownloader, list, folder, String(concurrency)], { cwd: dirname(folder), env: {} })
  const found = (await filesIn(folder)).length
  const expected = files.flat().length
  if (found !== expected) throw new Error(`${found} files instead of ${expected}.`)
  return usage
}

/** Distributes all files that a pull has written among its downloads. */
async function filesOfDownloads(round: string, assets: number): Promise<FilesOfDownload[]> {
  const files: FilesOfDownload[] = Array.from({ length: assets }, () => [])
  let [bodies, texts] = [0, 0]
  for (const file of [...(await filesIn(join(round, 'content'))), ...(await filesIn(join(round, 'cache')))]) {
    const path = relative(round, file)
    const data = await readFile(file)
    if (data.subarray(1, 4).toString() === 'PNG') files[bodies++ % assets]?.push({ path })
    else files[texts++ % assets]?.push({ path, text: data.toString() })
  }
  return files
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** Serves a space, and lists its downloads. */
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

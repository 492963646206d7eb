import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { folderSpace } from '../src/space/folder/space.js'
import { smallSpace } from './pull/space.js'
import { inTurn, median, printTable, ratio, type Measured, type Side } from './compare.js'

const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const jiti = fileURLToPath(new URL('../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url))
const answers = fileURLToPath(new URL('pull/service.ts', import.meta.url))
const bare = fileURLToPath(new URL('pull/bare.js', import.meta.url))
/** Prints the peak of resident memory, in kB, as the last line on stderr. */
const peak = `--import=data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))`

/** How large, and how many requests at a time: 32 is what option `concurrency` is by default. */
const cases = [
  { assets: 100, concurrency: 32, rounds: 5 },
  { assets: 1000, concurrency: 8, rounds: 3 },
  { assets: 1000, concurrency: 16, rounds: 3 },
  { assets: 1000, concurrency: 32, rounds: 5 },
  { assets: 10_000, concurrency: 32, rounds: 1 },
]
type Case = (typeof cases)[number]
const latency = 20

const served = v.object({ url: v.string(), spaceId: v.number(), token: v.string() })

interface Service extends v.InferOutput<typeof served> {
  child: ChildProcess
  folder: string
  /** For the bare downloader: what to fetch, and how. */
  authorization: string
  urls: string[]
}

/** What the bare downloader writes of one download; without a text, the body. */
type Share = { path: string; text?: string }[]

/**
 * A pull of a kit of small files over HTTP, beside a downloader that checks nothing: one that writes each body to a
 * file, and one that writes all that the pull has written, modules and cache, too. And the same pull again when nothing
 * has changed.
 */
export async function comparePulls(): Promise<void> {
  const rows = [
    [
      'assets',
      'at a time',
      'first run : bare downloader of the same bytes',
      ': of the files alone',
      'peak memory',
      'second run, above Node’s start',
    ],
  ]
  for (const one of cases) {
    const { assets, concurrency, rounds } = one
    const root = await mkdtemp(join(tmpdir(), 'content-space-bench-'))
    const service = await serve(assets)
    try {
      const memory: number[] = []
      const measured = await inTurn(sidesOf(service, root, one, memory), rounds, true)
      const of = (name: string): number => median(measured.find((side: Measured) => side.name === name)?.times ?? [])
      const again = ((of('again') - of('node')) / 1000).toFixed(2)
      rows.push([
        String(assets),
        String(concurrency),
        ratio(measured, 'pull', 'same bytes'),
        ratio(measured, 'pull', 'bare'),
        `${Math.round(Math.max(...memory) / 1024)} MB`,
        `${again} s`,
      ])
    } finally {
      service.child.kill()
      await Promise.all([service.folder, root].map((folder) => rm(folder, { recursive: true, force: true })))
    }
  }
  printTable(rows)
}

/**
 * Each round has a folder of its own, and nothing is removed meanwhile: ext4 is slow to make files where others were
 * just removed.
 */
function sidesOf(
  { url, spaceId, token, authorization, urls }: Service,
  root: string,
  { assets, concurrency }: Case,
  memory: number[],
): Side[] {
  let round = root
  const env = { CONTENT_SPACE_URL: url, CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: token, CI: '' }
  const pull = (): ReturnType<typeof child> =>
    child([peak, cli, 'pull', 'small', '--out', 'content', '--json', '--config', 'config.json'], round, {
      ...env,
      CONTENT_SPACE_CACHE: join(round, 'cache'),
    })
  async function download(folder: string, shares: readonly Share[]): Promise<number> {
    const list = join(round, `${folder}.json`)
    await writeFile(
      list,
      JSON.stringify({ authorization, downloads: urls.map((address, at) => ({ url: address, files: shares[at] })) }),
    )
    const { time } = await child([bare, list, folder, String(concurrency)], round, env)
    const found = (await filesIn(join(round, folder))).length
    const wanted = shares.flat().length
    if (found !== wanted) throw new Error(`${found} files, not ${wanted}.`)
    return time
  }
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
        // Counted as ever, but never waited for.
        await writeFile(
          join(round, 'config.json'),
          JSON.stringify({ concurrency, rateLimit: { requests: 1e6, seconds: 300 } }),
        )
        const { time, stdout, stderr } = await pull()
        const { downloads } = v.parse(v.object({ downloads: v.number() }), JSON.parse(stdout))
        if (downloads !== assets) throw new Error(`${downloads} downloads, not ${assets}.`)
        memory.push(Number(stderr.trim()))
        return time
      },
    },
    { name: 'same bytes', run: async () => download('same', await sharesOf(round, assets)) },
    { name: 'again', run: async () => (await pull()).time },
    { name: 'node', run: async () => (await child([peak, '--eval', '0'], root, env)).time },
  ]
}

/** All that a pull has written, in as many shares as it has downloaded files. */
async function sharesOf(round: string, assets: number): Promise<Share[]> {
  const shares: Share[] = Array.from({ length: assets }, () => [])
  let [bodies, texts] = [0, 0]
  for (const file of [...(await filesIn(join(round, 'content'))), ...(await filesIn(join(round, 'cache')))]) {
    const path = relative(round, file)
    const data = await readFile(file)
    if (data.subarray(1, 4).toString() === 'PNG') shares[bodies++ % assets]?.push({ path })
    else shares[texts++ % assets]?.push({ path, text: data.toString() })
  }
  return shares
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** Runs Node, and fails where it fails. */
async function child(
  args: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ time: number; stdout: string; stderr: string }> {
  const started = performance.now()
  const running = spawn(process.execPath, args, { cwd, env: { PATH: process.env['PATH'], ...env }, timeout: 120_000 })
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  running.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  running.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  const [code]: unknown[] = await once(running, 'close')
  const time = performance.now() - started
  const [printed, said] = [Buffer.concat(stdout).toString(), Buffer.concat(stderr).toString()]
  if (code !== 0) throw new Error(`node ${args.join(' ')}: ${String(code)}\n${said}`)
  return { time, stdout: printed, stderr: said }
}

/** The space behind a server of its own process, so that it takes no time of those that are measured. */
async function serve(assets: number): Promise<Service> {
  const { folder } = await smallSpace(assets)
  const running = spawn(process.execPath, [jiti, answers, folder, String(latency)], {
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

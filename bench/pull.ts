import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { folderSpace } from '../src/space/folder/space.js'
import { smallSpace } from './pull/space.js'
import { inTurn, median, printTable, ratio, type Measured, type Side } from './compare.js'

const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const jiti = fileURLToPath(new URL('../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url))
const serviceScript = fileURLToPath(new URL('pull/service.ts', import.meta.url))
const bareDownloader = fileURLToPath(new URL('pull/bare.js', import.meta.url))
/** Prints the peak of resident memory, in kB, as the last line of stderr. */
const printPeak = `--import=data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))`

/** `concurrency` is the number of requests at once. The default of the option is 32. */
const cases = [
  { assets: 100, concurrency: 32, rounds: 5 },
  { assets: 1000, concurrency: 8, rounds: 3 },
  { assets: 1000, concurrency: 16, rounds: 3 },
  { assets: 1000, concurrency: 32, rounds: 5 },
  { assets: 10_000, concurrency: 32, rounds: 1 },
]
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

/** The files that the bare downloader writes for one download. A file without a text contains the body. */
type FilesOfDownload = { path: string; text?: string }[]

/**
 * Compares a pull of a kit of small files over HTTP with a downloader that checks nothing. The downloader writes either
 * only the bodies, or all the bytes that the pull writes, including modules and the cache. Also measures the same pull
 * again, without changes.
 */
export async function comparePulls(): Promise<void> {
  const rows = [
    [
      'assets',
      'requests at once',
      'first run : downloader of the same bytes',
      'first run : downloader of the files',
      'peak memory',
      'second run, without the start of Node',
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
 * Returns the sides. Each round uses its own folder, and no folder is removed before the last round, because ext4 is
 * slow to create files after others were removed.
 */
function sidesOf(service: Service, root: string, { assets, concurrency }: Case, memory: number[]): Side[] {
  const { url, spaceId, token, urls } = service
  let round = root
  const env = { CONTENT_SPACE_URL: url, CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: token, CI: '' }
  const pull = (): ReturnType<typeof runNode> =>
    runNode([printPeak, cli, 'pull', 'small', '--out', 'content', '--json', '--config', 'config.json'], round, {
      ...env,
      CONTENT_SPACE_CACHE: join(round, 'cache'),
    })
  const download = (folder: string, files: readonly FilesOfDownload[]): Promise<number> =>
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
        const { time, stdout, stderr } = await pull()
        const { downloads } = v.parse(v.object({ downloads: v.number() }), JSON.parse(stdout))
        if (downloads !== assets) throw new Error(`${downloads} downloads instead of ${assets}.`)
        memory.push(Number(stderr.trim()))
        return time
      },
    },
    { name: 'same bytes', run: async () => download('same', await filesOfDownloads(round, assets)) },
    { name: 'again', run: async () => (await pull()).time },
    { name: 'node', run: async () => (await runNode([printPeak, '--eval', '0'], root, env)).time },
  ]
}

/** Runs the bare downloader, and checks the number of files. */
async function downloadBare(
  { authorization, urls }: Service,
  folder: string,
  files: readonly FilesOfDownload[],
  concurrency: number,
): Promise<number> {
  const list = `${folder}.json`
  const downloads = urls.map((url, at) => ({ url, files: files[at] }))
  await writeFile(list, JSON.stringify({ authorization, downloads }))
  const { time } = await runNode([bareDownloader, list, folder, String(concurrency)], dirname(folder), {})
  const found = (await filesIn(folder)).length
  const expected = files.flat().length
  if (found !== expected) throw new Error(`${found} files instead of ${expected}.`)
  return time
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

/** Runs Node. Rejects if its exit code is not 0. */
async function runNode(
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
  const output = { stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }
  if (code !== 0) throw new Error(`node ${args.join(' ')} failed with exit code ${String(code)}:\n${output.stderr}`)
  return { time, ...output }
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

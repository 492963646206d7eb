import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blobName } from '../src/remote/names.js'
import { password, startRedis } from '../test/remote/support/engines.js'
import { writeSpace, type SpaceFolder } from '../test/support/space.js'
import { runBuild } from './builds.js'
import { inTurn, ratio, type Usage } from './compare.js'
import { startDistance } from './distance.js'
import { cli, runNode } from './process.js'
import type { Row, Scale } from './report.js'
import { startService, type Service } from './service.js'
import { compareUpdateBot } from './update-bot.js'

const names = Array.from({ length: 200 }, (_, at) => `file-${at}.bin`)
/** The size of each file in bytes. */
const size = 100 * 1024
/** Milliseconds to the service and back. */
const latency = 20
/** Milliseconds to an engine in the same network and back. */
const distance = 3
const rounds = { full: 9, quick: 1 }
const fromKit = `import brand from 'content-space:kit/brand'\nconsole.log(brand)\n`
const fromDisk = `${names.map((name, at) => `import file${at} from './${name}?url'\n`).join('')}
console.log([${names.map((_, at) => `file${at}`).join(', ')}])\n`
const lockName = 'content-space.lock.json'
const client = fileURLToPath(new URL('remote-client.js', import.meta.url))

/**
 * Compares runs on a new machine, which has a complete lockfile and an empty cache, with a bare Redis client that gets
 * the same files. All are processes that are measured from start to end. Folders are removed only at the end, because
 * ext4 creates files slowly after others have been removed: it doesn't reuse their inodes for five seconds.
 */
export async function compareRemote(scale: Scale): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'content-space-bench-'))
  const engine = await startRedis()
  const far = await startDistance(Number(new URL(engine.remote).port), distance)
  const files = Object.fromEntries(names.map((name) => [name, randomBytes(size)]))
  const space = await writeKit(files)
  const service = await startService(space.folder, latency)
  try {
    const url = new URL(engine.remote)
    url.port = String(far.port)
    const cache = { CONTENT_SPACE_REMOTE: url.href, CONTENT_SPACE_REMOTE_KEY: 'a-key-for-the-benchmark-of-caches' }
    const machine = await newMachine(folder, { 'content.js': fromKit })
    await sync({ ...machine, service, cache: { ...cache, CONTENT_SPACE_REMOTE_WRITE: '1' } })
    const lock = await readFile(join(machine.root, lockName), 'utf8')
    // `content` is the digest of a listing and not of a file.
    const blobs = [...lock.matchAll(/(?<!"content":")sha256-[A-Za-z0-9+/]{43}=/g)].map(([hash]) => blobName(hash))
    const next = () => newMachine(folder, { 'content.js': fromKit, [lockName]: lock })
    const sides = [
      { name: 'sync', run: () => withoutDownloads(service, async () => sync({ ...(await next()), service, cache })) },
      { name: 'build', run: () => withoutDownloads(service, async () => build({ ...(await next()), service, cache })) },
      { name: 'build, service', run: async () => build({ ...(await next()), service }) },
      { name: 'build, disk', run: async () => build(await newMachine(folder, { ...files, 'disk.js': fromDisk })) },
      {
        name: 'client',
        run: async () => {
          const { root } = await newMachine(folder, {})
          return runNode([client, url.href, password, root], { input: blobs.join('\n') })
        },
      },
    ]
    const measured = await inTurn('remote cache', sides, rounds[scale], true)
    const work = (what: string) => `${what} of ${names.length} files of 100 KiB, from Redis ${distance} ms away`
    return [
      {
        work: work('build with Vite'),
        against: 'a bare client that writes the files, and after it a build of them from disk',
        figures: [{ ...ratio(measured, 'build', ['client', 'build, disk']), target: 1.3 }],
      },
      {
        work: work('build with Vite'),
        against: `the same from the service, ${latency} ms away`,
        figures: [ratio(measured, 'build', 'build, service')],
      },
      {
        work: work('`sync`'),
        against: 'a bare client that writes the files',
        figures: [{ ...ratio(measured, 'sync', 'client'), target: 1.3 }],
      },
      ...(await compareUpdateBot(scale)),
    ]
  } finally {
    service.stop()
    far.close()
    await Promise.all([space.remove(), engine.stop(), rm(folder, { recursive: true })])
  }
}

/** A project, and a cache that doesn't exist yet. */
interface Machine {
  root: string
  cacheDir: string
}

async function newMachine(folder: string, files: Record<string, string | Uint8Array>): Promise<Machine> {
  const root = await mkdtemp(join(folder, 'project-'))
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(root, name), content)))
  return { root, cacheDir: join(root, 'cache') }
}

interface Run extends Machine {
  /** Undefined if the build imports the files from disk. */
  service?: Service
  /** Environment variables. */
  cache?: Record<string, string>
}

function sync({ root, cacheDir, service, cache = {} }: Run & { service: Service }): Promise<Usage> {
  const { space, spaceId, token } = service.options
  const env = { CONTENT_SPACE_URL: space, CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: token, ...cache }
  return runNode([cli(), 'sync', '--cache-dir', cacheDir], { cwd: root, env })
}

async function build({ root, cacheDir, service, cache = {} }: Run): Promise<Usage> {
  const options = service && { ...service.options, cacheDir, types: false, rateLimit: false }
  const usage = await runBuild('vite', root, service ? 'content.js' : 'disk.js', options, cache)
  const written = (await readdir(join(root, 'dist', 'assets'))).filter((name) => name.endsWith('.bin'))
  if (written.length !== names.length) throw new Error(`The build has written ${written.length} files.`)
  return usage
}

async function withoutDownloads(service: Service, run: () => Promise<Usage>): Promise<Usage> {
  await service.requests()
  const usage = await run()
  const downloads = (await service.requests()).filter((path) => path.includes('/download'))
  if (downloads.length > 0) throw new Error(`The service was asked for ${downloads.join(', ')}.`)
  return usage
}

/** Writes a space with a kit of files. */
function writeKit(files: Record<string, Uint8Array>): Promise<SpaceFolder> {
  const inFolder = (path: string) =>
    Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`brand/${path}/${name}`, bytes]))
  return writeSpace({
    'space.json': { space_id: 7, name: 'Bench' },
    'brand/kit.json': { name: 'Brand', use_version: 1, versions: [{ version: 1, folder: 'versions/1' }] },
    ...inFolder('Files'),
    ...inFolder('versions/1/Files'),
  })
}

import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import PQueue from 'p-queue'
import { createClient, RESP_TYPES } from 'redis'
import { createImporter, type Options } from 'unplugin-content-space'
import { blobName } from '../src/remote/names.js'
import { password, startRedis, type Engine } from '../test/remote/support/engines.js'
import { writeSpace, type SpaceFolder } from '../test/support/space.js'
import { inTurn, ratio, timed, type Usage } from './compare.js'
import { startDistance } from './distance.js'
import { cli, runNode } from './process.js'
import type { Row, Scale } from './report.js'
import { startService, type Service } from './service.js'

const files = 200
/** Bytes of one file. */
const size = 100 * 1024
/** Milliseconds. */
const latency = 20
/** Milliseconds to an engine in the same network and back. */
const distance = 3
const rounds = { full: 7, quick: 1 }
const key = 'a-key-for-the-benchmark'
const lockName = 'content-space.lock.json'

/**
 * Compares `sync` with an empty local cache from Redis with the same from a service, and with a bare client of Redis
 * that gets the same bytes, and either drops them or writes them to files.
 */
export async function compareRemote(scale: Scale): Promise<Row[]> {
  const engine = await startRedis()
  const space = await randomSpace()
  const service = await startService(space.folder, latency)
  const options: Options = { ...service.options, types: false, rateLimit: false }
  const remote: Options = { ...options, remote: engine.remote, remoteKey: key }
  try {
    const filled = await newProject()
    await sync(filled, { ...remote, remoteWrite: true })
    const lock = join(filled, lockName)
    const names = [...(await readFile(lock, 'utf8')).matchAll(/sha256-[A-Za-z0-9+/]{43}=/g)].map(([hash]) =>
      blobName(hash),
    )
    const cold = async (given: Options): Promise<Usage> => {
      const root = await newProject()
      await copyFile(lock, join(root, lockName))
      const usage = await timed(() => sync(root, given))
      await rm(root, { recursive: true })
      return usage
    }
    const sides = [
      { name: 'remote', run: () => cold(remote) },
      { name: 'service', run: () => cold(options) },
      { name: 'client', run: () => timed(() => getAll(engine, names)) },
      { name: 'client with files', run: () => inFolder((folder) => timed(() => getAll(engine, names, folder))) },
    ]
    const measured = await inTurn(sides, rounds[scale], true)
    const whole = await compareProcesses({ engine, service, options: remote, lock, names, rounds: rounds[scale] })
    await rm(filled, { recursive: true })
    const work = `\`sync\` of ${names.length} files of 100 KiB from Redis`
    return [
      { work, against: 'a bare client', figures: [{ now: ratio(measured, 'remote', 'client'), target: 1.3 }] },
      {
        work,
        against: 'a bare client that writes files',
        figures: [{ now: ratio(measured, 'remote', 'client with files') }],
      },
      { work, against: 'the service', figures: [{ now: ratio(measured, 'remote', 'service') }] },
      {
        work: `${work}, ${distance} ms away, as whole processes`,
        against: 'a bare client that writes files',
        figures: [{ now: whole, target: 1.3 }],
      },
    ]
  } finally {
    service.stop()
    await Promise.all([space.remove(), engine.stop()])
  }
}

interface Processes {
  engine: Engine
  service: Service
  options: Options
  /** Path of the lockfile. */
  lock: string
  names: readonly string[]
  rounds: number
}

/** Compares processes from their start to their end, with an engine at the distance of another machine. */
async function compareProcesses({ engine, service, options, lock, names, rounds: count }: Processes): Promise<number> {
  const far = await startDistance(Number(new URL(engine.remote).port), distance)
  const url = new URL(engine.remote)
  url.port = String(far.port)
  const { space, spaceId, token } = options
  const env = {
    CONTENT_SPACE_URL: String(space),
    CONTENT_SPACE_ID: String(spaceId),
    CONTENT_SPACE_TOKEN: String(token),
    CONTENT_SPACE_REMOTE: url.href,
    CONTENT_SPACE_REMOTE_KEY: key,
  }
  const runner = async (): Promise<Usage> => {
    const root = await newProject()
    await copyFile(lock, join(root, lockName))
    const usage = await runNode([cli, 'sync', '--cache-dir', join(root, 'cache')], { cwd: root, env })
    const asked = await service.requests()
    if (asked.length > 0) throw new Error(`sync has asked the service for ${asked.join(', ')}`)
    await rm(root, { recursive: true })
    return usage
  }
  const script = fileURLToPath(new URL('remote-client.js', import.meta.url))
  const client = () => inFolder((folder) => runNode([script, url.href, password, folder], { input: names.join('\n') }))
  // The rounds before have asked the service.
  await service.requests()
  try {
    const sides = [
      { name: 'sync', run: runner },
      { name: 'client', run: client },
    ]
    return ratio(await inTurn(sides, count, true), 'sync', 'client')
  } finally {
    far.close()
  }
}

const newFolder = () => mkdtemp(join(tmpdir(), 'content-space-bench-'))

async function newProject(): Promise<string> {
  const root = await newFolder()
  await writeFile(join(root, 'main.js'), `import brand from 'content-space:kit/brand'\nexport default brand\n`)
  return root
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await newFolder()
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function sync(root: string, options: Options): Promise<void> {
  const importer = await createImporter({ ...options, cacheDir: join(root, 'cache') }, { root, env: {} })
  await importer.sync()
  await importer.close()
}

/** Gets entries as somebody would with the client alone. */
async function getAll({ remote }: Engine, names: readonly string[], folder?: string): Promise<void> {
  const client = createClient({ url: remote, password }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
  await client.connect()
  const queue = new PQueue({ concurrency: 32 })
  await queue.addAll(
    names.map((name, at) => async () => {
      const bytes = await client.get(`content-space:${name}`)
      if (bytes?.length !== size) throw new Error(`${name} is missing`)
      if (folder !== undefined) await writeFile(join(folder, String(at)), bytes)
    }),
  )
  client.destroy()
}

/** Writes a space with a kit of random files. */
function randomSpace(): Promise<SpaceFolder> {
  const content = Object.fromEntries(
    Array.from({ length: files }, (_, at) => [`brand/Files/file-${at}.bin`, randomBytes(size)]),
  )
  const versions = Object.entries(content).map(([path, bytes]) => [path.replace('brand/', 'brand/versions/1/'), bytes])
  return writeSpace({
    'space.json': { space_id: 7, name: 'Bench' },
    'brand/kit.json': { name: 'Brand', use_version: 1, versions: [{ version: 1, folder: 'versions/1' }] },
    ...content,
    ...Object.fromEntries(versions),
  })
}

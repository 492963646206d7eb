import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import PQueue from 'p-queue'
import { createClient, RESP_TYPES } from 'redis'
import { createImporter, type Options } from 'unplugin-content-space'
import * as v from 'valibot'
import { blobName } from '../src/remote/names.js'
import { password, startRedis, type Engine } from '../test/remote/support/engines.js'
import { writeSpace } from '../test/support/space.js'
import { inTurn, printTable, ratio, timed } from './compare.js'

const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const files = 200
/** Bytes of one file. */
const size = 100 * 1024
/** Milliseconds. */
const latency = 20
const rounds = 7
const key = 'a-key-for-the-benchmark'
const lockName = 'content-space.lock.json'

const served = v.object({ url: v.string(), spaceId: v.number(), token: v.string() })

/**
 * Compares `sync` with an empty local cache from Redis with the same from a service, and with a bare client of Redis
 * that gets the same bytes, and either drops them or writes them to files.
 */
export async function compareRemote(): Promise<void> {
  const engine = await startRedis()
  const service = await startService()
  const options: Options = { ...service.options, types: false, rateLimit: false }
  const remote: Options = { ...options, remote: engine.remote, remoteKey: key }
  try {
    const filled = await newProject()
    await sync(filled, { ...remote, remoteWrite: true })
    const lock = join(filled, lockName)
    const names = [...(await readFile(lock, 'utf8')).matchAll(/sha256-[A-Za-z0-9+/]{43}=/g)].map(([hash]) =>
      blobName(hash),
    )
    const cold = async (given: Options): Promise<number> => {
      const root = await newProject()
      await copyFile(lock, join(root, lockName))
      const time = await timed(() => sync(root, given))
      await rm(root, { recursive: true })
      return time
    }
    const sides = [
      { name: 'remote', run: () => cold(remote) },
      { name: 'service', run: () => cold(options) },
      { name: 'client', run: () => timed(() => getAll(engine, names)) },
      { name: 'client with files', run: () => inFolder((folder) => timed(() => getAll(engine, names, folder))) },
    ]
    const measured = await inTurn(sides, rounds, true)
    printTable([
      ['files', 'remote : service', 'remote : bare client', 'remote : bare client that writes files'],
      [
        `${names.length} of 100 KiB`,
        ratio(measured, 'remote', 'service'),
        ratio(measured, 'remote', 'client'),
        ratio(measured, 'remote', 'client with files'),
      ],
    ])
    await rm(filled, { recursive: true })
  } finally {
    await service.stop()
    await engine.stop()
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

/** Serves the kit in a process of its own. */
async function startService() {
  const content = Object.fromEntries(
    Array.from({ length: files }, (_, at) => [`brand/Files/file-${at}.bin`, randomBytes(size)]),
  )
  const versions = Object.entries(content).map(([path, bytes]) => [path.replace('brand/', 'brand/versions/1/'), bytes])
  const space = await writeSpace({
    'space.json': { space_id: 7, name: 'Bench' },
    'brand/kit.json': { name: 'Brand', use_version: 1, versions: [{ version: 1, folder: 'versions/1' }] },
    ...content,
    ...Object.fromEntries(versions),
  })
  const args = [
    'serve',
    space.folder,
    '--port',
    '0',
    '--json',
    '--latency',
    String(latency),
    '--rate-limit',
    '100000/s',
  ]
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line]: unknown[] = await once(createInterface(child.stdout), 'line')
  const { url, spaceId, token } = v.parse(served, JSON.parse(String(line)))
  return {
    options: { space: url, spaceId, token },
    async stop() {
      child.kill()
      await space.remove()
    },
  }
}

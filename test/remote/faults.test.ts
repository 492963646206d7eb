import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from 'redis'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createImporter, type Options } from 'unplugin-content-space'
import { engineNames, startNginx, startRedis, type Engine } from './support/engines.js'
import { startS3 } from './support/s3.js'
import { startProxy, type Proxy } from './support/proxy.js'
import { key, type Built } from './support/runner.js'
import { lockOf, runner, serve, start } from './support/setup.js'

/** How many milliseconds longer a build may take than without a cache: 2 s, plus room for a busy machine. */
const delay = 10_000

interface Disturbed {
  engine: Engine
  proxy: Proxy
}

/** What happens to an engine in the middle of a build. */
const disturbances: Record<string, (one: Disturbed) => void> = {
  'is killed': ({ engine }) => engine.signal('SIGKILL'),
  'is stopped': ({ engine }) => engine.signal('SIGSTOP'),
  'answers with garbage': ({ proxy }) => proxy.garble(),
  'sends one byte at a time': ({ proxy }) => proxy.dribble(),
}

/** Puts a proxy in front of an engine. */
async function behindProxy(engine: Engine): Promise<Disturbed & { remote: string }> {
  const isS3 = engine.remote.startsWith('s3:')
  const url = new URL(isS3 ? (process.env['AWS_ENDPOINT_URL_S3'] ?? '') : engine.remote)
  const proxy = await startProxy(Number(url.port))
  onTestFinished(() => proxy.close())
  url.port = String(proxy.port)
  if (isS3) process.env['AWS_ENDPOINT_URL_S3'] = url.href.replace(/\/$/, '')
  return { engine, proxy, remote: isS3 ? engine.remote : url.href }
}

/** Returns an option that acts once when the kit has been loaded but its files haven't been read yet. */
function beforeFiles(act: () => void): Options {
  let done = false
  return {
    onProgress(event) {
      if (event.type !== 'kit' || done) return
      done = true
      act()
    },
  }
}

function expectRight(built: Built, output: Built['output'], time: number): void {
  expect(built.output).toEqual(output)
  expect(built.warnings.length).toBe(1)
  expect(built.warnings[0]).toMatch(/^The remote cache at \S+ /)
  expect(built.time).toBeLessThan(time + delay)
}

describe.each(engineNames)('%s', (name) => {
  test.each(Object.entries(disturbances))('a build is right when the engine %s', async (_, disturb) => {
    const service = await serve(24)
    const own = await runner(service.options, {})
    const { output, time } = await own.build()
    const disturbed = await behindProxy(await start(name))
    const { remote } = disturbed
    const first = await runner(service.options, { remote, remoteKey: key, remoteWrite: true }, await lockOf(own))
    expect((await first.build()).warnings).toEqual([])
    for (const remoteWrite of [false, true]) {
      const reader = await runner(service.options, { remote, remoteKey: key, remoteWrite }, await lockOf(own))
      const built = await reader.build(remoteWrite ? {} : beforeFiles(() => disturb(disturbed)))
      expectRight(built, output, time)
    }
  })

  test('a build is correct if nothing listens on the port', async () => {
    const service = await serve(6)
    const own = await runner(service.options, {})
    const { output, time } = await own.build()
    const engine = await start(name)
    await engine.stop()
    const other = await runner(service.options, { remote: engine.remote, remoteKey: key, remoteWrite: true })
    expectRight(await other.build(), output, time)
  })

  test('a build is right when credentials are wrong', async () => {
    const service = await serve(6)
    const own = await runner(service.options, {})
    const { output, time } = await own.build()
    const { remote } = await start(name)
    process.env['AWS_ACCESS_KEY_ID'] = 'wrong'
    const wrong = remote.replace(/:[^/@]+@/, ':wrong@')
    const other = await runner(service.options, { remote: wrong, remoteKey: key, remoteWrite: true })
    const built = await other.build()
    expectRight(built, output, time)
    expect(built.warnings[0]).toMatch(/WRONGPASS|HTTP status 40[13]/)
  })
})

async function withoutDatabase(): Promise<Engine> {
  const engine = await startRedis()
  return { ...engine, remote: `${engine.remote}/99` }
}

async function withoutCredentials(): Promise<Engine> {
  const engine = await startS3()
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: '', AWS_EC2_METADATA_DISABLED: 'true' })
  return engine
}

const refusing: [string, () => Promise<Engine>, RegExp][] = [
  ['full Redis', () => startRedis('--maxmemory', '1mb', '--maxmemory-policy', 'noeviction'), /OOM/],
  ['Redis that is a read-only replica', () => startRedis('--replicaof', '127.0.0.1', '9'), /READONLY/],
  ['full disk of nginx', () => startNginx('if ($request_method = PUT) { return 507; }'), /HTTP status 507/],
  ['read-only nginx', () => startNginx('limit_except GET { deny all; }'), /HTTP status 403/],
  ['full store of S3', () => startS3(true, 507), /HTTP status 507/],
  ['store of S3 that may only be read', () => startS3(true, 403), /HTTP status 403/],
  ['database that Redis does not have', withoutDatabase, /the error ERR/],
  ['store of S3 without credentials', withoutCredentials, /no AWS credentials are set/],
]

test.each(refusing)('a build is right and one warning explains why with a %s', async (_, engine, reason) => {
  const service = await serve(12)
  const own = await runner(service.options, {})
  const { output, time } = await own.build()
  const { remote } = await start(engine)
  const other = await runner(service.options, { remote, remoteKey: key, remoteWrite: true })
  const built = await other.build()
  expectRight(built, output, time)
  expect(built.warnings[0]).toMatch(reason)
})

const filled: [string, () => Promise<Engine>, string[], RegExp][] = [
  ['is full', () => startRedis('--maxmemory-policy', 'noeviction'), ['CONFIG', 'SET', 'maxmemory', '1mb'], /OOM/],
  ['becomes a read-only replica', startRedis, ['REPLICAOF', '127.0.0.1', '9'], /READONLY/],
]

test.each(filled)('a Redis that %s is read, although some files are missing', async (_, engine, command, reason) => {
  const service = await serve(14)
  const { remote } = await start(engine)
  const options: Options = { ...service.options, types: false, remote, remoteKey: key, remoteWrite: true }
  const first = await runner(service.options, options)
  await first.build()
  const client = createClient({ url: remote })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.destroy())
  for (const blob of await client.keys('content-space:v1/sha256/*'))
    if (/mark [0-5]</.test((await client.get(blob)) ?? '')) await client.del(blob)
  await client.sendCommand(command)
  const before = service.downloads().length
  const { root } = await runner(service.options, {}, await lockOf(first))
  const importer = await createImporter({ ...options, cacheDir: join(root, 'cache') }, { root, env: {} })
  onTestFinished(() => importer.close())
  // First the missing ones, then all.
  for (const count of [6, 12]) {
    const marks = Array.from({ length: count }, (_name, at) => `mark${at}`).join(', ')
    await writeFile(
      join(root, 'main.js'),
      `import { ${marks} } from 'content-space:kit/brand'\nconsole.log(${marks})\n`,
    )
    const { files, warnings } = await importer.sync()
    expect([files, warnings]).toEqual([count, [expect.stringMatching(reason)]])
    expect(service.downloads().length).toBe(before + 6)
  }
})

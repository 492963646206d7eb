import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { soon } from '../support/long.js'
import { project, type Project } from '../support/cli.js'
import { engineNames } from './support/engines.js'
import { brand, svg, type ServedSpace } from '../support/space.js'
import { key } from './support/runner.js'
import { runner, serve, start } from './support/setup.js'

const source = `import logos from 'content-space:section/brand/logos'
import photos from 'content-space:section/brand/photos?w=16&format=webp'
export default [logos, photos]
`

/** The variables that name a service. */
function environmentOf({ url, spaceId, token }: ServedSpace): Record<string, string> {
  return { CONTENT_SPACE_URL: url, CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: token }
}

async function newProject(env: Record<string, string>, files: Record<string, string> = {}): Promise<Project> {
  const made = await project({ 'main.ts': source, ...files }, env)
  onTestFinished(() => made.remove())
  return made
}

const lockOf = ({ root }: Project): Promise<string> => readFile(join(root, 'content-space.lock.json'), 'utf8')

test.each(engineNames)('push, ls --remote and pull with %s', async (name) => {
  const service = await serve(6)
  const engine = await start(name)
  const aws = Object.entries(process.env).filter(([variable]) => variable.startsWith('AWS_'))
  const env = {
    ...Object.fromEntries(aws.map(([variable, value = '']) => [variable, value])),
    ...environmentOf(service),
    CONTENT_SPACE_REMOTE_KEY: key,
  }
  const filled = await newProject(env)
  expect(await filled.run('sync')).toMatchObject({ code: 0 })
  const convert = ['--section', 'photos', '--query', 'w=16&format=webp', '--out', 'small']
  expect(await filled.run('pull', 'brand', ...convert)).toMatchObject({ code: 0 })
  const remote = { CONTENT_SPACE_REMOTE: engine.remote }
  const lock = await lockOf(filled)
  const reading = await newProject({ ...env, ...remote }, { 'content-space.lock.json': lock })
  const writing = await newProject({ ...env, ...remote, CONTENT_SPACE_REMOTE_WRITE: '1' })
  await writing.write({ 'content-space.lock.json': lock })
  const cache = ['--cache-dir', `${filled.root}/.cache`]
  const push = async () => (await writing.run('cache', 'push', '--json', ...cache)).stdout
  // 6 files and 2 conversions.
  expect(JSON.parse(await push())).toMatchObject({ moved: 8, present: 0, missing: 0 })
  expect(JSON.parse(await push())).toMatchObject({ moved: 0, present: 8, missing: 0 })
  const listed = await reading.run('cache', 'ls', '--remote')
  expect(listed.stdout).toMatch(/: 6 of 6 files of the lockfile/)
  if (name !== 'nginx') expect(listed.stdout).toMatch(/^file: 6 entries, .*\nconversion: 2 entries, /)
  const asked = service.requests.length
  expect((await reading.run('cache', 'pull')).stdout).toMatch(/: pulled 6 entries, 0 up to date\n/)
  expect((await reading.run('cache', 'pull')).stdout).toMatch(/: pulled 0 entries, 6 up to date\n/)
  await engine.stop()
  expect(await reading.run('sync', '--offline')).toMatchObject({ code: 0 })
  expect(service.requests.length).toBe(asked)
  expect(await reading.run('cache', 'ls', '--remote')).toMatchObject({ code: 1 })
  expect(await writing.run('cache', 'push', ...cache)).toMatchObject({ code: 1 })
})

test('ls --remote counts entries while runners share the rate limit', async () => {
  const service = await serve(4)
  const { remote } = await start('redis')
  const writing = await newProject({
    ...environmentOf(service),
    CONTENT_SPACE_REMOTE: remote,
    CONTENT_SPACE_REMOTE_KEY: key,
    CONTENT_SPACE_REMOTE_WRITE: '1',
  })
  expect(await writing.run('sync')).toMatchObject({ code: 0 })
  const listed = await writing.run('cache', 'ls', '--remote')
  expect(listed.stdout).toMatch(/^file: 4 entries, /)
  expect(listed.stderr).toBe('')
})

test('push says what is left out without a key', async () => {
  const service = await serve(4)
  const { remote } = await start('redis')
  const env = { ...environmentOf(service), CONTENT_SPACE_REMOTE: remote, CONTENT_SPACE_REMOTE_WRITE: '1' }
  const one = await newProject(env)
  expect(await one.run('sync')).toMatchObject({ code: 0 })
  expect((await one.run('cache', 'push')).stderr).toMatch(/Conversions were not pushed: .* remoteKey/)
  expect(await one.run('cache', 'pull')).toMatchObject({ code: 0, stderr: '' })
})

test.each([undefined, key])(
  'a machine with the files of two versions of a kit builds offline, key: %s',
  async (secret) => {
    const service = await serve(4)
    const versions = [1, 2].map((version) => ({ version, folder: `versions/${version}` }))
    await service.space.write({
      'brand/kit.json': { uuid: brand.uuid, name: 'Brand', use_version: 1, versions },
      ...Object.fromEntries(
        [1, 2].flatMap((version) => [
          [`brand/versions/${version}/Logos/mark-0.svg`, svg(`mark of version ${version}`)],
          [`brand/versions/${version}/Logos/mark-0.json`, { uuid: '237C41F2-AAAA-4BBB-8CCC-000000000001' }],
        ]),
      ),
    })
    const { remote } = await start('redis')
    const env = {
      ...environmentOf(service),
      CONTENT_SPACE_REMOTE: remote,
      ...(secret !== undefined && { CONTENT_SPACE_REMOTE_KEY: secret }),
    }
    const imports =
      "import { mark0 } from 'content-space:kit/brand'\nimport { mark0 as other } from 'content-space:kit/brand@2'\n"
    const files = { 'main.ts': `${imports}console.log(mark0, other)\n` }
    const first = await newProject({ ...env, CONTENT_SPACE_REMOTE: '' }, files)
    expect(await first.run('sync')).toMatchObject({ code: 0 })
    const lock = await lockOf(first)
    expect(lock.match(/"original":"sha256-/g)).toHaveLength(2)
    const cache = ['--cache-dir', `${first.root}/.cache`]
    const writing = await newProject({ ...env, CONTENT_SPACE_REMOTE_WRITE: '1' }, { 'content-space.lock.json': lock })
    expect(JSON.parse((await writing.run('cache', 'push', '--json', ...cache)).stdout)).toMatchObject({
      // Conversions, such as the two pictures in the declarations, are pushed only if they can be signed.
      moved: secret === undefined ? 2 : 4,
      missing: 0,
    })
    const second = await newProject(env, { ...files, 'content-space.lock.json': lock })
    expect((await second.run('cache', 'ls', '--remote')).stdout).toMatch(/: 2 of 2 files of the lockfile/)
    expect((await second.run('cache', 'pull')).stdout).toMatch(/: pulled 2 entries, 0 up to date\n/)
    const asked = service.requests.length
    expect(await second.run('sync', '--offline', '--frozen')).toMatchObject({ code: 0, stderr: '' })
    for (const version of [1, 2]) {
      const flags = ['--asset', 'mark-0', '--out', `out/${version}`, '--offline', '--frozen']
      expect(await second.run('pull', `brand@${version}`, ...flags)).toMatchObject({ code: 0 })
      const written = await readFile(join(second.root, `out/${version}/logos/mark-0.svg`), 'utf8')
      expect(written).toBe(svg(`mark of version ${version}`))
    }
    expect(service.requests).toHaveLength(asked)
  },
)

test('push replaces what is signed with another key', async () => {
  const service = await serve(6)
  const { remote } = await start('redis')
  const env = {
    ...environmentOf(service),
    CONTENT_SPACE_REMOTE: remote,
    CONTENT_SPACE_REMOTE_KEY: key,
    CONTENT_SPACE_REMOTE_WRITE: '1',
  }
  const writing = await newProject(env)
  expect(await writing.run('sync')).toMatchObject({ code: 0 })
  const convert = ['--section', 'photos', '--query', 'w=16&format=webp', '--out', 'small']
  expect(await writing.run('pull', 'brand', ...convert)).toMatchObject({ code: 0 })
  const lock = await lockOf(writing)
  const other = { ...env, CONTENT_SPACE_REMOTE_KEY: 'another key of the remote cache of tests' }
  const renewing = await newProject(other, { 'content-space.lock.json': lock })
  const push = async () =>
    JSON.parse((await renewing.run('cache', 'push', '--json', '--cache-dir', `${writing.root}/.cache`)).stdout)
  expect(await push()).toMatchObject({ moved: 2, present: 6, missing: 0 })
  expect(await push()).toMatchObject({ moved: 0, present: 8, missing: 0, warnings: [] })
  const asked = service.requests.length
  const reading = await newProject({ ...other, CONTENT_SPACE_REMOTE_WRITE: '' }, { 'content-space.lock.json': lock })
  expect(await reading.run('sync', '--frozen')).toMatchObject({ code: 0, stderr: '' })
  expect(await reading.run('pull', 'brand', ...convert)).toMatchObject({ code: 0 })
  expect(service.requests.length).toBe(asked)
})

test('a job without secrets builds from the local cache of a job that could read the remote one', async () => {
  const service = await serve(6)
  const { remote } = await start('redis')
  const writing = await runner(service.options, { remote, remoteKey: key, remoteWrite: true })
  const { output } = await writing.build()
  const lock = await readFile(join(writing.root, 'content-space.lock.json'), 'utf8')
  const reading = await runner(service.options, { remote, remoteKey: key }, lock)
  await reading.build()
  const asked = service.requests.length
  const { token: _, ...withoutToken } = service.options
  const fork = await runner(withoutToken, { cacheDir: join(reading.root, 'cache') }, lock)
  await expect(fork.build()).rejects.toThrow(/ requires a token\.\nSet CONTENT_SPACE_TOKEN, /)
  expect((await fork.build({ offline: true, frozen: true })).output).toEqual(output)
  expect(service.requests.length).toBe(asked)
})

/** Starts a service that lists dates of files, but no hashes. */
async function listDates({ url }: { url: string }): Promise<string> {
  const server = createServer((request, response) => {
    const { authorization = '' } = request.headers
    void fetch(`${url}${request.url}`, { headers: { authorization } }).then(async (answer) => {
      const body = Buffer.from(await answer.arrayBuffer())
      const type = answer.headers.get('content-type') ?? ''
      const date = '"file_updated":"2026-01-02T03:04:05Z"'
      response.writeHead(answer.status, { 'content-type': type })
      response.end(type.includes('json') ? body.toString().replaceAll(/"file_hash": ?"[^"]*"/g, date) : body)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

test("a build uses what pull has fetched from a service that doesn't list hashes", async () => {
  const service = await serve(6)
  const engine = await start('redis')
  const env = {
    ...environmentOf(service),
    CONTENT_SPACE_URL: await listDates(service),
    CONTENT_SPACE_REMOTE: engine.remote,
    CONTENT_SPACE_REMOTE_KEY: key,
  }
  const writing = await newProject({ ...env, CONTENT_SPACE_REMOTE_WRITE: '1' })
  expect(await writing.run('sync')).toMatchObject({ code: 0 })
  const lock = await lockOf(writing)
  expect(lock).not.toContain('file_hash')
  const reading = await newProject(env, { 'content-space.lock.json': lock })
  expect((await reading.run('cache', 'pull')).stdout).toContain(': pulled 6 entries, 0 up to date\n')
  await engine.stop()
  const asked = service.requests.length
  expect(await reading.run('sync', '--frozen')).toMatchObject({ code: 0 })
  expect(service.requests.length).toBe(asked)
})

/** Starts a cache that answers slowly and counts its concurrent requests. */
async function startSlowCache() {
  const entries = new Map<string, Buffer>()
  let [now, most] = [0, 0]
  async function answer({ method, url = '' }: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    await wait(100)
    now--
    if (method === 'PUT') entries.set(url, body)
    const found = entries.get(url)
    response.statusCode = found ? 200 : 404
    response.end(method === 'GET' ? found : undefined)
  }
  const server = createServer((request, response) => {
    most = Math.max(most, ++now)
    void buffer(request).then((body) => answer(request, response, body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    remote: `http://127.0.0.1:${address.port}/`,
    /** Ends the server while requests are being answered. */
    kill() {
      server.close()
      server.closeAllConnections()
    },
    size: () => entries.size,
    /** Returns the largest number of concurrent requests since the last call. */
    most() {
      const result = most
      most = 0
      return result
    },
  }
}

test('push, ls --remote and pull send several requests at once, and not more than option concurrency', async () => {
  const count = 24
  const service = await serve(count)
  const cache = await startSlowCache()
  const env = {
    ...environmentOf(service),
    CONTENT_SPACE_REMOTE: cache.remote,
    CONTENT_SPACE_REMOTE_KEY: key,
  }
  const config = { 'content-space.config.json': JSON.stringify({ concurrency: 6 }) }
  const filled = await newProject({ ...env, CONTENT_SPACE_REMOTE: '' }, config)
  expect(await filled.run('sync')).toMatchObject({ code: 0 })
  const lock = await lockOf(filled)
  const files = { ...config, 'content-space.lock.json': lock }
  const writing = await newProject({ ...env, CONTENT_SPACE_REMOTE_WRITE: '1' }, files)
  const reading = await newProject(env, files)
  const cacheDir = ['--cache-dir', `${filled.root}/.cache`]
  const pushed = await writing.run('cache', 'push', '--json', ...cacheDir)
  expect([JSON.parse(pushed.stdout), cache.most()]).toMatchObject([{ moved: count, present: 0, missing: 0 }, 6])
  const listed = await reading.run('cache', 'ls', '--remote', '--json')
  expect([JSON.parse(listed.stdout), cache.most()]).toMatchObject([{ locked: { files: count, present: count } }, 6])
  const pulled = await reading.run('cache', 'pull', '--json')
  expect([JSON.parse(pulled.stdout), cache.most()]).toMatchObject([{ moved: count, present: 0, missing: 0 }, 6])
})

test('push fails and explains why when the cache ends in the middle of it, or rejects the password', async () => {
  const service = await serve(24)
  const env = {
    ...environmentOf(service),
  }
  const config = { 'content-space.config.json': JSON.stringify({ concurrency: 2 }) }
  const filled = await newProject(env)
  expect(await filled.run('sync')).toMatchObject({ code: 0 })
  const lock = await lockOf(filled)
  const push = async (remote: string) => {
    const given = { ...env, CONTENT_SPACE_REMOTE: remote, CONTENT_SPACE_REMOTE_WRITE: '1' }
    const writing = await newProject(given, { ...config, 'content-space.lock.json': lock })
    return writing.run('cache', 'push', '--cache-dir', `${filled.root}/.cache`)
  }
  const cache = await startSlowCache()
  const pushing = push(cache.remote)
  await vi.waitUntil(() => cache.size() > 2, soon)
  cache.kill()
  const ended = await pushing
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(
    /The remote cache at \S+ cannot be used\. The reason: (?:ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET)\./,
  )
  const { remote } = await start('redis')
  const refused = await push(remote.replace(/:[^/@]+@/, ':wrong@'))
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('The reason: it responded with the error WRONGPASS.')
})

test('pull warns about an entry that is damaged, and does not bring it', async () => {
  const service = await serve(6)
  const engine = await start('nginx')
  const env = {
    ...environmentOf(service),
    CONTENT_SPACE_REMOTE: engine.remote,
    CONTENT_SPACE_REMOTE_KEY: key,
  }
  const writing = await newProject({ ...env, CONTENT_SPACE_REMOTE_WRITE: '1' })
  expect(await writing.run('sync')).toMatchObject({ code: 0 })
  const all = await readdir(join(engine.folder, 'v1', 'sha256'), { recursive: true, withFileTypes: true })
  const [first] = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  await writeFile(first ?? '', 'poisoned')
  const lock = await lockOf(writing)
  const reading = await newProject(env, { 'content-space.lock.json': lock })
  const { stdout, stderr } = await reading.run('cache', 'pull')
  expect(stdout).toMatch(/: pulled 5 entries, 0 up to date, 1 not in the remote cache\n/)
  expect(stderr).toContain('has entries that are damaged or not signed with this key. They are ignored.')
})

test('push needs remoteWrite, and each needs a remote', async () => {
  const service = await serve(3)
  const env = {
    ...environmentOf(service),
  }
  const without = await newProject(env)
  for (const args of [['push'], ['pull'], ['ls', '--remote']]) {
    const { code, stderr } = await without.run('cache', ...args)
    expect(code).toBe(1)
    expect(stderr).toContain('CONTENT_SPACE_REMOTE')
  }
  const reading = await newProject({ ...env, CONTENT_SPACE_REMOTE: 'http://127.0.0.1:9/' })
  const { code, stderr } = await reading.run('cache', 'push')
  expect(code).toBe(1)
  expect(stderr).toContain('CONTENT_SPACE_REMOTE_WRITE=1')
})

test('each fails if nothing listens, even without a lockfile', async () => {
  const service = await serve(3)
  const reading = await newProject({
    ...environmentOf(service),
    CONTENT_SPACE_REMOTE: 'http://:secret-of-the-cache@127.0.0.1:9/',
    CONTENT_SPACE_REMOTE_WRITE: '1',
  })
  for (const args of [['push'], ['pull'], ['ls', '--remote']]) {
    const { code, stderr } = await reading.run('cache', ...args)
    expect([args, code]).toEqual([args, 1])
    expect(stderr).toContain('The remote cache at http://127.0.0.1:9/ cannot be used.')
    expect(stderr).not.toContain('secret-of-the-cache')
  }
})

test('push to a server that redirects names the address to set', async () => {
  const moved = createServer((_, response) => response.writeHead(301, { location: 'http://127.0.0.1:9/' }).end())
  moved.listen(0, '127.0.0.1')
  await once(moved, 'listening')
  onTestFinished(() => void moved.close())
  const address = moved.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const writing = await newProject({
    ...environmentOf(await serve(3)),
    CONTENT_SPACE_REMOTE: `http://127.0.0.1:${address.port}/`,
    CONTENT_SPACE_REMOTE_WRITE: '1',
  })
  const { code, stderr } = await writing.run('cache', 'push')
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/it redirects with HTTP status 301\.\nhint: Set option remote to the address .*\n$/),
  ])
})

test('push to Redis names the address with and without TLS', async () => {
  const writing = await newProject({
    ...environmentOf(await serve(3)),
    CONTENT_SPACE_REMOTE: 'rediss://127.0.0.1:9',
    CONTENT_SPACE_REMOTE_WRITE: '1',
  })
  const { code, stderr } = await writing.run('cache', 'push')
  expect([code, stderr]).toEqual([1, expect.stringContaining('(rediss: with TLS, redis: without)')])
})

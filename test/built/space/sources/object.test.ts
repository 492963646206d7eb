import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openEngine } from '../../../../src/engine/engine.js'
import { createImporter } from '../../../../src/importer.js'
import { defineSource, type Source, type SourceKit } from '../../../../src/space/sources/source.js'
import type { Options } from '../../../../src/config/options.js'
import { svg } from '../../../support/space.js'

let root: string
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'content-space-object-'))))
afterEach(() => rm(root, { recursive: true, force: true }))

const host = () => ({ root, mode: 'production', env: {} })
const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** Returns a source in memory that counts its calls. */
function inMemory(files: Record<string, string>, more: Partial<Source> = {}) {
  const state = { files, revision: 'r1', calls: { revision: 0, list: 0, read: 0 } }
  const source = defineSource({
    name: 'memory',
    async revision() {
      state.calls.revision++
      return state.revision
    },
    async list() {
      state.calls.list++
      const assets = Object.entries(state.files).map(([id, text]) => {
        const [section, name = ''] = id.split('/')
        return { id, name, type: 'SVG', section: section ?? '', hash: md5(text), size: Buffer.byteLength(text) }
      })
      return { name: 'Memory Icons', assets }
    },
    async read({ id }) {
      state.calls.read++
      return Buffer.from(state.files[id] ?? '')
    },
    ...more,
  })
  return { source, state }
}

async function importing<T>(
  source: Source,
  work: (importer: Awaited<ReturnType<typeof createImporter>>) => Promise<T>,
  more: Options = {},
  update?: Parameters<typeof createImporter>[2],
): Promise<T> {
  const options = { kits: { ui: { source } }, cacheDir: join(root, 'cache'), ...more }
  const importer = await createImporter(options, host(), update)
  try {
    return await work(importer)
  } finally {
    await importer.close()
  }
}

async function textOf(source: Source, specifier: string, more: Options = {}): Promise<string> {
  const engine = await openEngine({ kits: { ui: { source } }, cacheDir: join(root, 'cache'), ...more }, host())
  try {
    const request = engine.parse(specifier)
    const plan = request.kind === 'asset' ? await engine.modules.address(request) : undefined
    return Buffer.from(plan?.src ? await engine.files.bytes(plan.src) : []).toString()
  } finally {
    await engine.close()
  }
}

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

const lockOf = async () => JSON.parse(await readFile(join(root, 'content-space.lock.json'), 'utf8'))
const uses = "import { save } from 'content-space:kit/ui'"

describe('a source with a revision', () => {
  test('is locked under its text, and a build with a complete lockfile only reads', async () => {
    await write({ 'src/main.js': uses })
    const { source, state } = inMemory({ 'Files/save': svg('save'), 'Files/open': svg('open') })
    expect((await importing(source, (importer) => importer.sync())).refusals).toEqual([])
    const [kit] = Object.values<Record<string, unknown>>((await lockOf()).kits)
    expect(kit).toMatchObject({ name: 'Memory Icons', space: 'memory', use: 'r1', versions: { r1: { label: 'r1' } } })
    await rm(join(root, 'cache'), { recursive: true })
    Object.assign(state.calls, { revision: 0, list: 0, read: 0 })
    expect(await textOf(source, 'content-space:asset/ui/save', { frozen: true })).toContain('<title>save</title>')
    expect(state.calls).toEqual({ revision: 0, list: 0, read: 1 })
  })

  test('changes by an update, which diff shows', async () => {
    await write({ 'src/main.js': uses })
    const { source, state } = inMemory({ 'Files/save': svg('save') })
    await importing(source, (importer) => importer.sync())
    Object.assign(state, { revision: 'r2', files: { 'Files/save': svg('saved'), 'Files/new': svg('new') } })
    expect(await textOf(source, 'content-space:asset/ui/save')).toContain('<title>save</title>')
    expect(await importing(source, (importer) => importer.diff({ kit: 'ui' }))).toMatchObject({
      added: [{ name: 'new' }],
    })
    await importing(source, (importer) => importer.sync(), {}, { kit: 'ui', rename: false })
    expect(Object.keys(Object.values<{ versions: object }>((await lockOf()).kits)[0]?.versions ?? {})).toEqual(['r2'])
    expect(await textOf(source, 'content-space:asset/ui/save', { frozen: true })).toContain('<title>saved</title>')
  })

  test.each(['r2', '2'])('is answered by the lockfile when the source has left it for %s', async (revision) => {
    await write({ 'src/main.js': uses })
    const { source, state } = inMemory({ 'Files/save': svg('save'), 'Files/open': svg('open') })
    state.revision = revision === '2' ? '1' : 'r1'
    await importing(source, (importer) => importer.sync())
    const declared = () => readFile(join(root, 'src/content-space.d.ts'), 'utf8')
    const [lock, declarations] = [await lockOf(), await declared()]
    Object.assign(state, { revision, files: { ...state.files, 'Files/open': svg('opened') } })
    await rm(join(root, 'cache'), { recursive: true })
    const { refusals, warnings } = await importing(source, (importer) => importer.sync())
    expect([refusals, await lockOf(), await declared()]).toEqual([[], lock, declarations])
    expect(warnings).toEqual([expect.stringMatching(/is no longer at revision .*`npx content-space update/)])
    await rm(join(root, 'cache'), { recursive: true })
    for (const frozen of [false, true])
      expect(await importing(source, (importer) => importer.verify(), { frozen })).toEqual([])
  })

  test('names the update where an import needs a revision that is gone', async () => {
    await write({ 'src/main.js': uses })
    const { source, state } = inMemory({ 'Files/save': svg('save'), 'Files/open': svg('open') })
    await importing(source, (importer) => importer.sync())
    state.revision = 'r2'
    await rm(join(root, 'cache'), { recursive: true })
    await write({ 'src/main.js': uses.replace('save', 'save, open') })
    const { refusals } = await importing(source, (importer) => importer.sync())
    expect(refusals[0]).toMatchObject({
      code: 'versionNotFound',
      reason: expect.stringMatching(/no longer at revision r1, .* `npx content-space update memory-icons`/),
    })
  })

  test('shows only the files that it has changed, even if it lists no hashes', async () => {
    await write({ 'src/main.js': uses.replace('save', 'save, open') })
    const { source, state } = inMemory(
      { 'Files/save': svg('save'), 'Files/open': svg('open'), 'Files/new': svg('new') },
      {
        list: async () => ({
          name: 'Icons',
          assets: Object.keys(state.files).map((id) => ({ id, name: id.slice(6), type: 'SVG' })),
        }),
      },
    )
    const update = { kit: 'ui', rename: false }
    await importing(source, (importer) => importer.sync())
    state.revision = 'r2'
    expect(await importing(source, (importer) => importer.diff())).toMatchObject({ added: [], changed: [] })
    expect((await importing(source, (importer) => importer.sync(), {}, update)).changes?.changed).toEqual([])
    Object.assign(state, { revision: 'r3', files: { ...state.files, 'Files/open': svg('opened') } })
    expect((await importing(source, (importer) => importer.diff())).changed).toEqual([])
    const changed = [expect.objectContaining({ name: 'open' })]
    expect((await importing(source, (importer) => importer.diff({ download: true }))).changed).toEqual(changed)
    expect((await importing(source, (importer) => importer.sync(), {}, update)).changes?.changed).toEqual(changed)
    expect(await textOf(source, 'content-space:asset/ui/open', { frozen: true })).toContain('<title>opened</title>')
  })

  test('is listed once for a revision, also by later runs', async () => {
    const { source, state } = inMemory({ 'Files/save': svg('save') })
    await importing(source, (importer) => importer.kit('ui'))
    await importing(source, (importer) => importer.kit('ui'))
    expect(state.calls).toMatchObject({ list: 1 })
  })

  test('fails where read and list differ, without locking anything', async () => {
    await write({ 'src/main.js': uses })
    const { source } = inMemory({ 'Files/save': svg('save') }, { read: async () => Buffer.from(svg('evil')) })
    const error: unknown = await importing(source, (importer) => importer.sync()).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'integrity' })
    for (const fact of ['Source memory', '"Files/save"', md5(svg('evil')), md5(svg('save')), 'src/main.js'])
      expect(String(error)).toContain(fact)
    await expect(lockOf()).rejects.toThrow('ENOENT')
  })

  test('verifies a file by the lockfile', async () => {
    await write({ 'src/main.js': uses })
    const { source, state } = inMemory({ 'Files/save': svg('save') })
    await importing(source, (importer) => importer.sync())
    await rm(join(root, 'cache'), { recursive: true })
    state.files = { 'Files/save': svg('evil') }
    await expect(textOf(source, 'content-space:asset/ui/save', { frozen: true })).rejects.toMatchObject({
      code: 'integrity',
    })
  })
})

test("a source without a revision floats and doesn't need hashes", async () => {
  await write({ 'src/main.js': uses })
  const files = { save: svg('save') }
  const source = defineSource({
    name: 'floating',
    list: async () => ({ name: 'Icons', assets: [{ id: 'save', name: 'save', type: 'SVG' }] }),
    read: async () => new Response(files.save).body ?? new Uint8Array(),
  })
  await importing(source, (importer) => importer.sync())
  files.save = svg('changed')
  expect(await textOf(source, 'content-space:asset/ui/save', { offline: true })).toContain('changed')
})

const kitWith = (more: object): SourceKit => ({
  name: 'Kit',
  assets: [Object.assign({ id: 'a', name: 'A', type: 'SVG', hash: md5('') }, more)],
})
const twice: SourceKit = { name: 'Kit', assets: [...kitWith({}).assets, ...kitWith({}).assets] }

describe('what a source returns', () => {
  const cases: [string, Partial<Source>, RegExp][] = [
    ['no kit', { list: async () => Object.assign(Object.create(null)) }, /list\(\): `name` is missing/],
    [
      'an asset without a type',
      { list: async () => kitWith({ type: undefined }) },
      /`assets\.0\.type` of "a" is missing/,
    ],
    [
      'a wrong hash',
      { list: async () => kitWith({ hash: 'etag' }) },
      /`assets\.0\.hash` of "a" must be an md5, sha1 or sha256/,
    ],
    ['a wrong color', { list: async () => kitWith({ type: 'COLOR', color: 'blurple' }) }, /`assets\.0\.color` must be/],
    ['two assets with one id', { list: async () => twice }, /`assets\.1\.id` is "a", which another asset also has/],
    ["a revision that isn't a text", { revision: async () => Object(7) }, /revision\(\): the result must be/],
  ]
  test.each(cases)('is checked like an answer of a service: %s', async (_, more, message) => {
    const { source } = inMemory({}, more)
    await expect(importing(source, (importer) => importer.kit('ui'))).rejects.toMatchObject({
      code: 'invalidResponse',
      message: expect.stringMatching(new RegExp(`Source memory returned an invalid value from .*${message.source}`)),
    })
  })

  test('may be an error, which has the name and the cause', async () => {
    const cause = new TypeError('the design file is closed')
    const { source } = inMemory({}, { list: () => Promise.reject(cause) })
    const error: unknown = await importing(source, (importer) => importer.kit('ui')).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'sourceFailed', cause })
    expect(String(error)).toContain('Source memory failed in list(): the design file is closed.')
  })
})

const never = () => new Promise<never>(() => {})

describe('a source that does nothing', () => {
  const silent = async () => new ReadableStream<Uint8Array>({ pull: never })
  const cases: [string, Partial<Source>, string][] = [
    ['revision', { revision: never }, 'revision'],
    ['list', { list: never }, 'list'],
    ['read', { read: never }, 'read'],
    ['read, in its stream', { read: silent }, 'read'],
  ]
  test.each(cases)('fails after the time of option timeout: %s', async (_, more, method) => {
    const { source } = inMemory({ 'Files/save': svg('save') }, more)
    await expect(textOf(source, 'content-space:asset/ui/save', { timeout: 50 })).rejects.toMatchObject({
      code: 'sourceFailed',
      message: expect.stringContaining(`Source memory failed in ${method}(): it did nothing for 1 s`),
    })
  })

  test('has the time that its requests take', async () => {
    const slow = createServer((_, response) => {
      response.write('K')
      void (async () => {
        for (const part of ['i', 't']) {
          await wait(250)
          response.write(part)
        }
        response.end()
      })()
    })
    await new Promise<void>((done) => void slow.listen(0, '127.0.0.1', done))
    const bound = slow.address()
    const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`
    // Each file waits for the first file's request, as in sources that request many files at once.
    let asked: Promise<unknown> | undefined
    const { source } = inMemory(
      { 'Files/save': svg('save'), 'Files/open': svg('open') },
      {
        async read({ id }, { fetch }) {
          await (asked ??= fetch(url).then((response) => response.text()))
          return Buffer.from(svg(id))
        },
        list: async () => ({ name: 'Kit', assets: ['a', 'b'].map((id) => ({ id, name: id, type: 'SVG' })) }),
      },
    )
    await write({ 'src/main.js': "import { a, b } from 'content-space:kit/ui'" })
    expect((await importing(source, (importer) => importer.sync(), { timeout: 400 })).refusals).toEqual([])
    await new Promise((done) => slow.close(done))
  })
})

async function serve(
  answer: (request: IncomingMessage, at: number) => { status: number; body?: string; location?: string },
) {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    const { status, body = '', location } = answer(request, seen.push(request) - 1)
    response.writeHead(status, { ...(location && { location }), 'retry-after': '0' }).end(body)
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const bound = server.address()
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`
  return { url, seen, close: () => new Promise((done) => server.close(done)) }
}

const listing = (url: string, headers: Record<string, string> = {}): Source => ({
  name: 'remote',
  async list({ fetch }) {
    const response = await fetch(url, { headers })
    if (!response.ok) throw new Error(`status ${response.status} for ${JSON.stringify(headers)}`)
    return { name: await response.text(), assets: [] }
  },
  read: async () => new Uint8Array(),
})

describe('the fetch of a source', () => {
  test('retries, and then returns the last response', async () => {
    const flaky = await serve((_, at) => (at < 2 ? { status: at === 0 ? 429 : 503 } : { status: 200, body: 'Kit' }))
    expect((await importing(listing(flaky.url), (importer) => importer.kit('ui'))).name).toBe('Kit')
    expect(flaky.seen).toHaveLength(3)
    await flaky.close()
  })

  test('never shows a credential, and sends it to no other origin', async () => {
    const other = await serve(() => ({ status: 404 }))
    const first = await serve(() => ({ status: 302, location: `${other.url}/moved` }))
    const source = listing(first.url, { 'X-Design-Token': 'canary-of-the-design', accept: 'text/plain' })
    const error: unknown = await importing(source, (importer) => importer.kit('ui')).catch((caught: unknown) => caught)
    expect(inspect(error, { depth: 9 })).not.toContain('canary')
    expect(error).toMatchObject({ code: 'sourceFailed', message: expect.stringContaining('[secret]') })
    expect(first.seen[0]?.headers['x-design-token']).toBe('canary-of-the-design')
    expect(other.seen[0]?.headers).toMatchObject({ accept: 'text/plain' })
    expect(JSON.stringify(other.seen.map(({ headers }) => headers))).not.toContain('canary')
    await Promise.all([first.close(), other.close()])
  })

  test('opens no socket offline, and rejects plain http to other machines', async () => {
    const server = await serve(() => ({ status: 200, body: 'Kit' }))
    const offline = importing(listing(server.url), (importer) => importer.kit('ui'), { offline: true })
    await expect(offline).rejects.toMatchObject({ code: 'offline' })
    expect(server.seen).toEqual([])
    await expect(importing(listing('http://10.0.0.1/'), (importer) => importer.kit('ui'))).rejects.toMatchObject({
      code: 'invalidOption',
    })
    await server.close()
  })
})

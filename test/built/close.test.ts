import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { FileDescriptor } from '../../src/files/plan.js'
import { finish, readFile } from '../../src/engine/build.js'
import { openEngine } from '../../src/engine/engine.js'
import { createImporter, type Importer } from '../../src/importer.js'
import { answer, faultServer } from '../support/fault-server.js'
import { serveSpace, svg, writeSpace } from '../support/space.js'

test('closing an importer first aborts its downloads, and then waits for the remote cache', async () => {
  const space = await writeSpace({
    'space.json': { space_id: 7 },
    'brand/kit.json': { name: 'Brand' },
    'brand/Logos/first.svg': svg('first'),
    'brand/Logos/second.svg': svg('second'),
  })
  const service = await serveSpace(space.folder, { faults: [{ with: 'stall', on: 'download', every: 2 }] })
  /** Requests to write an entry that haven't been answered yet. */
  const writes: ServerResponse[] = []
  const remote = await faultServer((response, request, at) => {
    if (request.method === 'PUT') writes.push(response)
    else answer(404, '')(response, request, at)
  })
  const root = await mkdtemp(join(tmpdir(), 'content-space-close-'))
  onTestFinished(async () => {
    await Promise.all([service.close(), remote.close()])
    await Promise.all([rm(root, { recursive: true, force: true }), space.remove()])
  })

  const options = {
    ...service.options,
    remote: `${remote.url}/`,
    remoteKey: 'a-key-of-the-remote-cache-of-this-test',
    remoteWrite: true,
  }
  const engine = await openEngine({ ...options, cacheDir: 'cache', lockfile: false }, { root, env: {} })
  const files: FileDescriptor[] = []
  await engine.modules.source(engine.parse('content-space:kit/brand'), {
    layout: 'flat',
    address(file) {
      files.push(file)
      return { code: '""' }
    },
    value: async () => ({ code: '""' }),
  })
  const [first, second] = files
  if (!first || !second) throw new Error('a file is missing')
  await readFile(engine, first)
  const pending = readFile(engine, second)
  await expect.poll(() => [writes.length, service.downloads().length]).toEqual([1, 2])
  const closing = engine.close()
  await expect(pending).rejects.toMatchObject({ code: 'aborted' })
  // The blob, and then the line that refers to it.
  writes[0]?.writeHead(201).end()
  await expect.poll(() => writes.length).toBe(2)
  writes[1]?.writeHead(201).end()
  await closing
  expect((await finish(engine)).warnings).toEqual([])
})

/** A valid call of each method, for a space with a kit `brand`. */
const calls: Record<Exclude<keyof Importer, 'close'>, (importer: Importer) => Promise<unknown>> = {
  kits: (importer) => importer.kits(),
  kit: (importer) => importer.kit('brand'),
  versions: (importer) => importer.versions('brand'),
  refresh: (importer) => importer.refresh(),
  sync: (importer) => importer.sync(),
  verify: (importer) => importer.verify(),
  pull: (importer) => importer.pull({ kits: ['brand'], out: 'pulled' }),
  diff: (importer) => importer.diff({ kit: 'brand', from: 'draft' }),
  mirror: (importer) => importer.mirror({ kits: ['brand'], out: 'mirrored' }),
  tokens: (importer) => importer.tokens({ kit: 'brand', out: 'tokens.css' }),
  appIcons: (importer) => importer.appIcons({ asset: 'brand/first', out: 'icons' }),
  audit: (importer) => importer.audit(),
  usage: (importer) => importer.usage(),
  mergeUsage: (importer) => importer.mergeUsage({ files: [], out: 'merged' }),
}

test.each(['folder', 'service'])(
  "a closed importer of a %s rejects every call and doesn't write anything",
  async (kind) => {
    const space = await writeSpace({
      'space.json': { space_id: 7 },
      'brand/kit.json': { name: 'Brand' },
      'brand/Logos/first.svg': svg('first'),
    })
    const service = await serveSpace(space.folder)
    const root = await mkdtemp(join(tmpdir(), 'content-space-close-'))
    onTestFinished(async () => {
      await service.close()
      await Promise.all([rm(root, { recursive: true, force: true }), space.remove()])
    })
    const options = kind === 'folder' ? { space: space.folder } : service.options
    const importer = await createImporter({ ...options, cacheDir: join(space.folder, '.cache') }, { root, env: {} })
    await importer.kit('brand')
    await importer.close()
    const requested = service.requests.length
    for (const [name, call] of Object.entries(calls))
      await expect(call(importer), name).rejects.toMatchObject({ code: 'aborted' })
    await importer.close()
    expect([await readdir(root), service.requests.length]).toEqual([[], requested])
  },
)

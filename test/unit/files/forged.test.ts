import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Options } from '../../../src/config/options.js'
import { contentPath, describeKey } from '../../../src/disk/cache-layout.js'
import { integrityOf } from '../../../src/disk/content.js'
import { readIndex } from '../../../src/files/store-index.js'
import { openStore } from '../../../src/files/store.js'
import { finish, planAddress, readFile } from '../../../src/engine/build.js'
import { openEngine } from '../../../src/engine/engine.js'
import { contentService, kitUuid, upload } from '../../support/content-service.js'
import { faultServer, type FaultServer } from '../../support/fault-server.js'

let root: string
let server: FaultServer
const original = Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n%%EOF\n')
const cut = Buffer.from('%PDF-1.4\n%%EOF\n')
const forgery = Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n% forged\n%%EOF\n')

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'content-space-forged-'))
  const meta = { filecuts: { available_types: [{ type: 'PDF', enabled: true }] } }
  const uploads = [upload(1, 'Acme Logo', 'EPS', original, { meta, file_hash: null }, { pdf: cut })]
  server = await faultServer(contentService({ uploads }))
})
afterEach(async () => {
  await server.close()
  await rm(root, { recursive: true })
})

/** Returns the text of the original and of its cut as a build reads them. */
async function read(options: Options = {}): Promise<string[]> {
  const engine = await openEngine(
    {
      space: server.url,
      spaceId: 7,
      token: 't',
      kits: { brand: kitUuid },
      cacheDir: 'cache',
      types: false,
      ...options,
    },
    { root, mode: 'production', env: {} },
  )
  try {
    const texts = await Promise.all(
      ['?url', '?url&cut=pdf'].map(async (query) => {
        const plan = await planAddress(engine, `content-space:asset/brand/acme-logo${query}`)
        return plan?.src === undefined ? 'no file' : Buffer.from(await readFile(engine, plan.src)).toString()
      }),
    )
    await finish(engine)
    return texts
  } finally {
    await engine.close()
  }
}

/** Replaces entries in the cache with others whose content matches its hash. */
async function forge(kind: 'original' | 'cut', isContentKept: boolean): Promise<void> {
  const cacheDir = join(root, 'cache')
  const store = openStore(cacheDir, () => {})
  for (const { key } of readIndex(cacheDir)) {
    if (describeKey(key).kind !== kind) continue
    await store.put(key, forgery)
    if (!isContentKept) await rm(contentPath(cacheDir, integrityOf(kind === 'cut' ? cut : original)))
  }
}

const kinds = ['original', 'cut'] as const
const runs = kinds.flatMap((kind) =>
  [true, false].flatMap((kept) => [{}, { frozen: true }].map((options) => [kind, kept, options] as const)),
)

test.for(runs)('a forged %s in the cache is replaced (kept: %s, %o)', async ([kind, isContentKept, options]) => {
  const good = [original.toString(), cut.toString()]
  expect(await read()).toEqual(good)
  await forge(kind, isContentKept)
  expect(await read(options)).toEqual(good)
})

test.for(kinds)('offline, a forged %s is not used either', async (kind) => {
  const good = await read()
  await forge(kind, true)
  expect(await read({ offline: true })).toEqual(good)
  await forge(kind, false)
  await expect(read({ offline: true })).rejects.toMatchObject({ code: 'offline' })
})

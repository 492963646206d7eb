import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveOptions } from '../../../src/config/resolve.js'
import { openSpace } from '../../../src/space/open.js'
import type { ServerOptions } from '../../../src/commands/serve/server.js'
import type { Space } from '../../../src/space/space.js'
import { downloadBytes } from '../../support/download.js'
import { brand, richSpace, serveSpace, svg, type SpaceFolder } from '../../support/space.js'

const unknown = '00000000-0000-4000-8000-000000000000'

let files: SpaceFolder
let cacheDir: string

beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  files = await richSpace()
  const many = Array.from({ length: 230 }, (_, n) => [`icons/Many/icon-${n}.svg`, svg(`icon ${n}`)] as const)
  await files.write(Object.fromEntries(many))
})
afterAll(async () => {
  await files.remove()
  await rm(cacheDir, { recursive: true, force: true })
})

async function open(options: { space: string; spaceId?: number; token?: string }): Promise<Space> {
  const resolved = await resolveOptions({ ...options, cacheDir }, { root: cacheDir, mode: 'test', env: {} })
  return openSpace(resolved, { warn: () => undefined, request: () => undefined, wait: () => undefined })
}

/** Returns everything that a space returns: every kit, version, section, and file, and its errors. */
async function everything(space: Space): Promise<unknown> {
  const kits = await space.kits()
  const versions = await Promise.all(
    kits.map(async ({ uuid }) => [await space.kit(uuid, 'versions'), await space.kit(uuid, 'use_versions')]),
  )
  const targets = versions.flatMap(([kit]) =>
    (kit?.versions ?? []).map(({ version }) => ({ kit: kit?.uuid ?? '', version })),
  )
  const contents: unknown[] = []
  for (const { kit, version } of targets) contents.push(await wholeVersion(space, kit, version))
  const refusals = [
    space.kit(unknown, 'versions'),
    space.outline(brand.uuid, 9),
    space.section(unknown, 0),
    downloadBytes(space, { uuid: unknown }),
    downloadBytes(space, { uuid: brand.logo }, 'PDF'),
  ]
  const codes = await Promise.all(
    refusals.map((call) =>
      call.then(
        () => 'answered',
        (error: { code: string }) => error.code,
      ),
    ),
  )
  return { kits, versions, contents, codes }
}

/** Returns a version's outline and sections, and the files and cuts of some of its assets. */
async function wholeVersion(space: Space, kit: string, version: number): Promise<unknown> {
  const outline = await space.outline(kit, version)
  const sections = await Promise.all(outline.sections.map(({ uuid }) => space.section(uuid, version)))
  const assets = sections.flatMap(({ items }) =>
    items.flatMap(({ asset }) => (asset?.fileHash === undefined ? [] : [asset])),
  )
  const wanted = assets.slice(0, 10).flatMap((asset) => {
    const cuts = (asset.cuts ?? []).filter(({ enabled }) => enabled).map(({ type }) => type)
    return [undefined, ...cuts].map((cut) => ({
      asset: { uuid: asset.uuid, size: asset.size, hash: asset.fileHash },
      cut,
    }))
  })
  const downloads = await Promise.all(wanted.map(({ asset, cut }) => downloadBytes(space, asset, cut)))
  return { outline, sections, downloads: downloads.map((bytes) => Buffer.from(bytes).toString('base64')) }
}

/** Returns a record without URLs and short ids, because a folder doesn't have them. */
function strip(value: unknown): unknown {
  const addresses = new Set([
    'permalink',
    'thumbnails',
    'thumbnail_placeholders',
    'previews',
    'cover',
    'coverPreview',
    'images',
    'short_id',
  ])
  return JSON.parse(JSON.stringify(value, (key, field: unknown) => (addresses.has(key) ? undefined : field)))
}

const servers: [string, Omit<ServerOptions, 'folder'>][] = [
  ['as it is', {}],
  ['pages from zero', { pageBase: 0 }],
  ['errors with HTTP 200', { errorStatus: 'ok' }],
  ['downloads redirected to another origin', { downloads: 'redirect' }],
  ['downloads as addresses', { downloads: 'url' }],
]

describe('a served folder gives the same answers as the folder', () => {
  test.each(servers)('%s', async (_name, options) => {
    const server = await serveSpace(files.folder, options)
    const [folder, service] = [await open({ space: files.folder }), await open(server.options)]
    try {
      expect(strip(await everything(service))).toEqual(strip(await everything(folder)))
      expect(server.requests.filter(({ origin, authorization }) => origin === 'files' && authorization)).toEqual([])
    } finally {
      await Promise.all([folder.close(), service.close(), server.close()])
    }
  })
})

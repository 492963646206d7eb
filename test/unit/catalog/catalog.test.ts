import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ContentSpaceError } from '../../../src/errors.js'
import { openCatalog, type CatalogContext } from '../../../src/catalog/catalog.js'
import { findAsset, sectionCollection } from '../../../src/kit/named-kit.js'
import { openLockSession } from '../../../src/lock/session.js'
import type { UpdateOptions } from '../../../src/lock/recorder.js'
import {
  assetItem,
  assetRecord,
  headingItem,
  id,
  memoryKit,
  memorySpace,
  type MemoryKit,
} from '../../support/memory-space.js'
import { noLock, plainCatalog } from '../../support/memory.js'

const logo = assetRecord(id(11), 'Acme Logo')
const photo = assetRecord(id(12), 'Hero Photo', { type: 'JPG' })
const twin = assetRecord(id(13), 'Hero photo', { type: 'JPG' })
const brand = memoryKit(id(1), 'Brand', [
  {
    uuid: id(2),
    name: 'Logos',
    items: [
      assetItem(id(21), logo),
      headingItem(id(22), 'Photos'),
      assetItem(id(23), photo),
      headingItem(id(24), 'More'),
      assetItem(id(25), logo),
    ],
  },
  { uuid: id(3), name: 'Icons', items: [assetItem(id(31), twin)] },
])
const icons = memoryKit(id(5), 'Icon Set', [{ uuid: id(6), name: 'Arrows', items: [] }])

function open(
  kits: () => MemoryKit[] = () => [brand, icons],
  more: Partial<CatalogContext> = {},
  answered?: (question: string) => void,
) {
  const space = memorySpace(kits, answered)
  const warnings: string[] = []
  const warn = (message: string, lines: readonly string[] = []) => void warnings.push(message, ...lines)
  const catalog = openCatalog({
    space,
    ...plainCatalog,
    warn,
    ...more,
  })
  return { catalog, space, warnings }
}

const raw = (short: string) => ({ raw: { short_id: short } })
const names = (kit: string, entries: [string, string][], alias = 'b') => ({ alias, kit, names: new Map(entries) })

async function refusal(step: Promise<unknown>): Promise<ContentSpaceError> {
  const error: unknown = await step.catch((reason: unknown) => reason)
  if (error instanceof ContentSpaceError) return error
  throw new Error('Expected a refusal')
}

describe('loading a kit', () => {
  test('requests the kit, its outline and each section once, even when it is loaded several times', async () => {
    const { catalog, space } = open()
    const [one, two] = await Promise.all([
      catalog.load({ kit: id(1), version: 'use' }),
      catalog.load({ kit: id(1), version: 1 }),
    ])
    expect(one).toBe(two)
    expect(space.asked.toSorted()).toEqual([
      `kit ${id(1)}`,
      `outline ${id(1)} 1`,
      `section ${id(2)} 1`,
      `section ${id(3)} 1`,
    ])
  })

  test('keeps each asset once', async () => {
    const { kit } = await open().catalog.load({ kit: id(1), version: 'use' })
    expect(Object.keys(kit.assets)).toEqual([id(11), id(12), id(13)])
    expect(kit.counts).toEqual({ assets: 3, items: 6, sections: 2 })
  })

  test('omits inactive items, keeps items of unknown types, and reports items without a record', async () => {
    const odd = memoryKit(id(1), 'Brand', [
      {
        uuid: id(2),
        name: 'Logos',
        items: [
          assetItem(id(21), logo, { status: 'archived' }),
          assetItem(id(22), undefined),
          { uuid: id(23), type: 'video', status: 'active', data: { length: 3 } },
        ],
      },
    ])
    const { catalog, warnings } = open(() => [odd])
    const { kit } = await catalog.load({ kit: id(1), version: 'use' })
    expect(kit.sections[0]?.items).toEqual([{ type: 'video', uuid: id(23), data: { length: 3 } }])
    expect(warnings).toEqual([expect.stringContaining(id(22))])
    const strict = open(() => [odd], { strict: true }).catalog
    expect((await refusal(strict.load({ kit: id(1), version: 'use' }))).code).toBe('invalidResponse')
  })

  test('starts again when a section disappears after the outline was read', async () => {
    let gone = false
    const less: MemoryKit = { ...brand, sections: brand.sections.slice(0, 1) }
    const { catalog } = open(
      () => [gone ? less : brand],
      {},
      (question) => {
        gone ||= question.startsWith('outline')
      },
    )
    expect((await catalog.load({ kit: id(1), version: 'use' })).kit.sections.map(({ name }) => name)).toEqual(['Logos'])
  })

  test('never mixes two states of a draft, and gives up on a draft that keeps changing', async () => {
    let edits = 0
    const draft = memoryKit(id(1), 'Brand', brand.sections, 0)
    const moving = () => [{ ...draft, version: { ...draft.version, counts: { items: edits } } }]
    const { catalog } = open(moving, {}, (question) => {
      if (question.startsWith('section')) edits += 10
    })
    expect(await refusal(catalog.load({ kit: id(1), version: 0 }))).toMatchObject({
      code: 'invalidResponse',
      facts: { kit: id(1) },
    })
  })

  test('reads a draft again when a section is newer than its outline', async () => {
    let edited = false
    const before = memoryKit(id(1), 'Brand', brand.sections, 0)
    const [logos, ...others] = before.sections
    const later = { dateUpdated: '2025-03-01T00:00:00.000Z' }
    const after: MemoryKit = {
      ...before,
      version: { ...before.version, ...later, notes: 'edited' },
      sections: [...(logos ? [{ ...logos, ...later, name: 'Marks' }] : []), ...others],
    }
    const { catalog } = open(
      () => [edited ? after : before],
      {},
      (question) => {
        edited ||= question.startsWith('outline')
      },
    )
    const { kit } = await catalog.load({ kit: id(1), version: 0 })
    expect([kit.notes, kit.sections[0]?.name]).toEqual(['edited', 'Marks'])
  })

  test('accepts an unchanging draft with wrong counts', async () => {
    const draft = memoryKit(id(1), 'Brand', brand.sections, 0)
    draft.version.counts = { items: 99 }
    const { catalog, space } = open(() => [draft])
    expect((await catalog.load({ kit: id(1), version: 'use' })).kit.counts.items).toBe(99)
    expect(space.asked.filter((question) => question.startsWith('outline'))).toHaveLength(2)
  })

  test('does not remember a failure', async () => {
    let there = false
    const { catalog } = open(() => (there ? [brand] : [icons]))
    expect((await refusal(catalog.load({ kit: id(1), version: 'use' }))).code).toBe('kitNotFound')
    there = true
    expect((await catalog.load({ kit: id(1), version: 'use' })).kit.name).toBe('Brand')
  })
})

describe('finding', () => {
  test('a kit by the slug of its name', async () => {
    const { catalog, space } = open()
    expect((await catalog.load({ kit: 'icon-set', version: 'use' })).kit.uuid).toBe(id(5))
    await catalog.load({ kit: id(1), version: 'use' })
    expect(space.asked.filter((question) => question === 'kits')).toHaveLength(1)
  })

  test('a kit by a slug that was seen before, without requesting the list', async () => {
    const lock = { ...noLock, kits: () => ({ [id(1)]: { slug: 'brand', aliases: ['acme'] } }) }
    const { catalog, space } = open(undefined, { lock })
    expect((await catalog.load({ kit: 'acme', version: 'use' })).kit.uuid).toBe(id(1))
    expect(space.asked).not.toContain('kits')
  })

  test.each(['brnad', id(1).replace('1-', '2-'), id(9)])('unknown kit %s: suggests the nearest kits', async (kit) => {
    const error = await refusal(open().catalog.load({ kit, version: 'use' }))
    expect(error.code).toBe('kitNotFound')
    expect(error.hint).toContain(`brand (Brand, ${id(1)})`)
  })

  test('kits with the same name are ambiguous', async () => {
    const other = memoryKit(id(7), 'BRAND', [])
    const error = await refusal(open(() => [brand, other]).catalog.load({ kit: 'brand', version: 'use' }))
    expect(error.code).toBe('ambiguousName')
    expect(error.hint).toContain(id(1))
    expect(error.hint).toContain(id(7))
  })

  test('unknown version: names the existing versions', async () => {
    const kit = { ...brand, record: { ...brand.record, versions: [{ ...brand.version, version: 0 }, brand.version] } }
    const error = await refusal(open(() => [kit]).catalog.load({ kit: id(1), version: 7 }))
    expect(error).toMatchObject({
      code: 'versionNotFound',
      hint: 'Its versions are 0 (draft), 1. Version 1 is in use.',
    })
  })

  test('a locked version that no longer exists: mentions the command that locks another one', async () => {
    const locked = { name: 'Brand', slug: 'brand', versions: {} }
    const lock = { ...noLock, version: () => 7, lockedKit: () => locked }
    const kit = { ...brand, record: { ...brand.record, versions: [brand.version] } }
    const error = await refusal(open(() => [kit], { lock }).catalog.load({ kit: id(1), version: 'use' }))
    expect(error).toMatchObject({
      code: 'versionNotFound',
      hint: 'Its versions are 1. Version 1 is in use. To lock it, run `npx content-space update brand`.',
    })
  })

  test('sections, and the items under a heading', async () => {
    const named = await open().catalog.load({ kit: id(1), version: 'use' })
    const uuids = (...path: [string, string?]) => [...sectionCollection(named, ...path).assets.keys()]
    expect(uuids('logos')).toEqual([id(11), id(12)])
    expect(uuids(id(3))).toEqual([id(13)])
    expect(uuids('logos', 'photos')).toEqual([id(12)])
    expect(uuids(id(2), id(24))).toEqual([id(11)])
    expect(() => uuids('lgoos')).toThrow(/logos \(Logos, /)
    expect(() => uuids('logos', 'photo')).toThrow(
      /There is no heading photo in section Logos of kit Brand\.\nDid you mean photos/,
    )
    expect(() => uuids('icons', 'photos')).toThrow('It has no headings.')
  })

  test('assets by uuid and slug; assets with the same name are ambiguous', async () => {
    const named = await open().catalog.load({ kit: id(1), version: 'use' })
    expect(findAsset(named, 'acme-logo')).toBe(logo)
    expect(findAsset(named, id(12))).toBe(photo)
    expect(() => findAsset(named, 'acme-lgoo')).toThrow(/Did you mean acme-logo \(Acme Logo, 00000011/)
    expect(() => findAsset(named, 'hero-photo')).toThrow(new RegExp(`${id(12)}.*${id(13)}`))
  })

  test('kits, sections, headings and assets by short ids, in any case, and with the name before them', async () => {
    const own = assetRecord(id(12), 'Hero Photo', { raw: { short_id: 'Ye1vjW' } })
    const items = [
      { ...headingItem(id(22), 'Photos'), ...raw('R7y72J') },
      assetItem(id(21), logo, raw('1E887y')),
      assetItem(id(23), own),
      assetItem(id(24), twin, raw('PXZMWE')),
      assetItem(id(25), assetRecord(id(14), 'Other'), raw('pxzmwe')),
    ]
    const kit = memoryKit(id(1), 'Brand', [{ uuid: id(2), name: 'Logos', items }])
    const sections = kit.sections.map((section) => ({ ...section, ...raw('d9x3n2') }))
    const known = { ...kit, record: { ...kit.record, ...raw('oYYL4W') }, sections }
    const { catalog } = open(() => [known, icons])
    const named = await catalog.load({ kit: 'oyyl4w', version: 'use' })
    expect(named.kit.uuid).toBe(id(1))
    expect((await catalog.load({ kit: 'brand-foundation-oyyl4w', version: 'use' })).kit.uuid).toBe(id(1))
    for (const section of ['d9x3n2', 'logo-d9x3n2'])
      expect([...sectionCollection(named, section, 'color-r7y72j').assets.keys()]).toHaveLength(4)
    expect(findAsset(named, 'acme-full-color-1e887y')).toBe(logo)
    expect(findAsset(named, 'ye1vjw')).toBe(own)
    expect(() => findAsset(named, 'pxzmwe')).toThrow(/More than one asset.*pxzmwe/)
    expect(() => findAsset(named, '1e887x')).toThrow(/There is no asset 1e887x/)
  })

  test('a kit by a locked short id, without requesting the list', async () => {
    const lock = { ...noLock, kits: () => ({ [id(1)]: { slug: 'brand', shortId: 'oYYL4W' } }) }
    const { catalog, space } = open(undefined, { lock })
    expect((await catalog.load({ kit: 'brand-oyyl4w', version: 'use' })).kit.uuid).toBe(id(1))
    expect(space.asked).not.toContain('kits')
  })

  test('sections and assets by short ids only, in the kits of the project, locked or not', async () => {
    const items = [assetItem(id(21), logo, raw('1E887y'))]
    const kit = memoryKit(id(1), 'Brand', [{ uuid: id(2), name: 'Logos', items }])
    const known = { ...kit, sections: kit.sections.map((section) => ({ ...section, ...raw('d9x3n2') })) }
    const configured = new Map([['brand', { kit: id(1), version: 1 }]])
    const { catalog } = open(() => [known, icons], { configured })
    for (const asset of ['1e887y', 'acme-full-color-1e887y'])
      expect(await catalog.kitWithAsset(asset)).toEqual({ kit: id(1), version: 1 })
    expect(await catalog.kitWithSection('logos-d9x3n2', 2)).toEqual({ kit: id(1), version: 2 })
    expect(await refusal(catalog.kitWithAsset('hero'))).toMatchObject({
      code: 'invalidId',
      hint: expect.stringContaining('content-space:asset/<kit>/<asset>'),
    })
    expect(await refusal(catalog.kitWithSection('logos', 'use'))).toMatchObject({
      code: 'invalidId',
      hint: expect.stringContaining('content-space:section/<kit>/<section>'),
    })

    const folder = await mkdtemp(join(tmpdir(), 'short-'))
    const session = { lockfile: join(folder, 'lock.json'), spaceId: undefined, hashes: true, warn: () => {} }
    const lock = await openLockSession({ ...session, frozen: false })
    const named = await catalog.load({ kit: id(1), version: 1 })
    lock.record(named, 1, { assets: [id(11)], parts: [id(2)] })
    await lock.save()
    const frozen = await openLockSession({ ...session, frozen: true })
    const { catalog: locked, space } = open(() => [], { lock: frozen, frozen: true })
    expect(await locked.kitWithAsset('1e887y')).toEqual({ kit: id(1), version: 1 })
    expect(await locked.kitWithSection('d9x3n2', 1)).toEqual({ kit: id(1), version: 1 })
    expect(space.asked).toEqual([])
    await rm(folder, { recursive: true })
  })

  test('sections and assets by uuid only', async () => {
    const { catalog } = open(undefined, {
      configured: new Map([
        ['icons', { kit: 'icon-set', version: 'use' }],
        ['brand', { kit: id(1), version: 1 }],
      ]),
    })
    expect(await catalog.kitWithAsset(id(13))).toEqual({ kit: id(1), version: 1 })
    expect((await refusal(catalog.kitWithAsset(id(99)))).code).toBe('assetNotFound')
    expect(await catalog.kitWithSection(id(6), 'use')).toEqual({ kit: id(5), version: 'use' })
    expect((await refusal(catalog.kitWithSection(id(99), 'use'))).code).toBe('sectionNotFound')
    // The draft of the space doesn't have any sections.
    expect(await open().catalog.kitWithSection(id(6), 'use')).toEqual({ kit: id(5), version: 'use' })
  })
})

describe('names of the project', () => {
  test('apply to a kit by its short id, before and after it is locked', async () => {
    const known = { ...brand, record: { ...brand.record, ...raw('oYYL4W') } }
    const given = [names('brand-oyyl4w', [['acme-logo', 'mark']])]
    for (const locked of [{}, { [id(1)]: { slug: 'brand', shortId: 'oYYL4W' } }]) {
      const { catalog } = open(() => [known], { names: given, lock: { ...noLock, kits: () => locked } })
      const named = await catalog.load({ kit: id(1), version: 'use' })
      expect(named.assets.get(id(11))?.name).toBe('mark')
    }
  })

  test("apply to a kit by its uuid or slug, and other kits don't request the list of kits", async () => {
    const { catalog, space } = open(undefined, { names: [names('brand', [['acme-logo', 'mark']])] })
    await catalog.load({ kit: id(5), version: 'use' })
    expect(space.asked).not.toContain('kits')
    expect((await catalog.load({ kit: id(1), version: 'use' })).assets.get(id(11))?.name).toBe('mark')
  })

  test('of one kit under its slug and its uuid must be the same', async () => {
    const both = [names('brand', [['acme-logo', 'mark']]), names(id(1), [['acme-logo', 'logo']], 'c')]
    const { catalog } = open(undefined, { names: both })
    expect((await refusal(catalog.load({ kit: id(1), version: 'use' }))).code).toBe('invalidOption')
  })

  test('may name assets that only another version contains, but no unknown ones', async () => {
    const draft = memoryKit(id(1), 'Brand', [{ uuid: id(3), name: 'Icons', items: [assetItem(id(31), twin)] }], 0)
    const kits = () => [brand, { ...draft, record: brand.record }]
    const known = open(kits, { names: [names(id(1), [['acme-logo', 'mark']])] })
    expect((await known.catalog.load({ kit: id(1), version: 1 })).assets.get(id(11))?.name).toBe('mark')
    const versioned = open(kits, {
      names: [names(id(1), [['acme-logo', 'mark']])],
      configured: new Map([['b', { kit: id(1), version: 1 }]]),
    })
    expect((await versioned.catalog.load({ kit: id(1), version: 0 })).assets.size).toBe(1)
    const unknown = open(kits, { names: [names(id(1), [['acme-lgoo', 'mark']])] })
    const error = await refusal(unknown.catalog.load({ kit: id(1), version: 1 }))
    expect(error.code).toBe('assetNotFound')
    expect(error.message).toContain('Did you mean acme-logo (Acme Logo')
  })

  test('are suggested for assets whose names collide if one of them is imported', async () => {
    const { catalog, warnings } = open(undefined, { configured: new Map([['b', { kit: 'brand', version: 'use' }]]) })
    const { message, lines } = catalog.nameWarning(await catalog.load({ kit: id(1), version: 'use' }))
    expect(warnings).toEqual([])
    expect([message, ...lines]).toEqual([
      expect.stringMatching(
        /Brand have the same name.*heroPhoto_00000012, heroPhoto_00000013\..*option kits\.b\.names:$/,
      ),
      `'hero-photo-00000012': 'heroPhotoLogos', // Hero Photo (JPG)`,
      `'hero-photo-00000013': 'heroPhotoIcons', // Hero photo (JPG)`,
    ])
  })
})

describe('versions that are not in the lockfile', () => {
  const use = { kit: id(1), version: 'use' } as const

  test('are requested once by all imports of a version that cannot be loaded', async () => {
    const { catalog, space } = open(() => [brand])
    const loads = Array.from({ length: 5 }, () => catalog.load({ kit: id(1), version: 7 }))
    const codes = (await Promise.allSettled(loads)).map((one) => one.status === 'rejected' && one.reason.code)
    expect(codes).toEqual(loads.map(() => 'versionNotFound'))
    expect(space.asked.filter((question) => question === `outline ${id(1)} 7`)).toHaveLength(1)
    expect((await catalog.load(use)).kit.version).toBe(1)
  })

  test("are read again after the project's names didn't match them", async () => {
    let name = 'Mark'
    const draft = () => {
      const items = [assetItem(id(21), logo), assetItem(id(22), { ...photo, name })]
      return [memoryKit(id(1), 'Brand', [{ uuid: id(2), name: 'Logos', items }], 0)]
    }
    const lock = await openLockSession({ lockfile: false, spaceId: '7', frozen: false, hashes: true, warn() {} })
    const { catalog } = open(draft, { lock, names: [names(id(1), [['acme-logo', 'mark']])] })
    expect((await refusal(catalog.load(use))).code).toBe('invalidOption')
    name = 'Sign'
    expect((await catalog.load(use)).assets.get(id(11))?.name).toBe('mark')
  })
})

describe('refreshing', () => {
  test('reads the listing of a draft, whatever its dates are', async () => {
    let draft = memoryKit(id(1), 'Brand', brand.sections, 0)
    const { catalog, space } = open(() => [draft])
    await catalog.load({ kit: id(1), version: 'use' })
    space.asked.length = 0
    expect(await catalog.refresh()).toEqual({ changed: false, kits: [] })
    expect(space.asked.toSorted()).toEqual([
      `kit ${id(1)}`,
      `outline ${id(1)} 0`,
      `section ${id(2)} 0`,
      `section ${id(3)} 0`,
    ])
    draft = memoryKit(id(1), 'Brand', [], 0)
    expect(await catalog.refresh()).toMatchObject({
      changed: true,
      kits: [{ name: 'Brand', version: 0, changed: 0, added: 0, removed: 3, renamed: 0 }],
    })
    expect((await catalog.load({ kit: id(1), version: 'use' })).kit.sections).toEqual([])
  })

  test('keeps the loaded kit when the service is unavailable', async () => {
    const draft = memoryKit(id(1), 'Brand', brand.sections, 0)
    const { catalog, space } = open(() => [draft])
    await catalog.load({ kit: id(1), version: 'use' })
    space.kit = async () => {
      throw new ContentSpaceError('unreachable', 'gone')
    }
    expect(await catalog.refresh()).toMatchObject({ changed: false, error: { code: 'unreachable' } })
    expect((await catalog.load({ kit: id(1), version: 'use' })).kit.name).toBe('Brand')
  })

  test('keeps the loaded kits when the lockfile has changed and the service is unavailable, and loads them later', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'content-space-catalog-'))
    const lockfile = join(folder, 'content-space.lock.json')
    const openLock = (update?: UpdateOptions) =>
      openLockSession({ lockfile, spaceId: '7', frozen: false, hashes: true, update, warn() {} })
    let versions = [memoryKit(id(1), 'Brand', brand.sections, 1)]
    const lock = await openLock()
    let isAway = false
    const { catalog } = open(
      () => versions,
      { lock },
      (question) => {
        if (isAway && question.startsWith('outline')) throw new ContentSpaceError('unreachable', 'gone')
      },
    )
    const use = { kit: id(1), version: 'use' } as const
    const loaded = await catalog.load(use)
    lock.record(loaded, 'use', { assets: [id(11)] })
    await lock.save()

    versions = [memoryKit(id(1), 'Brand', [], 2)]
    const update = await openLock({ rename: false })
    update.record(await open(() => versions, { lock: update }).catalog.load(use), 'use', { assets: [] })
    await update.save()
    isAway = true
    expect(await catalog.refresh()).toMatchObject({ changed: true, error: { code: 'unreachable' } })
    expect(await catalog.load(use)).toBe(loaded)
    expect(await catalog.refresh()).toMatchObject({ error: { code: 'unreachable' } })
    // The kept answer isn't written to the lockfile.
    expect(await lock.save()).toBe(false)

    isAway = false
    expect(await catalog.refresh()).toMatchObject({ changed: true, kits: [{ version: 2, removed: 3 }] })
    expect((await catalog.load(use)).kit.version).toBe(2)
    expect(await catalog.refresh()).toEqual({ changed: false, kits: [] })
    await rm(folder, { recursive: true })
  })
})

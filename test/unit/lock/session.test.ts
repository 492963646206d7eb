import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formatLock } from '../../../src/lock/format.js'
import { parseLock, type LockedVersion } from '../../../src/lock/schema.js'
import { openLockSession, type LockSession, type LockSessionContext } from '../../../src/lock/session.js'
import type { GivenKitNames, NamedKit } from '../../../src/kit/named-kit.js'
import type { VersionSelector } from '../../../src/request/request.js'
import type { AssetRecord } from '../../../src/space/space.js'
import { assetRecord, namedKit } from '../../support/declared.js'
import { uuid } from '../../support/lock.js'

const kit = uuid(9000)
const sha = (letter: string): string => `sha256-${letter.repeat(43)}=`

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'memory-'))))
afterEach(() => rm(folder, { recursive: true }))

const lockfile = () => join(folder, 'content-space.lock.json')
const text = () => readFile(lockfile(), 'utf8')
const open = (more: Partial<LockSessionContext> = {}) =>
  openLockSession({ lockfile: lockfile(), spaceId: '7', frozen: false, hashes: true, warn() {}, ...more })

/** Returns an asset as a service sends it. */
function asset(number: number, name: string, hash: string): AssetRecord {
  const sent = { uuid: uuid(number), name, type: 'SVG', size: 1000, file_hash: hash }
  return assetRecord(number, name, { fileHash: hash, raw: sent })
}

/** Returns a version of the kit whose assets have these names and revisions. */
function brand(version: number, names: Record<number, string>, hash = 'aa', given: GivenKitNames = {}): NamedKit {
  const named = namedKit(
    Object.entries(names).map(([number, name]) => asset(Number(number), name, hash)),
    given,
  )
  return { ...named, kit: { ...named.kit, version } }
}

/** Records that all assets of a version are used. */
function use(session: LockSession, named: NamedKit, selector: VersionSelector = 'use', by?: 'build'): void {
  session.record(named, selector, { assets: Object.keys(named.kit.assets) }, by)
}

describe('a pin', () => {
  test('stores the version of a selector until it is updated', async () => {
    const first = await open()
    expect(first.version(kit, 'use')).toBeUndefined()
    use(first, brand(2, { 1: 'Acme Logo' }))
    expect(first.versionChanges()).toMatchObject([
      { kit: 'brand', selector: 'use', from: undefined, to: { version: 2 } },
    ])
    await first.save()
    expect((await open()).version(kit, 'use')).toBe(2)
    const renewing = await open({ update: { rename: false } })
    expect([renewing.version(kit, 'use'), renewing.kitsToUpdate()]).toEqual([undefined, [{ kit, version: 'use' }]])
    use(renewing, brand(3, { 1: 'Acme Logo' }))
    expect(renewing.versionChanges()).toMatchObject([
      { from: { version: 2 } satisfies Partial<LockedVersion>, to: { version: 3 } },
    ])
  })

  test('stores the current place of a section or an asset, and not the previous one', async () => {
    const memory = await open()
    use(memory, brand(1, { 1: 'Acme Logo', 2: 'Hero Photo' }))
    await memory.save()
    const later = await open({ update: { rename: false } })
    use(later, brand(2, { 1: 'Acme Logo' }))
    await later.save()
    const last = await open()
    expect([uuid(1), uuid(9001), uuid(2), uuid(3)].map((one) => last.findOwner(one))).toEqual([
      { kit, version: 'use' },
      { kit, version: 'use' },
      undefined,
      undefined,
    ])
  })

  test('is updated for one kit only, which the lock must contain', async () => {
    await expect(open({ update: { kit: 'brand', rename: false } })).rejects.toMatchObject({
      hint: expect.stringContaining('content-space sync'),
    })
    const memory = await open()
    use(memory, brand(1, {}))
    await memory.save()
    expect((await open({ update: { kit: 'brand', rename: false } })).kitsToUpdate()).toEqual([{ kit, version: 'use' }])
    await expect(open({ update: { kit: 'brnd', rename: false } })).rejects.toMatchObject({
      code: 'kitNotFound',
      hint: 'Did you mean brand?',
    })
  })
})

describe('the sha256 of a file', () => {
  test("isn't compared during an update, and is kept if the same revision wasn't downloaded again", async () => {
    const memory = await open()
    use(memory, brand(1, { 1: 'Acme Logo', 2: 'Hero Photo', 3: 'Badge' }, 'aa'))
    for (const number of [1, 2]) memory.recordDownload({ asset: uuid(number), hash: 'aa' }, sha('A'))
    memory.recordDownload({ asset: uuid(3), hash: 'aa' }, sha('C'))
    await memory.save()
    const renewing = await open({ update: { rename: false } })
    const next = brand(1, { 1: 'Acme Logo', 2: 'Hero Photo', 3: 'Badge' }, 'aa')
    next.kit.assets[uuid(3)] = asset(3, 'Badge', 'bb')
    use(renewing, next)
    expect([1, 2].map((number) => renewing.locked(uuid(number), undefined, 'aa'))).toEqual([undefined, undefined])
    renewing.recordDownload({ asset: uuid(1), hash: 'aa' }, sha('B'))
    await renewing.save()
    const kept = await open()
    expect([1, 2, 3].map((number) => kept.locked(uuid(number), undefined, number === 3 ? 'bb' : 'aa'))).toEqual([
      sha('B'),
      sha('A'),
      undefined,
    ])
  })

  test("doesn't make the lock again when it is recorded once more", async () => {
    const session = await open()
    use(session, brand(1, { 1: 'Acme Logo' }))
    session.recordDownload({ asset: uuid(1), hash: 'aa' }, sha('A'))
    await session.save()
    const made = session.current()
    session.recordDownload({ asset: uuid(1), hash: 'aa' }, sha('A'))
    expect(session.current()).toBe(made)
    session.recordDownload({ asset: uuid(1), hash: 'aa' }, sha('B'))
    expect(session.current()).not.toBe(made)

    // The lockfile may lose a hash while the session is open.
    const other = await open()
    other.recordDownload({ asset: uuid(1), hash: 'aa' }, sha('A'))
    expect(other.isAsRead()).toBe(true)
    await writeFile(lockfile(), (await text()).replace(/,"files":\{[^}]*\}/, ''))
    await other.reload()
    other.recordDownload({ asset: uuid(1), hash: 'aa' }, sha('A'))
    expect(other.isAsRead()).toBe(false)
  })

  test('is stored with its revision', async () => {
    const memory = await open()
    use(memory, brand(0, { 1: 'Acme Logo' }, 'aa'), 0)
    memory.recordDownload({ asset: uuid(1), hash: 'aa' }, sha('A'))
    await memory.save()
    expect(memory.locked(uuid(1), undefined)).toBeUndefined()
    expect(await text()).toContain(sha('A'))
    // A dev server keeps running while the draft changes.
    use(memory, brand(0, { 1: 'Acme Logo' }, 'bb'), 0)
    await memory.save()
    expect(await text()).not.toContain(sha('A'))
    memory.recordDownload({ asset: uuid(1), hash: 'bb' }, sha('B'))
    await memory.save()
    expect(await text()).toContain(`"file_hash":"bb"},"files":{"original":"${sha('B')}"}`)
  })

  test('decides a file that the service was still processing in a frozen run only', async () => {
    for (const version of [0, 1]) {
      const named = brand(version, { 1: 'Acme Logo', 2: 'Badge' })
      const raw = {
        uuid: uuid(1),
        name: 'Acme Logo',
        type: 'SVG',
        file_hash: 'aa',
        meta: { asset_processing: 'processing' },
      }
      named.kit.assets[uuid(1)] = assetRecord(1, 'Acme Logo', { fileHash: 'aa', meta: raw.meta, raw })
      const memory = await open()
      use(memory, named, version)
      for (const number of [1, 2])
        memory.recordDownload(
          { asset: uuid(number), ...(number === 1 ? { updated: 'processing aa' } : { hash: 'aa' }) },
          sha('A'),
        )
      await memory.save()
      expect(await memory.digest()).toBeUndefined()
      const [frozen, building] = [await open({ frozen: true }), await open()]
      expect([frozen, building].map(({ locked }) => locked(uuid(1), undefined, 'processing aa'))).toEqual([
        sha('A'),
        undefined,
      ])
      expect(building.locked(uuid(2), undefined, 'aa')).toBe(sha('A'))
      use(building, brand(version, { 1: 'Acme Logo', 2: 'Badge' }), version)
      await building.save()
      expect(await text()).not.toContain('processing')
      expect((await open({ frozen: true })).locked(uuid(1), undefined, 'aa')).toBeUndefined()
      expect(await building.digest()).toBeDefined()
    }
  })

  test('is required in another run, also for cuts, and is not written in dev', async () => {
    const dev = await open({ hashes: false })
    use(dev, brand(1, { 1: 'Acme Logo' }))
    dev.recordDownload({ asset: uuid(1), cut: 'PNG', hash: 'aa' }, sha('C'))
    await dev.save()
    expect(await text()).not.toContain('files')
    const built = await open()
    use(built, brand(1, { 1: 'Acme Logo' }))
    built.recordDownload({ asset: uuid(1), cut: 'PNG', hash: 'aa' }, sha('C'))
    await built.save()
    const { locked } = await open()
    expect([locked(uuid(1), 'PNG', 'aa'), locked(uuid(1), undefined, 'aa'), locked(uuid(2), 'PNG', 'aa')]).toEqual([
      sha('C'),
      undefined,
      undefined,
    ])
  })
})

describe('the file', () => {
  test('has what was listed, even if other imports were answered from the lockfile', async () => {
    const memory = await open()
    use(memory, brand(1, { 1: 'Acme Logo', 2: 'Badge' }))
    use(memory, { ...brand(1, { 1: 'Acme Logo' }), isPartial: true })
    await memory.save()
    expect(await text()).toContain('"name":"badge"')
  })

  test("isn't written if frozen, if the run loaded nothing, or if nothing changed", async () => {
    expect(await (await open()).save()).toBe(false)
    const memory = await open()
    use(memory, brand(1, { 1: 'Acme Logo' }))
    expect([await memory.save(), await memory.save()]).toEqual([true, false])
    const frozen = await open({ frozen: true })
    use(frozen, brand(2, { 1: 'Corp Logo' }))
    expect([frozen.drift(), await frozen.save()]).toEqual([
      ['kit brand: version 2 is not in the lockfile', 'kit brand: version use is 2, but 1 in the lockfile'],
      false,
    ])
  })

  test('is read again when another process has changed it, but not when this process has', async () => {
    const memory = await open()
    use(memory, brand(1, { 1: 'Acme Logo' }))
    await memory.save()
    expect(await memory.reload()).toBe(false)
    const other = await open({ update: { rename: false } })
    use(other, brand(2, { 1: 'Acme Logo' }))
    await other.save()
    expect([await memory.reload(), memory.version(kit, 'use'), await memory.reload()]).toEqual([true, 2, false])
  })

  test('is merged and written with a message if it contains both sides of a merge, and refused if frozen', async () => {
    const [one, two] = [await open(), await open()]
    use(one, brand(1, { 1: 'Acme Logo', 2: 'Badge' }))
    use(two, brand(2, { 1: 'Acme Logo', 3: 'Chart' }))
    const texts = [two, one].map((session) => formatLock(session.current()))
    const conflict = `<<<<<<< ours\n${texts[0]}=======\n${texts[1]}>>>>>>> theirs\n`
    await writeFile(lockfile(), conflict)
    await expect(open({ frozen: true })).rejects.toMatchObject({ code: 'invalidLock' })
    expect(await text()).toBe(conflict)
    const said: unknown[] = []
    const merging = await open({ warn: (...message) => said.push(message) })
    expect(merging.version(kit, 'use')).toBe(2)
    expect(merging.drift()).toEqual(['the lockfile contains both sides of a merge'])
    expect(said).toEqual([
      [
        `${lockfile()} contained both sides of a merge, which were combined.`,
        ['kit brand: use is version 2, and not 1'],
      ],
    ])
    // The source doesn't import anything from the lockfile.
    expect([await merging.save(), merging.drift(), await merging.save()]).toEqual([true, [], false])
    const { kits } = parseLock(await text(), 'lock')
    expect(kits[kit]?.use).toBe(2)
    const names = [1, 2].map((version) =>
      Object.values(kits[kit]?.versions[version]?.assets ?? {}).map(({ name }) => name),
    )
    expect(names).toEqual([
      ['acmeLogo', 'badge'],
      ['acmeLogo', 'chart'],
    ])
    // The same happens while a dev server is running.
    await writeFile(lockfile(), conflict)
    expect([await merging.reload(), merging.version(kit, 'use'), said.length]).toEqual([true, 2, 2])
    use(merging, brand(2, { 1: 'Acme Logo', 3: 'Chart' }))
    expect([await merging.save(), (await text()).includes('<<<')]).toEqual([true, false])
  })

  test('is rejected when it belongs to another space', async () => {
    await writeFile(lockfile(), formatLock({ space: '8', kits: {} }))
    await expect(open()).rejects.toMatchObject({
      code: 'invalidLock',
      message: expect.stringContaining('lockfile of space 8, but this project uses space 7'),
    })
    expect(await text()).toBe(formatLock({ space: '8', kits: {} }))
  })
})

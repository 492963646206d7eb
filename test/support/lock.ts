import { createHash } from 'node:crypto'
import { fc } from './random.js'
import type { Lock, LockedAsset } from '../../src/lock/schema.js'

/** Returns a valid uuid that ends in a number. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).toUpperCase().padStart(12, '0')}`
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

const someUuid = fc.integer({ min: 0, max: 5 }).map(uuid)
// Use few values, so that collisions are frequent. They are created once, because a lock contains dozens of them.
const slug = fc.constantFrom(
  ...['a', 'b', 'c', 'x', 'y', 'z'].flatMap((one) => [one, `${one}a`, `a${one}`, `xy${one}`]),
)
const sha256 = fc.constantFrom(...Array.from('0123456789', hashOf))
const label = fc.record(
  {
    version: fc.nat(3),
    versionIdentifier: fc.string({ maxLength: 3 }),
    date: fc.constantFrom('2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'),
  },
  { requiredKeys: ['version', 'versionIdentifier'] },
)
const aliases = fc.uniqueArray(slug, { minLength: 1, maxLength: 2 }).map((list) => list.toSorted())
const by = fc.constantFrom('build' as const, 'pull' as const)
const section = fc.record({ name: slug, slug, aliases, at: fc.nat(3) }, { requiredKeys: ['name', 'slug', 'at'] })
const item = fc.record(
  { section: someUuid, at: fc.nat(9), type: fc.constantFrom('heading', 'asset'), slug, asset: someUuid },
  { requiredKeys: ['section', 'at', 'type'] },
)

const files = fc.dictionary(fc.constantFrom('original', 'PNG'), sha256, { minKeys: 1, noNullPrototype: true })
const record = fc.record({ name: slug, file_hash: fc.constantFrom('aa', 'bb') })
const used = fc.record({ name: slug, slug, record, files, by }, { requiredKeys: ['name', 'slug', 'record'] })
const removed = fc.record({ name: slug, slug, lastSeen: label })

/** Random assets of a version, with unique names as in every version. */
const assets = fc
  .dictionary(someUuid, fc.oneof(used, removed), { noNullPrototype: true })
  .map((table) =>
    Object.fromEntries(
      Object.entries(table).map(([key, value]) => [key, { ...value, name: `${value.name}${key.at(-1)}` }]),
    ),
  )

const whole = fc.dictionary(fc.constantFrom('kit', 'tokens', uuid(1)), fc.record({ by }, { requiredKeys: [] }), {
  minKeys: 1,
  noNullPrototype: true,
})
const table = fc.record(
  {
    label: fc.constantFrom('1.0', '2.0'),
    date: fc.constantFrom('2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'),
    whole,
    sections: fc.dictionary(someUuid, section, { noNullPrototype: true }),
    items: fc.dictionary(someUuid, item, { noNullPrototype: true }),
    assets,
  },
  { requiredKeys: ['label', 'sections', 'items', 'assets'] },
)

const kit = fc.record(
  {
    name: slug,
    slug,
    aliases,
    use: fc.nat(2),
    versions: fc.dictionary(fc.constantFrom('0', '1', '2'), table, { noNullPrototype: true }),
  },
  { requiredKeys: ['name', 'slug', 'versions'] },
)

export const arbitraryLock: fc.Arbitrary<Lock> = fc.record(
  { space: fc.constant('7'), kits: fc.dictionary(someUuid, kit, { noNullPrototype: true }) },
  { requiredKeys: ['kits'] },
)

/** Returns a lock of a kit with one version, which is in use. */
export function lockOf(entries: Readonly<Record<number, LockedAsset>>, { kit: number = 9, version = 1 } = {}): Lock {
  const byUuid = Object.fromEntries(Object.entries(entries).map(([key, value]) => [uuid(Number(key)), value]))
  const one = { label: `${version}.0`, sections: {}, items: {}, assets: byUuid }
  const named = { name: 'Brand', slug: 'brand', use: version, versions: { [version]: one } }
  return { space: '7', kits: { [uuid(number)]: named } }
}

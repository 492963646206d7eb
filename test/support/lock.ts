import { createHash } from 'node:crypto'
import { fc } from './random.js'
import type { Lock } from '../../src/lock/schema.js'

/** A canonical uuid that ends in a number. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).toUpperCase().padStart(12, '0')}`
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

const someUuid = fc.integer({ min: 0, max: 5 }).map(uuid)
// Few values, which meet often. They are made once: a lock has dozens of them.
const slug = fc.constantFrom(
  ...['a', 'b', 'c', 'x', 'y', 'z'].flatMap((one) => [one, `${one}a`, `a${one}`, `xy${one}`]),
)
const sha256 = fc.constantFrom(...Array.from('0123456789', hashOf))
const version = fc.record(
  {
    version: fc.nat(3),
    versionIdentifier: fc.string({ maxLength: 3 }),
    date: fc.constantFrom('2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'),
  },
  { requiredKeys: ['version', 'versionIdentifier'] },
)
const aliases = fc.uniqueArray(slug, { minLength: 1, maxLength: 2 }).map((list) => list.toSorted())
const named = fc.record({ slug, aliases }, { requiredKeys: ['slug'] })

const files = fc.dictionary(fc.constantFrom('original', 'PNG'), sha256, { minKeys: 1, noNullPrototype: true })
const asset = fc.record(
  {
    name: slug,
    slug,
    file_hash: fc.constantFrom('aa', 'bb'),
    files,
    revisions: fc.dictionary(fc.constantFrom('bb', 'cc'), files, { minKeys: 1, noNullPrototype: true }),
    lastSeen: version,
  },
  { requiredKeys: ['name', 'slug'] },
)

/** Random assets of a kit. Their names are unique, as in every kit. */
const assets = fc
  .dictionary(someUuid, asset, { noNullPrototype: true })
  .map((table) =>
    Object.fromEntries(
      Object.entries(table).map(([key, value]) => [key, { ...value, name: `${value.name}${key.at(-1)}` }]),
    ),
  )

const kit = fc.record(
  {
    slug,
    aliases,
    selectors: fc.dictionary(fc.constantFrom('use', 'draft', '1', '2'), version, { noNullPrototype: true }),
    sections: fc.dictionary(someUuid, named, { noNullPrototype: true }),
    headings: fc.dictionary(someUuid, named, { noNullPrototype: true }),
    assets,
  },
  { requiredKeys: ['slug', 'selectors', 'sections', 'headings', 'assets'] },
)

export const arbitraryLock: fc.Arbitrary<Lock> = fc.record(
  { space: fc.constant('7'), kits: fc.dictionary(someUuid, kit, { noNullPrototype: true }) },
  { requiredKeys: ['kits'] },
)

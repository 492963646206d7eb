import { fc } from '../../support/random.js'
import { describe, expect, test } from 'vitest'
import { ContentSpaceError } from '../../../src/errors.js'
import { formatLock } from '../../../src/lock/format.js'
import { parseLock, type Lock } from '../../../src/lock/schema.js'
import { mergeLocks } from '../../../src/lock/merge.js'
import { isExportName, isSlug } from '../../../src/kit/identifiers.js'
import { everything, hostileTexts, steered } from '../../support/hostile-texts.js'
import { arbitraryLock, lockOf, uuid } from '../../support/lock.js'

describe('the text of a lock', () => {
  test('is read back unchanged', () => {
    fc.assert(
      fc.property(arbitraryLock, (lock) => {
        const text = formatLock(lock)
        expect(formatLock(parseLock(text, 'lock'))).toBe(text)
        expect(parseLock(text, 'lock').kits).toEqual(lock.kits)
      }),
    )
  })

  test('does not depend on the order of recording', () => {
    const [one, two] = [
      { name: 'a', slug: 'a' },
      { name: 'b', slug: 'b', files: { PNG: sha('p'), original: sha('o') } },
    ]
    const turned = { files: { original: sha('o'), PNG: sha('p') }, slug: 'b', name: 'b' }
    expect(formatLock(lockOf({ 2: turned, 1: one }))).toBe(formatLock(lockOf({ 1: one, 2: two })))
  })

  test('gives each asset one line, between blank lines', () => {
    const record = { name: 'A', file_hash: 'ff' }
    const text = formatLock(lockOf({ 1: { name: 'a', slug: 'a', record }, 2: { name: 'b', slug: 'b' } }))
    expect(text).toContain(
      `\n\n            "${uuid(1)}": {"name":"a","slug":"a","record":{"name":"A","file_hash":"ff"}},\n\n`,
    )
  })

  test.each([
    ['conflict markers', '{\n<<<<<<< HEAD\n}\n=======\n>>>>>>> other\n', 'conflict markers'],
    ['a newer schema', '{"lockfileVersion": 3, "kits": {}}', 'lockfileVersion 3'],
    ['an older schema', '{"lockfileVersion": 1, "kits": {}}', 'content-space sync'],
    ['a byte order mark', '\uFEFF{"lockfileVersion": 2, "kits": {}}', 'byte order mark'],
    ['garbage', 'not json', 'is not valid JSON'],
    ['another document', '{"name": "x"}', 'lockfileVersion is missing'],
    ['a field of nobody', '{"lockfileVersion": 2, "kits": {}, "more": 1}', 'more'],
    [
      'a hash that is none',
      formatLock(lockOf({ 1: { name: 'a', slug: 'a', files: { original: 'sha256-x' } } })),
      'sha256',
    ],
    [
      'a name given twice',
      formatLock(lockOf({ 1: { name: 'a', slug: 'a' }, 2: { name: 'a', slug: 'a' } })),
      'two assets',
    ],
  ])('refuses %s', (_, text, message) => {
    const refused = catching(() => parseLock(text, 'content-space.lock.json'))
    expect(refused.code).toBe('invalidLock')
    expect(refused.message).toContain(message)
    expect(refused.message).toContain('content-space.lock.json')
  })
})

describe('a lock from a pull request', () => {
  const version = { version: 1, versionIdentifier: '1.0', date: '2024-01-01T00:00:00Z' }
  const asset = {
    name: 'a',
    slug: 'a',
    aliases: [{ name: 'b', slug: 'b' }],
    by: 'build',
    source: uuid(2),
    files: { original: sha('o') },
    lastSeen: version,
  }
  const table = {
    label: '1.0',
    date: '2024-01-01T00:00:00Z',
    whole: { [uuid(3)]: {} },
    sections: { [uuid(3)]: { slug: 'logos', aliases: ['marks'], name: 'Logos', at: 0 } },
    items: { [uuid(4)]: { slug: 'dark', type: 'heading', section: uuid(3), at: 0 } },
    assets: { [uuid(1)]: asset },
  }
  const kit = { name: 'Brand', slug: 'brand', aliases: ['mark'], use: 1, versions: { 1: table } }
  const valid = JSON.stringify({ lockfileVersion: 2, space: '7', kits: { [uuid(9)]: kit } })

  /** Returns the lock with string number `at` replaced. Keys count as strings. */
  function mutated(at: number, text: string): string {
    let count = 0
    const change = (before: string): string => (count++ === at ? text : before)
    const walk = (value: unknown): unknown => {
      if (typeof value === 'string') return change(value)
      if (Array.isArray(value)) return value.map(walk)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), walk(one)]))
    }
    return JSON.stringify(walk(JSON.parse(valid)))
  }
  const strings = valid.match(/"[^"]*"/g)?.length ?? 0

  test('has valid names and slugs, or is rejected, with any string at any place', () => {
    expect(strings).toBeGreaterThan(30)
    const text = fc.oneof(
      fc.constantFrom(
        ...hostileTexts,
        everything,
        'x } from "a"; export { y',
        '__proto__',
        'default',
        'a$b',
        'a b',
        'a/b',
        '..',
        'A',
        '１',
        'ß',
      ),
      fc.string({ unit: 'binary' }),
    )
    let [refused, read] = [0, 0]
    fc.assert(
      fc.property(fc.nat(strings - 1), text, (at, changed) => {
        const json = mutated(at, changed)
        try {
          const { names, slugs } = namesOf(parseLock(json, 'lock'))
          for (const name of names) expect(isExportName(name)).toBe(true)
          for (const slug of slugs) expect(isSlug(slug)).toBe(true)
          expect(formatLock(parseLock(formatLock(parseLock(json, 'lock')), 'lock'))).toBe(
            formatLock(parseLock(json, 'lock')),
          )
          read++
        } catch (error) {
          if (!(error instanceof ContentSpaceError)) throw error
          expect(error.code).toBe('invalidLock')
          expect(steered(error.message)).toEqual([])
          refused++
        }
      }),
    )
    expect(Math.min(refused, read)).toBeGreaterThan(0)
  })

  test.each([
    ['a name that is code', 'name', 'x } from "data:,hit()"; export { y', `assets["${uuid(1)}"].name`],
    ['a name that is a keyword', 'name', 'default', '.name'],
    ['a name that is a prototype', 'name', '__proto__', '.name'],
    ['a name with a local of generated code', 'name', 'asset$0', '.name'],
    ['a name with a joiner', 'name', 'a\u200Db', '.name'],
    ['a slug that is a path', 'slug', '../../x', '.slug'],
    ['a slug with a quote', 'slug', "a'b", '.slug'],
    ['a user that is none', 'by', 'xyz', '.by'],
    ['a source that is no uuid', 'source', '../x', '.source'],
    ['a date that is none', 'date', '</script>', '.date'],
  ])('is rejected with %s', (_, key, text, place) => {
    const json = valid.replaceAll(new RegExp(`"${key}":"[^"]*"`, 'g'), () => `"${key}":${JSON.stringify(text)}`)
    const refused = catching(() => parseLock(json, 'content-space.lock.json'))
    expect(refused).toMatchObject({ code: 'invalidLock', hint: expect.stringContaining('content-space sync') })
    expect(refused.message).toContain(place.split('[')[0] === '' ? place : place.slice(-10))
  })

  test.each([
    ['a negative version', '"version":1', '"version":-1'],
    ['a fraction of a version', '"version":1', '"version":1.5'],
    ['a key that is none', '"use":', '"latest":'],
    ['a version that is no number', '"versions":{"1":', '"versions":{"latest":'],
    ['a part that is none', `"whole":{"${uuid(3)}":`, '"whole":{"all":'],
    ['the id of a space with a line feed', '"space":"7"', '"space":"7\\n"'],
    ['a cut with a control character', '"original":', '"a\\u001b":'],
    ['a uuid that is none', uuid(3), '../x'],
    ['a short sha256', sha('o'), 'sha256-oo='],
  ])('is rejected with %s', (_, before, after) => {
    expect(valid).toContain(before)
    expect(catching(() => parseLock(valid.replace(before, after), 'lock')).code).toBe('invalidLock')
  })

  test('may have any text as the label of a version, which is escaped and read back', () => {
    const lock = {
      space: '7',
      kits: { [uuid(9)]: { ...kit, versions: { 1: { ...table, label: everything, assets: {} } } } },
    }
    expect(steered(formatLock(lock))).toEqual([])
    expect(parseLock(formatLock(lock), 'lock').kits[uuid(9)]?.versions[1]?.label).toBe(everything)
  })
})

describe('merging', () => {
  test('gives the same result when both sides are swapped', () => {
    fc.assert(
      fc.property(arbitraryLock, arbitraryLock, arbitraryLock, (base, ours, theirs) => {
        expect(formatLock(mergeLocks(base, ours, theirs))).toBe(formatLock(mergeLocks(base, theirs, ours)))
      }),
    )
  })

  test('takes the side that changed', () => {
    fc.assert(
      fc.property(arbitraryLock, arbitraryLock, (base, ours) => {
        const spaced = { ...base, ...(ours.space === undefined ? {} : { space: ours.space }) }
        expect(formatLock(mergeLocks(spaced, ours, spaced))).toBe(
          formatLock({ ...ours, ...(spaced.space === undefined ? {} : { space: spaced.space }) }),
        )
      }),
    )
  })

  test('keeps the files that both sides have downloaded', () => {
    const asset = { name: 'a', slug: 'a', record: { file_hash: 'ff' } }
    const [base, ours, theirs] = [
      lockOf({ 1: asset }),
      lockOf({ 1: { ...asset, files: { original: sha('o') } } }),
      lockOf({ 1: { ...asset, files: { PNG: sha('p') } } }),
    ]
    expect(mergeLocks(base, ours, theirs)).toEqual(
      lockOf({ 1: { ...asset, files: { original: sha('o'), PNG: sha('p') } } }),
    )
  })

  test('keeps each version apart, and the newer one in use', () => {
    const asset = { name: 'a', slug: 'a' }
    const first = lockOf({ 1: { ...asset, record: { file_hash: 'aa' }, files: { original: sha('o') } } })
    const second = lockOf({ 1: { ...asset, record: { file_hash: 'bb' }, files: { PNG: sha('p') } } }, { version: 2 })
    const [one, two] = [first.kits[uuid(9)], second.kits[uuid(9)]]
    for (const [ours, theirs] of [
      [first, second],
      [second, first],
    ] as const) {
      const merged = mergeLocks({ kits: {} }, ours, theirs).kits[uuid(9)]
      expect(merged).toEqual({ ...one, use: 2, versions: { ...one?.versions, ...two?.versions } })
    }
  })
})

function namesOf({ kits }: Lock): { names: string[]; slugs: string[] } {
  const all = Object.values(kits)
  const tables = all.flatMap((one) => Object.values(one.versions))
  const assets = tables.flatMap((one) => Object.values(one.assets)).flatMap((one) => [one, ...(one.aliases ?? [])])
  const slugs = [
    ...all,
    ...tables.flatMap((one) => [...Object.values(one.sections), ...Object.values(one.items)]),
  ].flatMap((one) => [one.slug ?? '', ...(one.aliases ?? [])])
  return {
    names: assets.map(({ name }) => name),
    slugs: [...slugs.filter((slug) => slug !== ''), ...assets.map(({ slug }) => slug)],
  }
}

function sha(letter: string): string {
  return `sha256-${letter.repeat(43)}=`
}

function catching(step: () => unknown): ContentSpaceError {
  try {
    step()
  } catch (error) {
    if (error instanceof ContentSpaceError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

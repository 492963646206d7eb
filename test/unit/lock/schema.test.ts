import { fc } from '../../support/random.js'
import { describe, expect, test } from 'vitest'
import { ContentSpaceError } from '../../../src/errors.js'
import { formatLock } from '../../../src/lock/format.js'
import { parseLock, type Lock } from '../../../src/lock/schema.js'
import { mergeLocks } from '../../../src/lock/merge.js'
import { isExportName, isSlug } from '../../../src/kit/identifiers.js'
import { everything, hostileTexts, steered } from '../../support/hostile-texts.js'
import { arbitraryLock, uuid } from '../../support/lock.js'

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
    expect(formatLock(lockOf({ [uuid(2)]: turned, [uuid(1)]: one }))).toBe(
      formatLock(lockOf({ [uuid(1)]: one, [uuid(2)]: two })),
    )
  })

  test('gives each asset one line', () => {
    const text = formatLock(
      lockOf({ [uuid(1)]: { name: 'a', slug: 'a', file_hash: 'ff' }, [uuid(2)]: { name: 'b', slug: 'b' } }),
    )
    const lines = text.split('\n').filter((line) => line.includes(uuid(1)))
    expect(lines).toEqual([`        "${uuid(1)}": {"name":"a","slug":"a","file_hash":"ff"},`])
  })

  test.each([
    ['conflict markers', '{\n<<<<<<< HEAD\n}\n=======\n>>>>>>> other\n', 'conflict markers'],
    ['a newer schema', '{"lockfileVersion": 2, "kits": {}}', 'lockfileVersion 2'],
    ['a byte order mark', '\uFEFF{"lockfileVersion": 1, "kits": {}}', 'byte order mark'],
    ['garbage', 'not json', 'is not valid JSON'],
    ['another document', '{"name": "x"}', 'lockfileVersion is missing'],
    ['a field of nobody', '{"lockfileVersion": 1, "kits": {}, "more": 1}', 'more'],
    [
      'a hash that is none',
      formatLock(lockOf({ [uuid(1)]: { name: 'a', slug: 'a', files: { original: 'sha256-x' } } })),
      'sha256',
    ],
    [
      'a name given twice',
      formatLock(lockOf({ [uuid(1)]: { name: 'a', slug: 'a' }, [uuid(2)]: { name: 'a', slug: 'a' } })),
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
    file_hash: 'ff',
    files: { original: sha('o') },
    lastSeen: version,
  }
  const kit = {
    slug: 'brand',
    aliases: ['mark'],
    selectors: { use: version },
    sections: { [uuid(3)]: { slug: 'logos', aliases: ['marks'] } },
    headings: { [uuid(4)]: { slug: 'dark' } },
    assets: { [uuid(1)]: asset },
  }
  const valid = JSON.stringify({ lockfileVersion: 1, space: '7', kits: { [uuid(9)]: kit } })

  /** Returns the lock with its string number `at` replaced; keys count as strings. */
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

  test('has valid names and slugs, or is refused, with any string at any place', () => {
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
    [
      'a name that is code',
      'name',
      'x } from "data:,hit()"; export { y',
      `kits["${uuid(9)}"].assets["${uuid(1)}"].name`,
    ],
    ['a name that is a keyword', 'name', 'default', '.name'],
    ['a name that is a prototype', 'name', '__proto__', '.name'],
    ['a name with a local of generated code', 'name', 'asset$0', '.name'],
    ['a name with a joiner', 'name', 'a\u200Db', '.name'],
    ['a slug that is a path', 'slug', '../../x', '.slug'],
    ['a slug with a quote', 'slug', "a'b", '.slug'],
    ['a hash of a file that is none', 'file_hash', 'xyz', '.file_hash'],
    ['a date that is none', 'date', '</script>', '.date'],
  ])('is refused with %s', (_, key, text, place) => {
    const json = valid.replaceAll(new RegExp(`"${key}":"[^"]*"`, 'g'), () => `"${key}":${JSON.stringify(text)}`)
    const refused = catching(() => parseLock(json, 'content-space.lock.json'))
    expect(refused).toMatchObject({ code: 'invalidLock', hint: expect.stringContaining('content-space sync') })
    expect(refused.message).toContain(place.split('[')[0] === '' ? place : place.slice(-10))
  })

  test.each([
    ['a negative version', '"version":1', '"version":-1'],
    ['a fraction of a version', '"version":1', '"version":1.5'],
    ['a selector that is none', '"use":', '"latest":'],
    ['the id of a space with a line feed', '"space":"7"', '"space":"7\\n"'],
    ['a cut with a control character', '"original":', '"a\\u001b":'],
    ['a uuid that is none', uuid(3), '../x'],
    ['a short sha256', sha('o'), 'sha256-oo='],
  ])('is refused with %s', (_, before, after) => {
    expect(valid).toContain(before)
    expect(catching(() => parseLock(valid.replace(before, after), 'lock')).code).toBe('invalidLock')
  })

  test('may have any text as the label of a version, which is escaped and read back', () => {
    const lock = {
      space: '7',
      kits: { [uuid(9)]: { ...kit, selectors: { use: { version: 1, versionIdentifier: everything } } } },
    }
    expect(steered(formatLock(lock))).toEqual([])
    expect(parseLock(formatLock(lock), 'lock').kits[uuid(9)]?.selectors['use']?.versionIdentifier).toBe(everything)
  })

  test('is also read when its labels are not escaped, as earlier versions wrote them', () => {
    expect(
      parseLock(valid.replace('"1.0"', '"a\u202Eb\u2028c"'), 'lock').kits[uuid(9)]?.selectors['use']?.versionIdentifier,
    ).toBe('a\u202Eb\u2028c')
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
    const asset = { name: 'a', slug: 'a', file_hash: 'ff' }
    const [base, ours, theirs] = [
      lockOf({ [uuid(1)]: asset }),
      lockOf({ [uuid(1)]: { ...asset, files: { original: sha('o') } } }),
      lockOf({ [uuid(1)]: { ...asset, files: { PNG: sha('p') } } }),
    ]
    expect(mergeLocks(base, ours, theirs)).toEqual(
      lockOf({ [uuid(1)]: { ...asset, files: { original: sha('o'), PNG: sha('p') } } }),
    )
  })

  test('keeps the files that each side has of its own version, and those of a version that both have', () => {
    const first = withVersions([1], { file_hash: 'aa', files: { original: sha('o') } })
    const second = withVersions([2], { file_hash: 'bb', files: { PNG: sha('p') } })
    const [former, other] = [{ aa: { original: sha('o') } }, { aa: { PNG: sha('q') } }]
    const both = withVersions([1, 2], { file_hash: 'bb', files: { PNG: sha('p') }, revisions: former })
    expect(mergeLocks({ kits: {} }, first, second)).toEqual(both)
    expect(mergeLocks(first, withVersions([1, 2], { file_hash: 'bb', revisions: other }), both)).toEqual(
      withVersions([1, 2], {
        file_hash: 'bb',
        files: { PNG: sha('p') },
        revisions: { aa: { ...former.aa, ...other.aa } },
      }),
    )
    // With one version, there is no other file.
    const changed = withVersions([2], { file_hash: 'aa', files: { original: sha('o') } })
    expect([changed, second]).toContainEqual(mergeLocks({ kits: {} }, changed, second))
  })
})

function lockOf(assets: Lock['kits'][string]['assets']): Lock {
  return { space: '7', kits: { [uuid(9)]: { slug: 'brand', selectors: {}, sections: {}, headings: {}, assets } } }
}

function withVersions(numbers: number[], asset: object): Lock {
  const selectors = Object.fromEntries(numbers.map((version) => [version, { version, versionIdentifier: '' }]))
  const kit = { slug: 'brand', selectors, sections: {}, headings: {} }
  return { kits: { [uuid(9)]: { ...kit, assets: { [uuid(1)]: { name: 'a', slug: 'a', ...asset } } } } }
}

function namesOf({ kits }: Lock): { names: string[]; slugs: string[] } {
  const all = Object.values(kits)
  const assets = all.flatMap((one) => Object.values(one.assets)).flatMap((one) => [one, ...(one.aliases ?? [])])
  const slugs = all
    .flatMap((one) => [one, ...Object.values(one.sections), ...Object.values(one.headings)])
    .flatMap((one) => [one.slug, ...(one.aliases ?? [])])
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

import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatLock } from '../../../src/lock/format.js'
import { parseLock, type Lock, type LockedAsset } from '../../../src/lock/schema.js'
import { parseOneSide, parseSides } from '../../../src/lock/sides.js'
import { arbitraryLock, lockOf, uuid } from '../../support/lock.js'
import { runs } from '../../support/long.js'
import { fc } from '../../support/random.js'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lock-sides-'))))
afterAll(() => rm(folder, { recursive: true }))

const sha = (letter: string): string => `sha256-${letter.repeat(43)}=`
const acme: LockedAsset = { name: 'acmeLogo', slug: 'acme-logo', record: { file_hash: 'aa' } }
const plain = (name: string): LockedAsset => ({ name, slug: name, record: { file_hash: 'aa' } })

/** Returns a lock with different assets in a version and another version in use. */
function sideOf(use: number, assets: Record<number, LockedAsset>): Lock {
  const lock = lockOf(assets)
  return { ...lock, kits: { [uuid(9)]: { name: 'Brand', slug: 'brand', versions: {}, ...lock.kits[uuid(9)], use } } }
}

const base = sideOf(1, { 1: acme, 4: plain('last') })
/** Contains a cut that was downloaded, and another new asset. */
const older = sideOf(2, {
  1: { ...acme, files: { PNG: sha('P') } },
  2: plain('badge'),
  4: plain('last'),
  5: plain('older'),
})
const newer = sideOf(3, {
  1: { ...acme, files: { original: sha('A') } },
  3: { ...plain('chart'), files: { original: sha('C') } },
  4: plain('last'),
  6: plain('newer'),
})
const both = sideOf(3, {
  1: { ...acme, files: { original: sha('A'), PNG: sha('P') } },
  2: plain('badge'),
  3: { ...plain('chart'), files: { original: sha('C') } },
  4: plain('last'),
  5: plain('older'),
  6: plain('newer'),
})
const path = (side: string): string => join(folder, side)

/** Returns the text that git leaves after a merge with conflicts. */
async function conflict(ours: Lock, theirs: Lock, ...style: string[]): Promise<string> {
  for (const [side, lock] of Object.entries({ base, ours, theirs })) await writeFile(path(side), formatLock(lock))
  const files = [path('ours'), path('base'), path('theirs')]
  expect(() => execFileSync('git', ['merge-file', ...style, ...files])).toThrow()
  const text = await readFile(path('ours'), 'utf8')
  expect(text).toMatch(/^<{7} .*^={7}$.*^>{7} /ms)
  return text
}

/** Removes only the conflict markers. */
const withoutMarkers = (text: string): string => text.replaceAll(/^(<{7}|={7}|>{7}).*\n/gm, '')

const said = [`kit brand: use is version 3, and not 2`]

describe('both sides of a merge', () => {
  test.each([
    ['ours', older, newer],
    ['theirs', newer, older],
  ])('give the newer version, and all names and files, with the older one as %s', async (_, ours, theirs) => {
    for (const style of [[], ['--diff3'], ['--zdiff3']]) {
      const found = parseSides(await conflict(ours, theirs, ...style), 'lock')
      expect([formatLock(found.lock), found.merged]).toEqual([formatLock(both), said])
    }
    const kept = withoutMarkers(await conflict(ours, theirs))
    expect(() => void JSON.parse(kept)).toThrow(SyntaxError)
    for (const text of [kept, kept.replaceAll('\n', '\r\n')]) {
      const found = parseSides(text, 'lock')
      expect([formatLock(found.lock), found.merged]).toEqual([formatLock(both), said])
    }
  })

  test('are found in valid JSON, too, of which JSON.parse reads the last entry', () => {
    const text = formatLock(newer).replace('"use": 3,\n', '"use": 3,\n      "use": 2,\n')
    expect(parseLock(text, 'lock').kits[uuid(9)]?.use).toBe(2)
    expect(parseSides(text, 'lock')).toEqual({ lock: newer, merged: said })
  })

  test('are found if a whole kit exists twice', () => {
    const split = /(?<="kits": \{\n\n)|(?<=\n {4}\})\n(?=\n {2}\})/
    const [head = '', kit = '', end = ''] = formatLock(older).split(split)
    const [, other = ''] = formatLock(newer).split(split)
    const found = parseSides([head, other, '\n', kit, '\n', end].join(''), 'lock')
    expect([formatLock(found.lock), found.merged]).toEqual([formatLock(both), said])
  })

  test('keep the files of both sides if the record is the same, and of one side if it differs', () => {
    const changed = { ...acme, name: 'b', record: { file_hash: 'bb' }, files: { PNG: sha('B') } }
    const [ours, theirs] = [
      lockOf({ 1: { ...acme, files: { original: sha('A') } }, 2: changed }),
      lockOf({ 1: { ...acme, files: { PNG: sha('P') } }, 2: { ...acme, name: 'b' } }),
    ]
    const text = `<<<<<<< a\n${formatLock(ours)}=======\n${formatLock(theirs)}>>>>>>> b\n`
    const { assets } = parseSides(text, 'lock').lock.kits[uuid(9)]?.versions[1] ?? {}
    expect(assets?.[uuid(1)]?.files).toEqual({ original: sha('A'), PNG: sha('P') })
    expect(assets?.[uuid(2)]).toEqual(changed)
  })

  test('keep a renamed asset with its former name', () => {
    const renamed = { ...acme, name: 'corpLogo', slug: 'corp-logo', aliases: [{ name: 'acmeLogo', slug: 'acme-logo' }] }
    const text = `<<<<<<< a\n${formatLock(lockOf({ 1: renamed }))}=======\n${formatLock(lockOf({ 1: acme }))}>>>>>>> b\n`
    expect(parseSides(text, 'lock').lock).toEqual(lockOf({ 1: renamed }))
  })

  test.each([
    [
      'an asset with two names',
      lockOf({ 1: { ...acme, name: 'corpLogo', slug: 'corp-logo' } }),
      `kit brand: asset ${uuid(1)} is called acmeLogo (acme-logo) and corpLogo (corp-logo)`,
    ],
    ['a name of two assets', lockOf({ 2: acme }), `${uuid(1)} and ${uuid(2)}`],
    ['two spaces', { ...lockOf({}), space: '8' }, 'the space is 7 and 8'],
  ])('are an error that lists both for %s', (_, theirs, listed) => {
    const ours = lockOf({ 1: acme })
    const text = `<<<<<<< a\n${formatLock(ours)}=======\n${formatLock(theirs)}>>>>>>> b\n`
    expect(() => parseSides(text, 'the.lock')).toThrow(
      expect.objectContaining({
        code: 'invalidLock',
        message: expect.stringContaining(listed),
      }),
    )
  })

  test("are an error if writing isn't allowed", async () => {
    const text = await conflict(older, newer)
    for (const [unmerged, what] of [
      [text, 'contains merge conflict markers'],
      [withoutMarkers(text), 'contains the lines of both sides of a merge'],
    ] as const) {
      expect(() => parseOneSide(unmerged, 'the.lock')).toThrow(
        expect.objectContaining({ code: 'invalidLock', message: expect.stringContaining(`the.lock ${what}`) }),
      )
    }
  })

  test('give either side if the other one is unchanged, in any lock', () => {
    fc.assert(
      fc.property(arbitraryLock, (lock) => {
        const text = formatLock(lock)
        expect(parseSides(text, 'lock').merged).toBeUndefined()
        expect(formatLock(parseOneSide(text.replaceAll('\n\n', '\n'), 'lock'))).toBe(text)
        const found = parseSides(`<<<<<<< a\n${text}||||||| base\n{}\n=======\n${text}>>>>>>> b\n`, 'lock')
        expect([formatLock(found.lock), found.merged]).toEqual([text, []])
      }),
      { numRuns: runs(100, 10_000) },
    )
  })
})

test.each([
  ['markers that are not complete', `${formatLock(base)}=======\n`, 'merge conflict markers'],
  ['markers in another order', `>>>>>>> a\n${formatLock(base)}<<<<<<< b\n`, 'merge conflict markers'],
  [
    'a side that is no lock',
    `<<<<<<< a\n${formatLock(base)}=======\n{}\n>>>>>>> b\n`,
    'one side is not a valid lockfile',
  ],
  ['a byte order mark', `\uFEFF${formatLock(base)}`, 'byte order mark'],
  ['text without structure', 'garbage', 'is not valid JSON'],
  ['a quote without end', '{"a": "b}', 'is not valid JSON'],
  ['an object without end', '{"a": {"b": 1', 'is not valid JSON'],
  ['more than one object', `${formatLock(base)}${formatLock(base)}`, 'is not valid JSON'],
  ['deep nesting', '['.repeat(1e5), 'is not valid JSON'],
  ['deep nesting of objects', '{"a":'.repeat(1e5), 'is not valid JSON'],
  ['an unknown field', '{"lockfileVersion": 2, "kits": {}, "more": 1}', 'more is unknown'],
  ['a newer format', '{"lockfileVersion": 3, "kits": {}}', 'lockfileVersion 3'],
])('rejects %s', (_, text, message) => {
  expect(() => parseSides(text, 'the.lock')).toThrow(
    expect.objectContaining({ code: 'invalidLock', message: expect.stringContaining(message) }),
  )
})

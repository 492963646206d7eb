import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatLock } from '../../../src/lock/format.js'
import { parseLock, type Lock, type LockedAsset, type LockedVersion } from '../../../src/lock/schema.js'
import { parseOneSide, parseSides } from '../../../src/lock/sides.js'
import { arbitraryLock, uuid } from '../../support/lock.js'
import { runs } from '../../support/long.js'
import { fc } from '../../support/random.js'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lock-sides-'))))
afterAll(() => rm(folder, { recursive: true }))

const sha = (letter: string): string => `sha256-${letter.repeat(43)}=`
const version = (number: number): LockedVersion => ({ version: number, versionIdentifier: `${number}.0` })
const acme: LockedAsset = { name: 'acmeLogo', slug: 'acme-logo', file_hash: 'aa' }

function lockOf(use: number, assets: Record<number, LockedAsset>): Lock {
  const byUuid = Object.fromEntries(Object.entries(assets).map(([number, asset]) => [uuid(Number(number)), asset]))
  const kit = { slug: 'brand', selectors: { use: version(use) }, sections: {}, headings: {}, assets: byUuid }
  return { space: '7', kits: { [uuid(9)]: kit } }
}

const base = lockOf(1, { 1: acme, 4: { name: 'last', slug: 'last' } })
/** Of an older version, with a cut that was downloaded and another new asset. */
const older = lockOf(2, {
  1: { ...acme, file_hash: 'bb', files: { original: sha('B'), PNG: sha('P') } },
  2: { name: 'badge', slug: 'badge' },
  4: { name: 'last', slug: 'last' },
  5: { name: 'older', slug: 'older' },
})
const newer = lockOf(3, {
  1: { ...acme, file_hash: 'cc', files: { original: sha('A') } },
  3: { name: 'chart', slug: 'chart', files: { original: sha('C') } },
  4: { name: 'last', slug: 'last' },
  6: { name: 'newer', slug: 'newer' },
})
const both = lockOf(3, {
  1: { ...acme, file_hash: 'cc', files: { original: sha('A') } },
  2: { name: 'badge', slug: 'badge' },
  3: { name: 'chart', slug: 'chart', files: { original: sha('C') } },
  4: { name: 'last', slug: 'last' },
  5: { name: 'older', slug: 'older' },
  6: { name: 'newer', slug: 'newer' },
})

const path = (side: string): string => join(folder, side)

/** The text that git leaves after a merge with conflicts. */
async function conflict(ours: Lock, theirs: Lock, ...style: string[]): Promise<string> {
  for (const [side, lock] of Object.entries({ base, ours, theirs })) await writeFile(path(side), formatLock(lock))
  const files = [path('ours'), path('base'), path('theirs')]
  expect(() => execFileSync('git', ['merge-file', ...style, ...files])).toThrow()
  const text = await readFile(path('ours'), 'utf8')
  expect(text).toMatch(/^<{7} .*^={7}$.*^>{7} /ms)
  return text
}

/** Removes the markers of conflicts, and nothing else. */
const withoutMarkers = (text: string): string => text.replaceAll(/^(<{7}|={7}|>{7}).*\n/gm, '')

const said = [`kit brand: use is version 3, and not 2`]

/** What a merge makes of the selector. */
function merge(ours: string, theirs: string): unknown[] {
  const { lock, merged } = parseSides(`<<<<<<< a\n${ours}=======\n${theirs}>>>>>>> b\n`, 'lock')
  return [lock.kits[uuid(9)]?.selectors['use'], merged]
}

describe('both sides of a merge', () => {
  test.each([
    ['ours', older, newer],
    ['theirs', newer, older],
  ])('give the newer version, and all names and files, with the older one as %s', async (_, ours, theirs) => {
    for (const style of [[], ['--diff3'], ['--zdiff3']]) {
      const { lock, merged } = parseSides(await conflict(ours, theirs, ...style), 'lock')
      expect([formatLock(lock), merged]).toEqual([formatLock(both), said])
    }
    const kept = withoutMarkers(await conflict(ours, theirs))
    expect(() => void JSON.parse(kept)).toThrow('Expected')
    for (const text of [kept, kept.replaceAll('\n', '\r\n')]) {
      const { lock, merged } = parseSides(text, 'lock')
      expect([formatLock(lock), merged]).toEqual([formatLock(both), said])
    }
  })

  test('are found in valid JSON, too, of which JSON.parse reads the last entry', () => {
    const [line = ''] = /"use": .*\n/.exec(formatLock(older)) ?? []
    const text = formatLock(newer).replace(/("use": .*)\n/, `$1,\n        ${line}`)
    expect(parseLock(text, 'lock').kits[uuid(9)]?.selectors['use']?.version).toBe(2)
    expect(parseSides(text, 'lock')).toEqual({ lock: newer, merged: said })
  })

  test('are found where a whole kit is there twice', () => {
    const [head = '', kit = '', end = ''] = formatLock(older).split(/(?<="kits": \{\n)|(?<=\n {4}\})\n(?= {2}\})/)
    const [, other = ''] = formatLock(newer).split(/(?<="kits": \{\n)|(?<=\n {4}\})\n(?= {2}\})/)
    const { lock, merged } = parseSides([head, other, '\n', kit, '\n', end].join(''), 'lock')
    expect([formatLock(lock), merged]).toEqual([formatLock(both), said])
  })

  test('keep the files of both for the same revision, and the newer ones for another', () => {
    const [ours, theirs] = [
      lockOf(2, { 1: { ...acme, files: { original: sha('A') } }, 2: { ...acme, name: 'b', files: { PNG: sha('B') } } }),
      lockOf(1, { 1: { ...acme, files: { PNG: sha('P') } }, 2: { name: 'b', slug: 'acme-logo' } }),
    ]
    const text = `<<<<<<< a\n${formatLock(ours)}=======\n${formatLock(theirs)}>>>>>>> b\n`
    const { assets } = parseSides(text, 'lock').lock.kits[uuid(9)] ?? {}
    expect(assets?.[uuid(1)]?.files).toEqual({ original: sha('A'), PNG: sha('P') })
    expect(assets?.[uuid(2)]).toEqual(ours.kits[uuid(9)]?.assets[uuid(2)])
  })

  test('keep the digest of the newer version, and none if one version has two', () => {
    const side = (use: number, content?: string): string => {
      const selectors = { use: { ...version(use), ...(content === undefined ? {} : { content: sha(content) }) } }
      return formatLock({
        space: '7',
        kits: { [uuid(9)]: { slug: 'brand', selectors, sections: {}, headings: {}, assets: {} } },
      })
    }
    expect(merge(side(3, 'A'), side(2, 'B'))).toEqual([{ ...version(3), content: sha('A') }, said])
    expect(merge(side(3), side(3, 'B'))).toEqual([{ ...version(3), content: sha('B') }, []])
    expect(merge(side(3, 'A'), side(3, 'B'))).toEqual([
      version(3),
      ['kit brand: version 3 is as the space lists it now'],
    ])
  })

  test('keep a renamed asset with its former name', () => {
    const renamed = { ...acme, name: 'corpLogo', slug: 'corp-logo', aliases: [{ name: 'acmeLogo', slug: 'acme-logo' }] }
    const text = `<<<<<<< a\n${formatLock(lockOf(2, { 1: renamed }))}=======\n${formatLock(lockOf(2, { 1: acme }))}>>>>>>> b\n`
    expect(parseSides(text, 'lock').lock).toEqual(lockOf(2, { 1: renamed }))
  })

  test.each([
    [
      'an asset with two names',
      lockOf(2, { 1: { ...acme, name: 'corpLogo', slug: 'corp-logo' } }),
      `kit brand: asset ${uuid(1)} is called acmeLogo (acme-logo) and corpLogo (corp-logo)`,
    ],
    ['a name of two assets', lockOf(1, { 2: acme }), `${uuid(1)} and ${uuid(2)}`],
    ['two spaces', { ...lockOf(1, {}), space: '8' }, 'the space is 7 and 8'],
  ])('are an error that lists both for %s', (_, theirs, listed) => {
    const ours = lockOf(1, { 1: acme })
    const text = `<<<<<<< a\n${formatLock(ours)}=======\n${formatLock(theirs)}>>>>>>> b\n`
    expect(() => parseSides(text, 'the.lock')).toThrow(
      expect.objectContaining({
        code: 'invalidLock',
        message: expect.stringContaining(listed),
      }),
    )
  })

  test('are an error where nothing may be written', async () => {
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

  test('give either lock where the other one is the same, in any lock', () => {
    fc.assert(
      fc.property(arbitraryLock, (lock) => {
        const text = formatLock(lock)
        expect(parseSides(text, 'lock').merged).toBeUndefined()
        expect(formatLock(parseOneSide(text.replaceAll('\n\n', '\n'), 'lock'))).toBe(text)
        const merged = parseSides(`<<<<<<< a\n${text}||||||| base\n{}\n=======\n${text}>>>>>>> b\n`, 'lock')
        expect([formatLock(merged.lock), merged.merged]).toEqual([text, []])
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
  ['an unknown field', '{"lockfileVersion": 1, "kits": {}, "more": 1}', 'more is unknown'],
  ['a newer format', '{"lockfileVersion": 2, "kits": {}}', 'lockfileVersion 2'],
])('refuses %s', (_, text, message) => {
  expect(() => parseSides(text, 'the.lock')).toThrow(
    expect.objectContaining({ code: 'invalidLock', message: expect.stringContaining(message) }),
  )
})

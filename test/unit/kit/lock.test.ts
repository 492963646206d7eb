import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ContentSpaceError } from '../../../src/errors.js'
import { formatLock, parseLock, type Lock } from '../../../src/kit/lock.js'
import { mergeLocks } from '../../../src/kit/merge.js'
import { arbitraryLock, uuid } from '../../support/lock.js'

describe('the text of a lock', () => {
  it('reads back as it was', () => {
    fc.assert(fc.property(arbitraryLock, (lock) => {
      const text = formatLock(lock)
      expect(formatLock(parseLock(text, 'lock'))).toBe(text)
      expect(parseLock(text, 'lock').kits).toEqual(lock.kits)
    }))
  })

  it('does not depend on the order in which things became known', () => {
    const [one, two] = [{ name: 'a', slug: 'a' }, { name: 'b', slug: 'b', files: { PNG: sha('p'), original: sha('o') } }]
    const turned = { files: { original: sha('o'), PNG: sha('p') }, slug: 'b', name: 'b' }
    expect(formatLock(lockOf({ [uuid(2)]: turned, [uuid(1)]: one }))).toBe(formatLock(lockOf({ [uuid(1)]: one, [uuid(2)]: two })))
  })

  it('gives each asset one line', () => {
    const text = formatLock(lockOf({ [uuid(1)]: { name: 'a', slug: 'a', file_hash: 'ff' }, [uuid(2)]: { name: 'b', slug: 'b' } }))
    const lines = text.split('\n').filter((line) => line.includes(uuid(1)))
    expect(lines).toEqual([`        "${uuid(1)}": {"name":"a","slug":"a","file_hash":"ff"},`])
  })

  it.each([
    ['conflict markers', '{\n<<<<<<< HEAD\n}\n=======\n>>>>>>> other\n', 'conflict markers'],
    ['a newer schema', '{"lockfileVersion": 2, "kits": {}}', 'lockfileVersion 2'],
    ['a byte order mark', '\uFEFF{"lockfileVersion": 1, "kits": {}}', 'byte order mark'],
    ['garbage', 'not json', 'is not JSON'],
    ['another document', '{"name": "x"}', 'cannot be read'],
    ['a field of nobody', '{"lockfileVersion": 1, "kits": {}, "more": 1}', 'more'],
    ['a hash that is none', formatLock(lockOf({ [uuid(1)]: { name: 'a', slug: 'a', files: { original: 'sha256-x' } } })), 'sha256'],
    ['a name given twice', formatLock(lockOf({ [uuid(1)]: { name: 'a', slug: 'a' }, [uuid(2)]: { name: 'a', slug: 'a' } })), 'two assets'],
  ])('refuses %s', (_, text, message) => {
    const refused = catching(() => parseLock(text, 'content-space.lock.json'))
    expect(refused.code).toBe('invalidLock')
    expect(refused.message).toContain(message)
    expect(refused.message).toContain('content-space.lock.json')
  })
})

describe('merging', () => {
  it('gives the same whichever side is ours', () => {
    fc.assert(fc.property(arbitraryLock, arbitraryLock, arbitraryLock, (base, ours, theirs) => {
      expect(formatLock(mergeLocks(base, ours, theirs))).toBe(formatLock(mergeLocks(base, theirs, ours)))
    }))
  })

  it('takes the side that changed', () => {
    fc.assert(fc.property(arbitraryLock, arbitraryLock, (base, ours) => {
      const spaced = { ...base, ...(ours.space === undefined ? {} : { space: ours.space }) }
      expect(formatLock(mergeLocks(spaced, ours, spaced))).toBe(formatLock({ ...ours, ...(spaced.space === undefined ? {} : { space: spaced.space }) }))
    }))
  })

  it('keeps the files that both sides have downloaded', () => {
    const asset = { name: 'a', slug: 'a', file_hash: 'ff' }
    const [base, ours, theirs] = [
      lockOf({ [uuid(1)]: asset }),
      lockOf({ [uuid(1)]: { ...asset, files: { original: sha('o') } } }),
      lockOf({ [uuid(1)]: { ...asset, files: { PNG: sha('p') } } }),
    ]
    expect(mergeLocks(base, ours, theirs)).toEqual(lockOf({ [uuid(1)]: { ...asset, files: { original: sha('o'), PNG: sha('p') } } }))
  })
})

function lockOf(assets: Lock['kits'][string]['assets']): Lock {
  return { space: '7', kits: { [uuid(9)]: { slug: 'brand', selectors: {}, sections: {}, headings: {}, assets } } }
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

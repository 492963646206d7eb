import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { integrityOf } from '../../../src/disk/content.js'
import { createKeyPair, readKeys } from '../../../src/remote/keys.js'
import type { Subject } from '../../../src/remote/signature.js'

const subject: Subject = { kind: 'made', key: 'source\nrecipe\nsharp@1' }
const content = { size: 7, integrity: integrityOf('content') }
const secret = 'a shared secret with 32 letters!'
const [pair, other] = [createKeyPair(), createKeyPair()]

function lineOf(key: string): string {
  return Buffer.from(readKeys(key, undefined)?.sign(subject, content) ?? '')
    .toString()
    .trim()
}

test('a pair is two lines of base64url, and each pair is another', () => {
  for (const key of Object.values({ ...pair })) expect(key).toMatch(/^[\w-]+$/)
  expect(new Set([pair.key, pair.publicKey, other.key, other.publicKey]).size).toBe(4)
})

test('the public key checks what the private one signs, and signs nothing', () => {
  const reader = readKeys(undefined, pair.publicKey)
  expect(reader?.open(subject, lineOf(pair.key))).toEqual(content)
  expect(reader?.sign(subject, content)).toBe(undefined)
  expect(readKeys(pair.key, pair.publicKey)?.open(subject, lineOf(pair.key))).toEqual(content)
  expect(readKeys(` ${pair.key}\n`, undefined)?.canSign).toBe(true)
})

test.each([
  ['another pair', lineOf(other.key)],
  ['a secret', lineOf(secret)],
  // Those who read have the public key: it must not work as a secret.
  ['the public key as a secret', lineOf(`${pair.publicKey}-`.replace('MCow', 'mCow'))],
  ['another content', lineOf(pair.key).replace(' 7 ', ' 8 ')],
])('does not believe what is signed with %s', (_, line) => {
  expect(line).toMatch(/^content-space 1 /)
  expect(readKeys(undefined, pair.publicKey)?.open(subject, line)).toBe(undefined)
})

test('does not believe another subject', () => {
  const reader = readKeys(undefined, pair.publicKey)
  expect(reader?.open({ ...subject, key: 'another' }, lineOf(pair.key))).toBe(undefined)
  expect(reader?.open({ ...subject, kind: 'kit' }, lineOf(pair.key))).toBe(undefined)
})

test('without keys, there is no signer', () => expect(readKeys(undefined, undefined)).toBe(undefined))

test.each<[string, string | undefined, string | undefined, RegExp]>([
  ['one letter', 'x', undefined, /remoteKey is too short.*at least 32/],
  ['31 characters', secret.slice(1), undefined, /remoteKey is too short/],
  ['a public key as remoteKey', pair.publicKey, undefined, /remoteKey is a public key/],
  ['a private key as remotePublicKey', undefined, pair.key, /remotePublicKey is a private key/],
  ['a part of a private key', pair.key.slice(0, -1), undefined, /remoteKey is a private key that is not complete/],
  ['a part of a public key', undefined, pair.publicKey.slice(0, -1), /remotePublicKey is not a public key/],
  ['a secret as remotePublicKey', undefined, secret, /remotePublicKey is not a public key/],
  ['keys of two pairs', pair.key, other.publicKey, /not of one pair/],
  ['a secret and a public key', secret, pair.publicKey, /remoteKey is a shared secret, and remotePublicKey is set/],
])('%s is an error that does not repeat keys', (_, key, publicKey, message) => {
  let thrown: unknown
  try {
    readKeys(key, publicKey)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toMatchObject({ code: 'invalidOption', message: expect.stringMatching(message) })
  const text = inspect(thrown, { depth: 9, showHidden: true })
  for (const one of [key, publicKey]) if (one !== undefined && one.length > 1) expect(text).not.toContain(one)
})

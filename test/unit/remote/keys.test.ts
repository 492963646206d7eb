import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { integrityOf } from '../../../src/disk/content.js'
import { createKeyPair, createSecret, readKeys } from '../../../src/remote/keys.js'
import type { Subject } from '../../../src/remote/signature.js'

const subject: Subject = { kind: 'made', key: 'source\nrecipe\nsharp@1' }
const content = { size: 7, integrity: integrityOf('content') }
const secret = 'a shared secret with 32 letters!'
const [pair, other] = [createKeyPair(), createKeyPair()]

/** Ways to write half of a key pair other than the key itself. */
const forms: Record<string, (key: string) => string> = {
  'in quotes': (key) => `"${key}"`,
  'in single quotes and spaces': (key) => ` '${key}'`,
  'with its name': (key) => `CONTENT_SPACE_REMOTE_PUBLIC_KEY=${key}`,
  'as an export of a shell': (key) => `export CONTENT_SPACE_REMOTE_KEY="${key}"`,
  'as JSON': (key) => JSON.stringify({ key }),
  'as PEM': (key) => pem(key, '\n'),
  'as PEM on one line': (key) => pem(key, '\\n'),
  'as the body of PEM, in lines': (key) => `\n${base64(key).replaceAll(/.{16}/g, '$&\n')}`,
  'in base64': (key) => `base64:${base64(key)}`,
  'with base64 around it': (key) => Buffer.from(`${key}\n`).toString('base64'),
  'as PEM in base64': (key) => Buffer.from(pem(key, '\n')).toString('base64url'),
  'in hexadecimal digits': (key) => Buffer.from(key, 'base64url').toString('hex'),
  'without its start': (key) => key.slice(1),
  'with a letter of the other case': (key) => key.replace('M', 'm'),
}

const base64 = (key: string) => Buffer.from(key, 'base64url').toString('base64')
const pem = (key: string, end: string) => ['-----BEGIN KEY-----', base64(key), '-----END KEY-----', ''].join(end)

function lineOf(key: string): string {
  return Buffer.from(readKeys(key, undefined)?.sign(subject, content) ?? '')
    .toString()
    .trim()
}

test('a pair is two lines of base64url, and each pair is another', () => {
  for (const key of Object.values({ ...pair })) expect(key).toMatch(/^[\w-]+$/)
  expect(new Set([pair.key, pair.publicKey, other.key, other.publicKey]).size).toBe(4)
})

test('a secret is one line that can be used, and each is another', () => {
  const [one, two] = [createSecret(), createSecret()]
  expect(one).toMatch(/^[\w-]{43}$/)
  expect(one).not.toBe(two)
  expect(readKeys(`${one}\n`, undefined)?.open(subject, lineOf(one))).toEqual(content)
})

test("the public key verifies the private key's signatures but can't sign", () => {
  const reader = readKeys(undefined, pair.publicKey)
  expect(reader?.open(subject, lineOf(pair.key))).toEqual(content)
  expect(reader?.sign(subject, content)).toBe(undefined)
  expect(readKeys(pair.key, pair.publicKey)?.open(subject, lineOf(pair.key))).toEqual(content)
  expect(readKeys(` ${pair.key}\n`, undefined)?.canSign).toBe(true)
})

test.each([
  ['another pair', lineOf(other.key)],
  ['a secret', lineOf(secret)],
  // Readers have the public key, so it must not work as a secret.
  ['the public key as a secret', lineOf(pair.publicKey.slice(-43))],
  ['another content', lineOf(pair.key).replace(' 7 ', ' 8 ')],
])('does not believe what is signed with %s', (_, line) => {
  expect(line).toMatch(/^content-space 1 /)
  expect(readKeys(undefined, pair.publicKey)?.open(subject, line)).toBe(undefined)
})

test('does not believe another subject', () => {
  const reader = readKeys(undefined, pair.publicKey)
  expect(reader?.open({ ...subject, key: 'another' }, lineOf(pair.key))).toBe(undefined)
  expect(reader?.open({ ...subject, kind: 'file' }, lineOf(pair.key))).toBe(undefined)
})

test('without keys, there is no signer', () => expect(readKeys(undefined, undefined)).toBe(undefined))

test.each<[string, string | undefined, string | undefined, RegExp]>([
  ['one letter', 'x', undefined, /remoteKey is too short.*at least 32/],
  ['31 characters', secret.slice(1), undefined, /remoteKey is too short/],
  ['32 spaces', ' '.repeat(32), undefined, /remoteKey is too short/],
  ['11 different characters', 'abcdefghijk'.repeat(3), undefined, /remoteKey is too simple.*12 different/],
  ...Object.entries(forms).flatMap(([form, write]) =>
    Object.entries({ 'a private key': pair.key, 'a public key': pair.publicKey }).map(
      ([what, key]): [string, string, undefined, RegExp] => [
        `${what}, ${form}`,
        write(key),
        undefined,
        /remoteKey (?:looks like one key of a pair|is a public key|is an incomplete private key)/,
      ],
    ),
  ),
  ['a public key as remoteKey', pair.publicKey, undefined, /remoteKey is a public key/],
  ['a private key as remotePublicKey', undefined, pair.key, /remotePublicKey is a private key/],
  ['a part of a private key', pair.key.slice(0, -1), undefined, /remoteKey is an incomplete private key/],
  ['a part of a public key', undefined, pair.publicKey.slice(0, -1), /remotePublicKey is not a public key/],
  ['a secret as remotePublicKey', undefined, secret, /remotePublicKey is not a public key/],
  ['keys of two pairs', pair.key, other.publicKey, /are not a pair/],
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

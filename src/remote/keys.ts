import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { attempt } from '../async/attempt.js'
import { ContentSpaceError } from '../errors.js'
import { createPairSigner, createSigner, type Signer } from './signature.js'

/**
 * The keys of a pair are DER encodings as RFC 8410 defines them for Ed25519, in base64url. Each starts with text that
 * identifies it as a private or public key of this algorithm, so neither can be mistaken for the other or for a shared
 * secret.
 */
const privateKey = { start: 'MC4CAQAwBQYDK2VwBCIEI', complete: /^[\w-]{64}$/ }
const publicKey = { start: 'MCowBQYDK2VwAyEA', complete: /^[\w-]{59}$/ }

/**
 * The minimum length of a shared secret, and its minimum number of different characters. Anyone who sees an entry could
 * guess a shorter or simpler secret.
 */
const leastSecret = { length: 32, letters: 12 }

/**
 * Matches text that occurs only in halves of key pairs: the start of PEM and OpenSSH, the type of a key in a JWK, and
 * the name of Ed25519 in DER, both in base64 as RFC 8410 aligns it and in hexadecimal digits.
 */
const halves = /-----BEGIN |ssh-ed25519|"kty"|BQYDK2Vw|06032b6570/i

/** Creates a key pair for the remote cache (Ed25519), each key as one line of base64url. */
export function createKeyPair(): { key: string; publicKey: string } {
  const pair = generateKeyPairSync('ed25519')
  return {
    key: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
    publicKey: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
  }
}

/** Creates a shared secret for the remote cache, as one line of base64url. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Reads options `remoteKey` and `remotePublicKey`. Messages don't repeat them.
 * @returns undefined without keys, so signed entries are neither read nor written
 * @throws ContentSpaceError `invalidOption`
 */
export function readKeys(key: string | undefined, publicText: string | undefined): Signer | undefined {
  const verifyKey = publicText === undefined ? undefined : readPublicKey(publicText.trim())
  if (key === undefined) return verifyKey && createPairSigner(verifyKey)
  const text = key.trim()
  if (text.startsWith(publicKey.start))
    throw invalidKeys(
      'Option remoteKey is a public key.',
      'Set it as remotePublicKey, or CONTENT_SPACE_REMOTE_PUBLIC_KEY.',
    )
  if (text.startsWith(privateKey.start)) {
    const signKey = readPrivateKey(text)
    const own = createPublicKey(signKey)
    if (verifyKey && !verifyKey.equals(own))
      throw invalidKeys('Options remoteKey and remotePublicKey are not a pair.', `Set both again. ${makePair}`)
    return createPairSigner(own, signKey)
  }
  const both = 'Option remoteKey is a shared secret, and remotePublicKey is set.'
  if (verifyKey) throw invalidKeys(both, 'Use a secret, or a pair of keys.')
  if (isHalf(text))
    throw invalidKeys(
      'Option remoteKey looks like one key of a pair in another format: with quotes, a name, PEM or base64.',
      `Set only the key itself, as npx content-space cache keygen prints it after CONTENT_SPACE_REMOTE_KEY=.`,
    )
  if (text.length < leastSecret.length || new Set(text).size < leastSecret.letters)
    throw invalidKeys(
      `Option remoteKey is too ${text.length < leastSecret.length ? 'short' : 'simple'}: a shared secret has ` +
        `at least ${leastSecret.length} characters, and ${leastSecret.letters} different ones.`,
      'Make one with npx content-space cache keygen --shared, or a pair of keys with npx content-space cache keygen.',
    )
  return createSigner(text)
}

/** Returns whether a string contains one key of a pair, including in base64 or hexadecimal digits. */
function isHalf(text: string): boolean {
  const decoded = [Buffer.from(text, 'base64').toString('latin1'), Buffer.from(text, 'hex').toString('latin1')]
  // A key may contain line breaks and quotes.
  return [text, ...decoded].some((one) => halves.test(one) || halves.test(one.replaceAll(/[\s'"\\]/g, '')))
}

const makePair = 'Make a pair with npx content-space cache keygen.'

function readPrivateKey(text: string): KeyObject {
  // Don't add a cause, because it would be the same text for every failure.
  const der = { key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' } as const
  const key = privateKey.complete.test(text) ? attempt(() => createPrivateKey(der)) : undefined
  if (key) return key
  throw invalidKeys('Option remoteKey is an incomplete private key.', `Copy all of it. ${makePair}`)
}

function readPublicKey(text: string): KeyObject {
  if (text.startsWith(privateKey.start))
    throw invalidKeys(
      'Option remotePublicKey is a private key.',
      'Whoever has it can sign. Set it as remoteKey on machines that write, and use the public key on the others.',
    )
  const der = { key: Buffer.from(text, 'base64url'), format: 'der', type: 'spki' } as const
  const isComplete = text.startsWith(publicKey.start) && publicKey.complete.test(text)
  const key = isComplete ? attempt(() => createPublicKey(der)) : undefined
  if (key) return key
  throw invalidKeys('Option remotePublicKey is not a public key of npx content-space cache keygen.', makePair)
}

function invalidKeys(message: string, hint: string): ContentSpaceError {
  return new ContentSpaceError('invalidOption', message, { hint })
}

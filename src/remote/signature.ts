import { createHmac, sign, timingSafeEqual, verify, type KeyObject } from 'node:crypto'
import type { ContentInfo } from '../disk/content.js'
import type { SignedKind } from './names.js'

/** Describes an entry. Its signature covers this description and the content. */
export interface Subject {
  kind: SignedKind
  /** Contains everything that the content is made from. */
  key: string
}

export type Signer = ReturnType<typeof signerOf>

const format = 'content-space 1'

/** The maximum length of a valid line in bytes. */
export const maxLineLength = 256

/** Signs and verifies with a secret that writers and readers share (HMAC-SHA-256). */
export function createSigner(secret: string): Signer {
  const signatureOf = (data: Buffer): Buffer => createHmac('sha256', secret).update(data).digest()
  return signerOf(signatureOf, {
    length: 32,
    verify: (data, signature) => timingSafeEqual(signatureOf(data), signature),
  })
}

/**
 * Verifies with a public key, and signs with the private key of its pair (Ed25519).
 * @param privateKey undefined on machines that only read
 */
export function createPairSigner(publicKey: KeyObject, privateKey?: KeyObject): Signer {
  return signerOf(privateKey && ((data) => sign(null, data, privateKey)), {
    length: 64,
    verify: (data, signature) => verify(null, data, publicKey, signature),
  })
}

interface Check {
  /** The length of a signature in bytes. It differs between signing algorithms. */
  length: number
  verify: (data: Buffer, signature: Buffer) => boolean
}

function signerOf(signatureOf: ((data: Buffer) => Buffer) | undefined, { length, verify: isValid }: Check) {
  const pattern = new RegExp(`^${format} (\\d{1,15}) (sha256-[A-Za-z0-9+/]{43}=) ([\\da-f]{${2 * length}})$`)
  const dataOf = ({ kind, key }: Subject, { size, integrity }: ContentInfo): Buffer =>
    Buffer.from(JSON.stringify([format, kind, key, size, integrity]))
  return {
    /** Whether it can sign entries. A public key can only verify them. */
    canSign: signatureOf !== undefined,
    /**
     * Returns the first line of an entry: `content-space 1 <size> <sha256> <signature>`. Returns undefined if it can't
     * sign.
     */
    sign(this: void, subject: Subject, content: ContentInfo): Uint8Array | undefined {
      const signature = signatureOf?.(dataOf(subject, content)).toString('hex')
      if (signature === undefined) return undefined
      return Buffer.from(`${format} ${content.size} ${content.integrity} ${signature}\n`)
    },
    /** Reads the first line of an entry, or returns undefined if it wasn't signed for this subject. */
    open(this: void, subject: Subject, line: string): ContentInfo | undefined {
      const [, size, integrity, signature] = pattern.exec(line) ?? []
      if (size === undefined || integrity === undefined || signature === undefined) return undefined
      const content = { size: Number(size), integrity }
      return isValid(dataOf(subject, content), Buffer.from(signature, 'hex')) ? content : undefined
    },
  }
}

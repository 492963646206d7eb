import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ContentInfo } from '../disk/content.js'
import type { SignedKind } from './names.js'

/** What an entry is: its signature covers this, besides its content. */
export interface Subject {
  kind: SignedKind
  /** Everything that the content is made from. */
  key: string
}

/** Signs and checks entries with option `remoteKey`. */
export interface Signer {
  /** Returns the first line of an entry: `content-space 1 <size> <sha256> <signature>`. */
  sign(this: void, subject: Subject, content: ContentInfo): Uint8Array
  /** Reads the first line of an entry. Undefined if it is not a line that was signed for this subject. */
  open(this: void, subject: Subject, line: string): ContentInfo | undefined
}

const format = 'content-space 1'

/** Bytes. No valid line is longer. */
export const maxLineLength = 200

export function createSigner(key: string): Signer {
  const signatureOf = ({ kind, key: text }: Subject, { size, integrity }: ContentInfo): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([format, kind, text, size, integrity]))
      .digest()
  return {
    sign: (subject, content) =>
      Buffer.from(`${format} ${content.size} ${content.integrity} ${signatureOf(subject, content).toString('hex')}\n`),
    open(subject, line) {
      const match = /^content-space 1 (\d{1,15}) (sha256-[A-Za-z0-9+/]{43}=) ([\da-f]{64})$/.exec(line)
      const [, size, integrity, signature] = match ?? []
      if (size === undefined || integrity === undefined || signature === undefined) return undefined
      const content = { size: Number(size), integrity }
      const expected = signatureOf(subject, content)
      return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? content : undefined
    },
  }
}

/** The number of bytes within which an XML declaration ends. */
export const declarationSize = 200

/**
 * Returns a decoder for an XML file, by its byte order mark, or otherwise by its declared encoding.
 * @param start the first bytes of the file: `declarationSize`, or more
 * @returns undefined for an unsupported encoding
 */
export function xmlDecoder(start: Uint8Array): TextDecoder | undefined {
  const text = Buffer.from(start.subarray(0, declarationSize)).toString('latin1')
  const marked = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[text.slice(0, 2)]
  // If the text were UTF-16 without a byte order mark, the pattern wouldn't match, so a declaration of UTF-16 is wrong.
  const declared = /^<\?xml[^>]*\bencoding=["']([\w.:-]+)["']/.exec(text)?.[1]?.replace(/^utf-?16.*/i, 'utf-8')
  try {
    return new TextDecoder(marked ?? declared)
  } catch {
    return undefined
  }
}

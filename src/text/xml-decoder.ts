/** An XML declaration ends within this many bytes. */
export const declarationSize = 200

/**
 * Returns a decoder for an XML file, by its byte order mark, or else by the encoding that it declares.
 * @param start the first bytes of the file: `declarationSize`, or more
 * @returns undefined for an encoding that is not supported
 */
export function xmlDecoder(start: Uint8Array): TextDecoder | undefined {
  const text = Buffer.from(start.subarray(0, declarationSize)).toString('latin1')
  const marked = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[text.slice(0, 2)]
  // Text in UTF-16 without a mark would not match, so this declaration is wrong.
  const declared = /^<\?xml[^>]*\bencoding=["']([\w.:-]+)["']/.exec(text)?.[1]?.replace(/^utf-?16.*/i, 'utf-8')
  try {
    return new TextDecoder(marked ?? declared)
  } catch {
    return undefined
  }
}

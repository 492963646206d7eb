import { readPart, type Content } from '../disk/content.js'
import { signaturesOf } from '../space/asset-type.js'
import { declarationSize, xmlDecoder } from '../text/xml-decoder.js'

/** How messages name an unrecognized format. */
const unknownData = 'unknown data'

/**
 * Compares the first bytes of a file with its type. Accepts an empty file, because that is a valid original, and
 * accepts any content if the interface doesn't list the type.
 * @returns what the file contains instead, such as `image/jpeg`; undefined if it matches
 */
export async function findTypeMismatch(content: Content, type: string): Promise<string | undefined> {
  if (content.size === 0) return undefined
  if (type === 'SVG') return findSvgMismatch(content)
  const expected = signaturesOf(type)
  if (expected === undefined || (await isPlainPicture(content, type))) return undefined
  const { fileTypeFromBuffer, fileTypeFromFile } = await import('file-type')
  const found = (await ('bytes' in content ? fileTypeFromBuffer(content.bytes) : fileTypeFromFile(content.path)))?.mime
  if (found !== undefined) return expected.includes(found) ? undefined : found
  // file-type needs the directory to recognize a TIFF, but a truncated file may not include it.
  const start = (await readPart(content, 0, 4)).toString('latin1')
  return type === 'TIFF' && ['II*\0', 'MM\0*'].includes(start) ? undefined : unknownData
}

/**
 * Recognizes most pictures by their first bytes, because loading file-type takes longer than downloading a picture.
 * @returns false for a file that file-type might not recognize, either
 */
async function isPlainPicture(content: Content, type: string): Promise<boolean> {
  if (!['PNG', 'JPG', 'GIF'].includes(type)) return false
  const start = await readPart(content, 0, chunk)
  const text = start.toString('latin1')
  if (type === 'GIF') return text.startsWith('GIF')
  // The other value of the fourth byte belongs to JPEG-LS.
  if (type === 'JPG') return /^\xff\xd8\xff[^\xf7]/.test(text)
  if (!text.startsWith(`${pngSignature}\0\0\0\rIHDR`)) return false
  for (let at = 33; at + 8 <= start.length; at += start.readUInt32BE(at) + 12) {
    const name = text.slice(at + 4, at + 8)
    if (name === 'IDAT' || name === 'IHDR') return name === 'IDAT'
  }
  return false
}

const pngSignature = '\x89PNG\r\n\x1a\n'

/** Checks whether a file is a PNG with several frames. A chunk before the image data contains their number. */
export async function isAnimatedPng(content: Content): Promise<boolean> {
  if ((await readPart(content, 0, 8)).toString('latin1') !== pngSignature) return false
  for (let at = 8; at + 12 <= content.size;) {
    const start = await readPart(content, at, 12)
    const type = start.toString('latin1', 4, 8)
    if (type === 'acTL' || type === 'IDAT') return type === 'acTL' && start.readUInt32BE(8) > 1
    at += start.readUInt32BE(0) + 12
  }
  return false
}

/** Checks whether a file starts like an HTML page, which a proxy may send instead of the file. */
export async function isHtmlPage(content: Content): Promise<boolean> {
  return /^\s*<(?:!doctype )?html\b/i.test((await readPart(content, 0, 1024)).toString())
}

/** The number of bytes that are parsed at a time. */
const chunk = 4096
/** The maximum number of bytes and of parser errors before the first tag. Beyond that, parsing would take too long. */
const limits = { prolog: 1024 * 1024, errors: 1000 }
/** The maximum length of an element name in messages. */
const maxName = 40

/**
 * Parses the beginning of the file up to the first tag, because SVG has no signature and is recognized by its root
 * element.
 */
async function findSvgMismatch(content: Content): Promise<string | undefined> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ position: false })
  const tags: string[] = []
  let errors = 0
  parser.on('error', () => void errors++)
  parser.on('opentagstart', ({ name }) => void tags.push(name))
  const decoder = xmlDecoder(await readPart(content, 0, declarationSize)) ?? new TextDecoder()
  const end = Math.min(content.size, limits.prolog)
  for (let start = 0; start < end && tags.length === 0 && errors < limits.errors; start += chunk) {
    parser.write(decoder.decode(await readPart(content, start, chunk), { stream: true }))
  }
  const [root] = tags
  if (root === undefined) return unknownData
  return root.replace(/^.*:/, '') === 'svg' ? undefined : `<${root.slice(0, maxName)}>`
}

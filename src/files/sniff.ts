import { readPart, type Content } from '../disk/content.js'

/** What `file-type` calls the types that the interface lists; SVG has no signature and is told by its root element. */
const signatures = new Map([
  ['PNG', ['image/png', 'image/apng']],
  ['JPG', ['image/jpeg']],
  ['GIF', ['image/gif']],
  ['TIFF', ['image/tiff']],
  ['PDF', ['application/pdf']],
  ['EPS', ['application/eps', 'application/postscript']],
  ['Sketch', ['application/zip']],
])

/**
 * Whether bytes are what their type says. Types that the interface does not list cannot be told, and pass;
 * so does an empty file, which is a legal original.
 * @returns what they are instead, or undefined when they match
 */
export async function mismatch(content: Content, type: string): Promise<string | undefined> {
  if (content.size === 0) return undefined
  if (type === 'SVG') return svgMismatch(content)
  const expected = signatures.get(type)
  if (expected === undefined) return undefined
  const { fileTypeFromBuffer, fileTypeFromFile } = await import('file-type')
  const found = (await ('bytes' in content ? fileTypeFromBuffer(content.bytes) : fileTypeFromFile(content.path)))?.mime
  if (found !== undefined) return expected.includes(found) ? undefined : found
  // file-type tells kinds of TIFF apart by their directory, which may be missing from one that is cut short.
  const start = (await readPart(content, 0, 4)).toString('latin1')
  return type === 'TIFF' && ['II*\0', 'MM\0*'].includes(start) ? undefined : 'something else'
}

/** Reads no further than the first tag. What stands before it is bounded: each error takes time. */
async function svgMismatch(content: Content): Promise<string | undefined> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ position: false })
  const tags: string[] = []
  const errors: string[] = []
  parser.on('error', ({ message }) => void errors.push(message))
  parser.on('opentagstart', ({ name }) => void tags.push(name))
  const decoder = new TextDecoder()
  const end = Math.min(content.size, maxProlog)
  for (let start = 0; start < end && tags.length === 0 && errors.length < 1000; start += chunk) {
    parser.write(decoder.decode(await readPart(content, start, chunk), { stream: true }))
  }
  const [root] = tags
  if (root === undefined) return 'something else'
  return root.replace(/^.*:/, '') === 'svg' ? undefined : `<${root.slice(0, maxName)}>`
}

const chunk = 4096
const maxProlog = 1024 * 1024
const maxName = 40

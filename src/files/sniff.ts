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
export async function mismatch(bytes: Uint8Array, type: string): Promise<string | undefined> {
  if (bytes.length === 0) return undefined
  if (type === 'SVG') return svgMismatch(bytes)
  const expected = signatures.get(type)
  if (expected === undefined) return undefined
  const { fileTypeFromBuffer } = await import('file-type')
  const found = (await fileTypeFromBuffer(bytes))?.mime
  return found !== undefined && expected.includes(found) ? undefined : (found ?? 'something else')
}

/** Reads no further than the first tag. */
async function svgMismatch(bytes: Uint8Array): Promise<string | undefined> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ position: false })
  const tags: string[] = []
  parser.on('error', () => {})
  parser.on('opentagstart', ({ name }) => void tags.push(name))
  const decoder = new TextDecoder()
  for (let start = 0; start < bytes.length && tags.length === 0; start += chunk) {
    parser.write(decoder.decode(bytes.subarray(start, start + chunk), { stream: true }))
  }
  const [root] = tags
  if (root === undefined) return 'something else'
  return root.replace(/^.*:/, '') === 'svg' ? undefined : `<${root}>`
}

const chunk = 4096

import { SaxesParser, type SaxesTagNS } from 'saxes'
import { LimitError, openMeter } from './limits.js'
import { attributeAllowed, elementAllowed, isIntegrationPoint, styleAllowed, svgNamespace } from './rules.js'

/** A document in reading order: an element that opens, a text that is not empty, or the end of an element. */
export type Mark = SaxesTagNS | string | typeof close

export const close = Symbol('close')

/** Errors after which the rest is not read: each takes time, and the first says enough. */
const maxErrors = 100

/** Adds what is in the file. Names are the file's to choose, as many and as long as it likes. */
export function addNamed(found: Set<string>, text: string): void {
  if (found.size < 50) found.add(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

/** What XML finds in an SVG that is more than a drawing, and all elements and texts of it. */
export function readAsXml(text: string): { found: string[]; marks: Mark[] } {
  const found = new Set<string>()
  const marks: Mark[] = []
  const meter = openMeter()
  const parser = new SaxesParser({ xmlns: true, position: false })
  const open: SaxesTagNS[] = []
  let pending = ''
  let style = ''
  let [errors, attributes] = [0, 0]
  const endText = () => {
    if (pending !== '') marks.push(pending)
    pending = ''
  }
  parser.on('error', () => {
    found.add('malformed XML')
    errors++
    if (errors > maxErrors) throw new LimitError('malformed XML')
  })
  parser.on('xmldecl', ({ encoding, version }) => {
    if (encoding !== undefined && !/^(utf-8|us-ascii)$/i.test(encoding)) found.add('another encoding than UTF-8')
    if (version !== '1.0') found.add('XML of another version')
  })
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) found.add('entities')
  })
  parser.on('processinginstruction', ({ target }) => {
    meter.parts(1)
    addNamed(found, `<?${target}?>`)
  })
  parser.on('comment', (comment) => {
    meter.parts(1)
    if (/^-?>|--/.test(comment)) found.add('an ambiguous comment')
  })
  // Namespaces are resolved when a tag is complete, in time that grows with the depth: the limits come first.
  parser.on('opentagstart', () => {
    attributes = 0
    meter.open()
    meter.parts(1)
  })
  parser.on('attribute', () => {
    meter.parts(1)
    meter.attributes(++attributes)
  })
  parser.on('opentag', (tag) => {
    endText()
    findInTag(tag, open.at(-1), found)
    marks.push(tag)
    open.push(tag)
    if (tag.local === 'style') style = ''
  })
  parser.on('text', (part) => {
    if (open.length === 0) return
    pending += part
    if (open.at(-1)?.local === 'style') style += part
  })
  parser.on('cdata', (part) => {
    meter.parts(1)
    pending += part
    if (open.at(-1)?.local === 'style') style += part
    else if (/[<>]/.test(part)) found.add('CDATA')
  })
  parser.on('closetag', ({ local }) => {
    endText()
    marks.push(close)
    meter.close()
    open.pop()
    if (local === 'style' && !styleAllowed(style)) found.add('<style> that loads or hides something')
  })
  try {
    parser.write(text).close()
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    found.add(error.message)
  }
  return { found: [...found], marks }
}

function findInTag(tag: SaxesTagNS, parent: SaxesTagNS | undefined, found: Set<string>): void {
  if (!elementAllowed({ name: tag.name, local: tag.local, namespace: tag.uri })) addNamed(found, `<${tag.name}>`)
  // CSS has no elements, and HTML reads as its own what stands in a title.
  const within = parent?.uri === svgNamespace && (parent.local === 'style' || isIntegrationPoint(parent.local))
  if (within) addNamed(found, `<${tag.name}> within <${parent.name}>`)
  for (const { name, local, uri, value } of Object.values(tag.attributes)) {
    if (!attributeAllowed({ name, local, namespace: uri }, value)) addNamed(found, `${name}=`)
  }
}

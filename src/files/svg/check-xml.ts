import type { SaxesTagNS } from 'saxes'
import { addNamed, LimitError } from './limits.js'
import type { PlainElement } from './page-styles.js'
import { createXmlParser } from './parsers.js'
import {
  attributeAllowed,
  elementAllowed,
  isIntegrationPoint,
  isReference,
  programAttributeAllowed,
  styleAllowed,
  svgNamespace,
  type SvgTarget,
} from './rules.js'

/** An opening tag, non-empty text, or a closing tag, in document order. */
export type XmlEvent = PlainElement | string | typeof closingTag

export const closingTag = Symbol('closing tag')

type BoundedXmlParser = ReturnType<typeof createXmlParser>

/** Parsing stops after this many errors, because each takes time and only the first is reported. */
const maxErrors = 100

/** Parses an SVG as XML. Returns its events and lists everything that an SVG may not contain. */
export function readAsXml(text: string, use: SvgTarget): { findings: string[]; events: XmlEvent[] } {
  const findings = new Set<string>()
  const events: XmlEvent[] = []
  const bounded = createXmlParser()
  checkSyntax(bounded, findings)
  checkElements(bounded, findings, events, use)
  try {
    bounded.parser.write(text).close()
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    findings.add(error.message)
  }
  return { findings: [...findings], events }
}

function checkSyntax({ parser, counter }: BoundedXmlParser, findings: Set<string>): void {
  let errors = 0
  parser.on('error', () => {
    findings.add('malformed XML')
    errors++
    if (errors > maxErrors) throw new LimitError('malformed XML')
  })
  parser.on('xmldecl', ({ encoding, version }) => {
    if (encoding !== undefined && !/^(utf-8|us-ascii)$/i.test(encoding)) findings.add('an encoding other than UTF-8')
    if (version !== '1.0') findings.add('an XML version other than 1.0')
  })
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) findings.add('entity declarations')
  })
  parser.on('processinginstruction', ({ target }) => {
    counter.addNodes(1)
    addNamed(findings, `<?${target}?>`)
  })
  parser.on('comment', (comment) => {
    counter.addNodes(1)
    if (/^-?>|--/.test(comment)) findings.add('a comment that ends early in HTML')
  })
}

function checkElements(
  { parser, counter }: BoundedXmlParser,
  findings: Set<string>,
  events: XmlEvent[],
  use: SvgTarget,
): void {
  const open: SaxesTagNS[] = []
  /** The text since the last tag. */
  let pending = ''
  let style = ''

  function endText(): void {
    if (pending !== '') events.push(pending)
    pending = ''
  }

  parser.on('opentag', (tag) => {
    endText()
    checkTag(tag, open.at(-1), findings, use)
    const attributes = Object.values(tag.attributes).map(({ name, value }) => [name, value])
    events.push({ name: tag.name, attributes: Object.fromEntries(attributes) })
    open.push(tag)
    if (tag.local === 'style') style = ''
  })
  parser.on('text', (part) => {
    if (open.length === 0) return
    pending += part
    if (open.at(-1)?.local === 'style') style += part
  })
  parser.on('cdata', (part) => {
    counter.addNodes(1)
    pending += part
    if (open.at(-1)?.local === 'style') style += part
    else if (/[<>]/.test(part)) findings.add('a CDATA section with markup')
  })
  parser.on('closetag', ({ local }) => {
    endText()
    events.push(closingTag)
    counter.close()
    open.pop()
    if (local === 'style' && !styleAllowed(style)) findings.add('a <style> with rules or addresses that load something')
  })
}

function checkTag(tag: SaxesTagNS, parent: SaxesTagNS | undefined, findings: Set<string>, use: SvgTarget): void {
  if (!elementAllowed({ name: tag.name, local: tag.local, namespace: tag.uri }, use)) {
    addNamed(findings, `<${tag.name}>`)
  }
  // A style sheet must not contain elements, and HTML parses the content of <title> and <desc> as HTML.
  const isUnsafeParent = parent?.uri === svgNamespace && (parent.local === 'style' || isIntegrationPoint(parent.local))
  if (isUnsafeParent) addNamed(findings, `<${tag.name}> in <${parent.name}>`)
  for (const { name, local, uri, value } of Object.values(tag.attributes)) {
    const isOfProgram = uri === '' && tag.uri !== svgNamespace
    const isAllowed = isOfProgram ? programAttributeAllowed : attributeAllowed
    const element = tag.uri === svgNamespace ? tag.local : ''
    if (isAllowed({ name, local, namespace: uri, element }, value, use)) continue
    addNamed(findings, isReference(local) ? `${name}= of <${tag.name}>` : `${name}=`)
  }
}

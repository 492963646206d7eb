import { defaultTreeAdapter, html, type DefaultTreeAdapterTypes } from 'parse5'
import { closingTag, type XmlEvent } from './check-xml.js'
import { addNamed, LimitError } from './limits.js'
import type { PlainElement } from './page-styles.js'
import { parseHtml } from './parsers.js'
import { attributeAllowed, elements, programAttributeAllowed, type SvgTarget } from './rules.js'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode

/**
 * Parses an SVG as HTML in the body of a page and lists everything that an SVG may not contain. A page that contains
 * only the SVG is parsed the same way, even after comments, declarations, or white space.
 * @param events the events of the same text parsed as XML; everything that HTML parses differently is listed too
 */
export function readAsHtml(text: string, events: readonly XmlEvent[], use: SvgTarget): string[] {
  const findings = new Set<string>()
  try {
    compare(parseHtml(text), events, findings, use)
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    findings.add(error.message)
  }
  return [...findings]
}

const difference = 'markup that HTML parses differently'

/** Compares HTML nodes with XML events in document order. */
function compare(nodes: readonly Node[], events: readonly XmlEvent[], findings: Set<string>, use: SvgTarget): void {
  let next = 0
  /** The text since the last tag. */
  let pending = ''

  function expectEvent(matches: (event: XmlEvent | undefined) => boolean): void {
    if (!matches(events[next])) findings.add(difference)
    next++
  }

  function endText(): void {
    const text = pending
    if (text !== '') expectEvent((event) => event === text)
    pending = ''
  }

  function visit(node: Node): void {
    if (defaultTreeAdapter.isTextNode(node)) pending += node.value
    if (!defaultTreeAdapter.isElementNode(node)) return
    endText()
    checkElement(node, findings, use)
    expectEvent((event) => typeof event === 'object' && isSameTag(node, event))
    for (const child of node.childNodes) visit(child)
    endText()
    expectEvent((event) => event === closingTag)
  }

  for (const node of nodes) {
    if (!defaultTreeAdapter.isTextNode(node)) visit(node)
    else if (/[^\t\n\f\r ]/.test(node.value)) findings.add('text outside of the root element')
  }
  if (next !== events.length) findings.add(difference)
}

/** In a file, accepts names with a colon, because HTML ignores them and they are checked as XML. */
function checkElement({ tagName, namespaceURI, attrs }: Element, findings: Set<string>, use: SvgTarget): void {
  const isPrefixed = use === 'file' && tagName.includes(':')
  const isDrawing = namespaceURI === html.NS.SVG && (elements.has(tagName) || isPrefixed)
  if (!isDrawing) addNamed(findings, `<${tagName}>`)
  const isAllowed = isPrefixed ? programAttributeAllowed : attributeAllowed
  for (const { name, namespace = '', prefix, value } of attrs) {
    const fullName = prefix ? `${prefix}:${name}` : name
    const isMeaningless = use === 'file' && namespace === '' && name.includes(':')
    if (!isMeaningless && !isAllowed({ name: fullName, local: name, namespace, element: tagName }, value, use)) {
      addNamed(findings, `${fullName}=`)
    }
  }
}

/** Compares names regardless of case, because HTML lowercases names and then restores the case of known SVG names. */
function isSameTag({ tagName, attrs }: Element, tag: PlainElement): boolean {
  if (tagName.toLowerCase() !== tag.name.toLowerCase()) return false
  const names = Object.keys(tag.attributes)
  if (attrs.length !== names.length) return false
  // Compare by position, because both parsers keep the order of attributes.
  return attrs.every(({ name, prefix, value }, index) => {
    const fullName = prefix ? `${prefix}:${name}` : name
    const xmlName = names[index] ?? ''
    const xmlValue = tag.attributes[xmlName] ?? ''
    const isSameValue = value === xmlValue || withSpaces(value) === withSpaces(xmlValue)
    return fullName.toLowerCase() === xmlName.toLowerCase() && isSameValue
  })
}

/** XML converts line breaks and tabs in attribute values to spaces. */
function withSpaces(value: string): string {
  return value.replaceAll(/[\t\n\r]/g, ' ')
}

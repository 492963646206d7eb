import { defaultTreeAdapter, type DefaultTreeAdapterTypes } from 'parse5'
import { xmlDecoder } from '../../text/xml-decoder.js'
import { LimitError, limits } from './limits.js'
import { createXmlParser, parseHtml } from './parsers.js'
import { createSvgWriter, type SvgWriter } from './write.js'

/**
 * Rewrites an SVG in a uniform form without active content. Parses the text as XML, because drawing programs write XML
 * and image viewers read it. If the XML is malformed or lacks the SVG namespace, parses the text as HTML, as a page
 * that inlines it would.
 * @returns undefined if nothing remains
 * @throws LimitError
 */
export function sanitizeSvg(text: string): string | undefined {
  return sanitizeAt(text, 0)
}

/** @param depth how many levels of SVGs this one is embedded in */
function sanitizeAt(text: string, depth: number): string | undefined {
  const openWriter = () =>
    createSvgWriter((drawing) => {
      const decoded = depth < limits.drawings ? xmlDecoder(drawing)?.decode(drawing) : undefined
      return decoded === undefined ? undefined : sanitizeAt(decoded, depth + 1)
    })
  return fromXml(text, openWriter()) ?? fromHtml(text, openWriter())
}

class MalformedError extends Error {}

function fromXml(text: string, writer: SvgWriter): string | undefined {
  const { parser, counter } = createXmlParser()
  parser.on('error', ({ message }) => {
    throw new MalformedError(message)
  })
  parser.on('doctype', (doctype) => void Object.assign(parser.ENTITIES, entitiesOf(doctype, text)))
  parser.on('comment', () => counter.addNodes(1))
  parser.on('opentag', ({ local, uri, attributes }) => {
    writer.open(
      local,
      uri,
      Object.values(attributes).map((one) => ({ local: one.local, namespace: one.uri, value: one.value })),
    )
  })
  parser.on('text', (part) => writer.text(part))
  parser.on('cdata', (part) => writer.text(part))
  parser.on('closetag', () => {
    counter.close()
    writer.close()
  })
  try {
    parser.write(text).close()
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
  return writer.end()
}

/**
 * Returns the entities with plain text values, such as those in which Illustrator declares namespaces and styles. Other
 * entities remain undeclared, which makes the XML malformed.
 * @throws LimitError if the text would become too large
 */
function entitiesOf(doctype: string, text: string): Record<string, string> {
  const declared = doctype.matchAll(/<!ENTITY\s+([a-z_][\w.-]*)\s+(?:"([^"<&%]*)"|'([^'<&%]*)')\s*>/gi)
  const entities = [...declared].map(([, name = '', double, single]) => [name, double ?? single ?? ''] as const)
  const longest = Math.max(0, ...entities.map(([, value]) => value.length))
  if (longest * text.split('&').length > limits.bytes) throw new LimitError('entities that expand to too much text')
  return Object.fromEntries(entities)
}

function fromHtml(text: string, writer: SvgWriter): string | undefined {
  const root = parseHtml(text).find((node) => node.nodeName === 'svg')
  if (root) writeNode(root, writer)
  return writer.end()
}

function writeNode(node: DefaultTreeAdapterTypes.ChildNode, writer: SvgWriter): void {
  if (defaultTreeAdapter.isTextNode(node)) writer.text(node.value)
  if (!defaultTreeAdapter.isElementNode(node)) return
  const { tagName, namespaceURI, attrs } = node
  const attributes = attrs.map(({ name, namespace = '', value }) => ({ local: name, namespace, value }))
  writer.open(tagName, namespaceURI, attributes)
  for (const child of node.childNodes) writeNode(child, writer)
  writer.close()
}

import { defaultTreeAdapter, html, parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { SaxesParser } from 'saxes'
import { LimitError, limits, openMeter } from './limits.js'
import { openWriter, type SvgWriter } from './write.js'

/**
 * An SVG without anything active, in one spelling. Read as XML, which is what drawing programs write and pictures are
 * shown by; where it is no XML or has no namespace, as HTML, which shows it once it is inlined.
 * @returns undefined where no drawing is left
 * @throws LimitError
 */
export function sanitizeSvg(text: string): string | undefined {
  return fromXml(text) ?? fromHtml(text)
}

class MalformedError extends Error {}

function fromXml(text: string): string | undefined {
  const meter = openMeter()
  const writer = openWriter()
  const parser = new SaxesParser({ xmlns: true, position: false })
  let attributes = 0
  parser.on('error', ({ message }) => {
    throw new MalformedError(message)
  })
  parser.on('doctype', (doctype) => void Object.assign(parser.ENTITIES, entitiesOf(doctype, text)))
  parser.on('comment', () => meter.parts(1))
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
  parser.on('opentag', ({ local, uri, attributes: named }) => {
    writer.open(
      local,
      uri,
      Object.values(named).map((one) => ({ local: one.local, namespace: one.uri, value: one.value })),
    )
  })
  parser.on('text', (part) => writer.text(part))
  parser.on('cdata', (part) => writer.text(part))
  parser.on('closetag', () => {
    meter.close()
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
 * Entities of texts alone, as Illustrator declares them for namespaces and styles. Any other stays unknown.
 * @throws LimitError where the text would grow without measure
 */
function entitiesOf(doctype: string, text: string): Record<string, string> {
  const declared = doctype.matchAll(/<!ENTITY\s+([a-z_][\w.-]*)\s+(?:"([^"<&%]*)"|'([^'<&%]*)')\s*>/gi)
  const entities = [...declared].map(([, name = '', double, single]) => [name, double ?? single ?? ''] as const)
  const longest = Math.max(0, ...entities.map(([, value]) => value.length))
  if (longest * text.split('&').length > limits.bytes) throw new LimitError('entities that make it too large')
  return Object.fromEntries(entities)
}

/** What parse5 puts around a drawing, an element in each other. */
const around = 3

function fromHtml(text: string): string | undefined {
  const meter = openMeter(around)
  const body = defaultTreeAdapter.createElement('body', html.NS.HTML, [])
  const { childNodes } = parseFragment(body, text, {
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(name, namespace, attributes) {
        meter.attributes(attributes.length)
        meter.parts(1 + attributes.length)
        return defaultTreeAdapter.createElement(name, namespace, attributes)
      },
      createCommentNode(data) {
        meter.parts(1)
        return defaultTreeAdapter.createCommentNode(data)
      },
      onItemPush: () => meter.open(),
      onItemPop: () => meter.close(),
    },
  })
  const writer = openWriter()
  const root = childNodes.find((node) => node.nodeName === 'svg')
  if (root) write(root, writer)
  return writer.end()
}

function write(node: DefaultTreeAdapterTypes.ChildNode, writer: SvgWriter): void {
  if (defaultTreeAdapter.isTextNode(node)) writer.text(node.value)
  if (!defaultTreeAdapter.isElementNode(node)) return
  const { tagName, namespaceURI, attrs } = node
  const attributes = attrs.map(({ name, namespace = '', value }) => ({ local: name, namespace, value }))
  writer.open(tagName, namespaceURI, attributes)
  for (const child of node.childNodes) write(child, writer)
  writer.close()
}

import { defaultTreeAdapter, html, parseFragment, type DefaultTreeAdapterTypes, type Token } from 'parse5'
import { SaxesParser } from 'saxes'
import { createLimitCounter } from './limits.js'
import { elements } from './rules.js'

/** Elements that parse5 nests around a fragment. */
const wrapperDepth = 3

/**
 * SVG element names by their lowercase form. HTML parsers restore the case of these names, but parse5's table lacks
 * newer ones, such as `feDropShadow`.
 */
const spelled = new Map([...elements].map((name) => [name.toLowerCase(), name]))

/**
 * Creates a namespace-aware XML parser that throws a LimitError if the document is too large. The caller must call the
 * counter's `close` for each closing tag, and `addNodes` for comments and processing instructions.
 */
export function createXmlParser() {
  const parser = new SaxesParser({ xmlns: true, position: false })
  const counter = createLimitCounter()
  let attributes = 0
  // Count before a tag is complete, because resolving its namespaces takes time that grows with the depth.
  parser.on('opentagstart', () => {
    attributes = 0
    counter.open()
    counter.addNodes(1)
  })
  parser.on('attribute', () => {
    counter.addNodes(1)
    counter.checkAttributes(++attributes)
  })
  return { parser, counter }
}

/**
 * Parses text as HTML in the body of a page.
 * @throws LimitError if the document is too large
 */
export function parseHtml(text: string): DefaultTreeAdapterTypes.ChildNode[] {
  const counter = createLimitCounter(wrapperDepth)
  // Inherit the other methods, because copying them takes longer than parsing an icon.
  const adapter: typeof defaultTreeAdapter = Object.create(defaultTreeAdapter)
  const treeAdapter = Object.assign(adapter, {
    createElement(name: string, namespace: html.NS, attributes: Token.Attribute[]) {
      counter.checkAttributes(attributes.length)
      counter.addNodes(1 + attributes.length)
      const ownName = namespace === html.NS.SVG ? (spelled.get(name) ?? name) : name
      return defaultTreeAdapter.createElement(ownName, namespace, attributes)
    },
    createCommentNode(data: string) {
      counter.addNodes(1)
      return defaultTreeAdapter.createCommentNode(data)
    },
    onItemPush: () => counter.open(),
    onItemPop: () => counter.close(),
  })
  const body = defaultTreeAdapter.createElement('body', html.NS.HTML, [])
  return parseFragment(body, text, { treeAdapter }).childNodes
}

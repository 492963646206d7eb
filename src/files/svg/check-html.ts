import {
  defaultTreeAdapter,
  html,
  parseFragment,
  type DefaultTreeAdapterTypes,
  type Token,
  type TreeAdapter,
} from 'parse5'
import { addNamed, close, type Mark } from './check-xml.js'
import { LimitError, openMeter } from './limits.js'
import { attributeAllowed, elements } from './rules.js'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode

/**
 * What HTML finds in an SVG that is more than a drawing, once it stands in the body of a page. As a page of its own it
 * is read in the same way: comments, declarations and white space in front of the drawing change nothing in it.
 * @param marks the same text as XML reads it; where HTML reads elements, attributes or texts otherwise, that counts,
 *   too
 */
export function readAsHtml(text: string, marks: readonly Mark[]): string[] {
  const found = new Set<string>()
  const body = defaultTreeAdapter.createElement('body', html.NS.HTML, [])
  try {
    compare(parseFragment(body, text, { treeAdapter: boundedAdapter() }).childNodes, marks, found)
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    found.add(error.message)
  }
  return [...found]
}

/** What parse5 puts around a drawing, an element in each other. */
const around = 3

function boundedAdapter(): TreeAdapter<DefaultTreeAdapterTypes.DefaultTreeAdapterMap> {
  const meter = openMeter(around)
  // Made for every drawing: methods that stay the same are inherited, for copying them takes longer than reading an
  // icon.
  const adapter: typeof defaultTreeAdapter = Object.create(defaultTreeAdapter)
  return Object.assign(adapter, {
    createElement(name: string, namespace: html.NS, attributes: Token.Attribute[]): Element {
      meter.attributes(attributes.length)
      meter.parts(1 + attributes.length)
      return defaultTreeAdapter.createElement(name, namespace, attributes)
    },
    createCommentNode(data: string) {
      meter.parts(1)
      return defaultTreeAdapter.createCommentNode(data)
    },
    onItemPush: () => meter.open(),
    onItemPop: () => meter.close(),
  })
}

const otherwise = 'what HTML reads otherwise'

/** Goes through what HTML read and through the marks of XML side by side. */
function compare(top: readonly Node[], marks: readonly Mark[], found: Set<string>): void {
  let at = 0
  let text = ''

  function expect(same: (mark: Mark | undefined) => boolean): void {
    if (!same(marks[at])) found.add(otherwise)
    at++
  }

  function endText(): void {
    const read = text
    if (read !== '') expect((mark) => mark === read)
    text = ''
  }

  function visit(node: Node): void {
    if (defaultTreeAdapter.isTextNode(node)) text += node.value
    if (!defaultTreeAdapter.isElementNode(node)) return
    endText()
    judge(node, found)
    expect((mark) => typeof mark === 'object' && sameTag(node, mark))
    for (const child of node.childNodes) visit(child)
    endText()
    expect((mark) => mark === close)
  }

  for (const node of top) {
    if (!defaultTreeAdapter.isTextNode(node)) visit(node)
    else if (/[^\t\n\f\r ]/.test(node.value)) found.add('text outside of the drawing')
  }
  if (at !== marks.length) found.add(otherwise)
}

/** Names with a colon have no meaning in HTML; what they are to XML is checked there. */
function judge({ tagName, namespaceURI, attrs }: Element, found: Set<string>): void {
  const drawing = namespaceURI === html.NS.SVG && (elements.has(tagName) || tagName.includes(':'))
  if (!drawing) addNamed(found, `<${tagName}>`)
  for (const { name, namespace = '', prefix, value } of attrs) {
    const full = prefix ? `${prefix}:${name}` : name
    const meaningless = namespace === '' && name.includes(':')
    if (!meaningless && !attributeAllowed({ name: full, local: name, namespace }, value)) addNamed(found, `${full}=`)
  }
}

/** HTML lower-cases names and then spells those that it knows as SVG does. */
function sameTag({ tagName, attrs }: Element, mark: Exclude<Mark, string | symbol>): boolean {
  if (tagName.toLowerCase() !== mark.name.toLowerCase()) return false
  const names = Object.keys(mark.attributes)
  if (attrs.length !== names.length) return false
  // Both keep the order in which attributes are written.
  return attrs.every(({ name, prefix, value }, place) => {
    const full = prefix ? `${prefix}:${name}` : name
    const other = names[place] ?? ''
    const said = mark.attributes[other]?.value ?? ''
    return full.toLowerCase() === other.toLowerCase() && (value === said || spaced(value) === spaced(said))
  })
}

/** XML reads the line breaks and tabs of a value as spaces. */
function spaced(value: string): string {
  return value.replaceAll(/[\t\n\r]/g, ' ')
}

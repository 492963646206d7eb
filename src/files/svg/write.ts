import { cleanSheet, cleanStyle } from './clean-css.js'
import { bytesIn, drawingAddress, isDrawingAddress, pictureIn } from './embedded.js'
import {
  attributeAllowed,
  elements,
  isIntegrationPoint,
  isLocalAddress,
  isReference,
  showsPictures,
  svgNamespace,
  xlinkNamespace,
  xmlNamespace,
} from './rules.js'

interface Attribute {
  local: string
  namespace: string
  value: string
}

export type SvgWriter = ReturnType<typeof createSvgWriter>

/**
 * Creates a writer that receives a document's events in order. It writes the elements and attributes that the rules
 * allow, in a form that XML and HTML parse identically: without comments, CDATA sections, and prefixes other than
 * `xlink` and `xml`. Escapes every character that XML or HTML requires to be escaped.
 *
 * All methods are in one function because they share the state of open elements.
 * @param sanitize sanitizes an embedded SVG; returns undefined if nothing remains
 */
export function createSvgWriter(sanitize: (drawing: Buffer) => string | undefined) {
  const parts: string[] = []
  const open: string[] = []
  /** The number of open elements that are omitted: a disallowed element and its descendants. */
  let skipped = 0
  /** Whether the last opening tag still lacks its `>`. */
  let tagIsOpen = false
  /** The open element that contains only text, with the state before it in case it has to be removed. */
  let textElement: { text: string; partsBefore: number; tagWasOpen: boolean; content: number } | undefined

  function finishTag(): void {
    if (tagIsOpen) parts.push('>')
    tagIsOpen = false
  }

  function isAllowedHere(local: string): boolean {
    const parent = open.at(-1)
    return parent === undefined ? local === 'svg' && parts.length === 0 : !containsOnlyText(parent)
  }

  return {
    open(local: string, namespace: string, attributes: readonly Attribute[]): void {
      if (skipped > 0 || !isAllowedHere(local) || !isAllowed(local, namespace, attributes)) {
        skipped++
        return
      }
      const before = { partsBefore: parts.length, tagWasOpen: tagIsOpen }
      finishTag()
      const declarations = open.length > 0 ? '' : ` xmlns="${svgNamespace}" xmlns:xlink="${xlinkNamespace}"`
      parts.push(`<${local}${declarations}${writeAttributes(local, attributes, sanitize)}`)
      // The text begins after the tag and its `>`.
      if (containsOnlyText(local)) textElement = { ...before, text: '', content: parts.length + 1 }
      open.push(local)
      tagIsOpen = true
    },
    text(text: string): void {
      const clean = skipped > 0 || open.length === 0 ? '' : removeInvalidChars(text)
      if (clean === '') return
      if (textElement) textElement.text += clean
      finishTag()
      parts.push(escapeText(clean))
    },
    close(): void {
      if (skipped > 0) {
        skipped--
        return
      }
      const local = open.pop() ?? ''
      parts.push(tagIsOpen ? '/>' : `</${local}>`)
      tagIsOpen = false
      if (!textElement) return
      const { text, partsBefore, tagWasOpen, content } = textElement
      textElement = undefined
      // Drop markup in a title's text, because it would run on a page that inserts the text as HTML.
      const clean = local === 'style' ? cleanSheet(text) : /<[/!a-z]/i.test(text) ? '' : text
      if (clean === text) return
      if (clean === '') {
        parts.length = partsBefore
        tagIsOpen = tagWasOpen
      } else parts.splice(content, parts.length, escapeText(clean), `</${local}>`)
    },
    end: () => (parts.length > 0 && open.length === 0 ? parts.join('') : undefined),
  }
}

/** Checks whether an element is allowed in SVG and doesn't animate an attribute that must not change. */
function isAllowed(local: string, namespace: string, attributes: readonly Attribute[]): boolean {
  if (namespace !== svgNamespace || !elements.has(local)) return false
  const animated = attributes.filter(
    (attribute) => attribute.namespace === '' && /^attributeName$/i.test(attribute.local),
  )
  return animated.every(({ value }) =>
    attributeAllowed({ name: 'attributeName', local: 'attributeName', namespace: '' }, value, 'page'),
  )
}

function containsOnlyText(local: string): boolean {
  return local === 'style' || isIntegrationPoint(local)
}

function writeAttributes(
  element: string,
  attributes: readonly Attribute[],
  sanitize: (drawing: Buffer) => string | undefined,
): string {
  const kept = new Map<string, string>()
  for (const { local, namespace, value } of attributes) {
    const prefix = prefixes.get(namespace)
    if (prefix === undefined || local === 'xmlns') continue
    const name = prefix + local
    const isPicture = isReference(local) && showsPictures.test(element)
    const plain = removeInvalidChars(value)
    const clean = isPicture ? cleanPicture(plain, sanitize) : name === 'style' ? cleanStyle(plain) : plain
    // HTML compares names in lower case and keeps only the first of several equal names.
    const key = name.toLowerCase()
    const isAllowedValue = attributeAllowed({ name, local, namespace, element }, clean, 'page')
    if (kept.has(key) || breaksOut(element, key) || !isAllowedValue || (clean === '' && plain !== '')) continue
    kept.set(key, ` ${name}="${escapeText(clean).replaceAll(/["\t\n]/g, characterReference)}"`)
  }
  return [...kept.values()].join('')
}

/** Corrects the type in an image's data URI, and sanitizes an embedded SVG. Returns other URLs unchanged. */
function cleanPicture(address: string, sanitize: (drawing: Buffer) => string | undefined): string {
  if (isLocalAddress(address)) return address
  const picture = pictureIn(address)
  if (picture !== undefined) return picture
  const bytes = bytesIn(address)
  const drawing = bytes && sanitize(bytes)
  if (drawing !== undefined) return drawingAddress(drawing)
  return isDrawingAddress(address) ? '' : address
}

/** Prefixes by namespace. SVG doesn't need attributes in other namespaces. */
const prefixes = new Map([
  ['', ''],
  [xlinkNamespace, 'xlink:'],
  [xmlNamespace, 'xml:'],
])

/** Checks for an attribute that makes HTML parse `<font>` as an HTML element, which would end the SVG. */
function breaksOut(element: string, name: string): boolean {
  return element === 'font' && /^(color|face|size)$/.test(name)
}

/** Removes characters that XML allows neither literally nor as character references. */
function removeInvalidChars(text: string): string {
  return text.replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>\r]/g, characterReference)
}

function characterReference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}

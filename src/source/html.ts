import { parse, type DefaultTreeAdapterTypes, type Token } from 'parse5'
import { escapeAttribute } from '../text/attribute.js'

/** An attribute whose value is an id, or a list of candidates with ids. */
export interface AttributeWithId {
  /** Name of the element: `img`. */
  element: string
  name: string
  value: string
  /**
   * `address`: the value is a single address. `candidates`: the value is a `srcset`. `image`: a picture for other
   * sites, such as `og:image`, which requires an absolute address. `other`: an attribute that doesn't take the address
   * of a file.
   */
  form: 'address' | 'candidates' | 'image' | 'other'
  /** The range of the attribute, including its name. */
  start: number
  end: number
  /** From 1. */
  line: number
  /** The range of the element, for a link to an icon. */
  link?: { start: number; end: number }
}

/** Text of another language in a page. */
export interface EmbeddedText {
  text: string
  /** Name of the attribute that contains the text. Absent if an element contains it. */
  attribute?: string
  /** The range of the text, or of the attribute including its name. */
  start: number
  end: number
  /** From 1. */
  line: number
}

export interface Page {
  attributes: AttributeWithId[]
  /** The content of `<style>`, and the values of `style` attributes. */
  styles: EmbeddedText[]
  scripts: EmbeddedText[]
  /** The content of scripts that are JSON, such as JSON-LD. */
  data: EmbeddedText[]
}

/** Attributes that contain the address of a file, by element. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  audio: ['src'],
  embed: ['src'],
  feImage: ['href', 'xlink:href'],
  iframe: ['src'],
  image: ['href', 'xlink:href'],
  img: ['src'],
  input: ['src'],
  link: ['href'],
  object: ['data'],
  source: ['src'],
  track: ['src'],
  use: ['href', 'xlink:href'],
  video: ['src', 'poster'],
}

/** Attributes with several addresses, by element. */
const candidates: Readonly<Record<string, string>> = { img: 'srcset', source: 'srcset', link: 'imagesrcset' }

/** Attributes with text for people, in which an id remains text. */
const text = /^(?:alt|title|value|placeholder|label|summary|aria-.*)$/

const socialImage = /^(?:og|twitter):image(?::(?:url|secure_url|src))?$|^og:(?:audio|video)(?::(?:url|secure_url))?$/
const tileImage = /^msapplication-(?:tileimage|\w+logo)$/

/** Parses a page. Lists only attributes with an address that begins with `content-space:`. */
export function readPage(html: string): Page {
  const page: Page = { attributes: [], styles: [], scripts: [], data: [] }
  for (const element of elementsOf(html)) {
    for (const attribute of element.attrs) readAttribute(element, attribute, page)
    const isData = element.attrs.some(({ name, value }) => name === 'type' && /\bjson$/i.test(value.trim()))
    const embedded = { style: page.styles, script: isData ? page.data : page.scripts }[element.tagName]
    for (const { sourceCodeLocation: place } of embedded ? element.childNodes : []) {
      if (!place) continue
      const { startOffset: start, endOffset: end, startLine: line } = place
      embedded?.push({ text: html.slice(start, end), start, end, line })
    }
  }
  return page
}

/** Finds the strings in JSON that are ids, without their quotes. */
export function idsInData(json: string): { id: string; start: number; end: number }[] {
  const found = json.matchAll(/(?<=")content-space:[^"\\]*(?=")/g)
  return [...found].map(({ 0: id, index }) => ({ id, start: index, end: index + id.length }))
}

/** Parses a page and yields its elements with their locations. */
export function* elementsOf(html: string): Generator<DefaultTreeAdapterTypes.Element> {
  // Disable scripting so that the content of `<noscript>` is parsed.
  const nodes: DefaultTreeAdapterTypes.Node[] = [parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: false })]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if ('attrs' in node) yield node
    if ('content' in node) nodes.push(node.content)
    if ('childNodes' in node) nodes.push(...node.childNodes.toReversed())
  }
}

/** Returns the range of an attribute, including its name. */
export function rangeOf(element: DefaultTreeAdapterTypes.Element, name: string): Token.Location | undefined {
  const { [name]: range, [name.toLowerCase()]: lowerCase = range } = element.sourceCodeLocation?.attrs ?? {}
  return lowerCase
}

function readAttribute(
  element: DefaultTreeAdapterTypes.Element,
  { prefix, name: local, value }: Token.Attribute,
  page: Page,
): void {
  if (!value.includes('content-space:')) return
  const name = prefix ? `${prefix}:${local}` : local
  const location = rangeOf(element, name)
  if (location === undefined) return
  const { startOffset: start, endOffset: end, startLine: line } = location
  if (name === 'style') {
    page.styles.push({ text: value, attribute: name, start, end, line })
    return
  }
  const form = formOf(element, name)
  const isId = form === 'candidates' ? /(?:^|[\s,])content-space:/.test(value) : /^\s*content-space:/.test(value)
  if (!isId || form === undefined) return
  const whole = element.sourceCodeLocation?.startTag
  const isIcon = element.attrs.some((other) => other.name === 'rel' && /\bicon\b/i.test(other.value))
  const link =
    element.tagName === 'link' && isIcon && whole ? { link: { start: whole.startOffset, end: whole.endOffset } } : {}
  page.attributes.push({ element: element.tagName, name, value: value.trim(), form, start, end, line, ...link })
}

/** Returns the form of an attribute's value, or undefined for an attribute with text. */
export function formOf(
  { tagName, attrs }: DefaultTreeAdapterTypes.Element,
  name: string,
): AttributeWithId['form'] | undefined {
  if (addresses[tagName]?.includes(name)) return 'address'
  if (candidates[tagName] === name) return 'candidates'
  if (tagName === 'meta' && name === 'content') {
    const names = attrs.filter((attribute) => /^(?:name|property|itemprop)$/.test(attribute.name))
    const values = names.map((attribute) => attribute.value.trim().toLowerCase())
    if (values.some((value) => socialImage.test(value) || value === 'image')) return 'image'
    if (values.some((value) => tileImage.test(value))) return 'address'
    if (values.some((value) => /(?:^|:)(?:description|title|keywords)$/.test(value))) return undefined
  }
  return text.test(name) ? undefined : 'other'
}

/**
 * Splits a `srcset` into its candidates.
 * @returns the address of each candidate, and its descriptor: `640w`, `2x`, or an empty string
 */
export function splitCandidates(value: string): { address: string; descriptor: string }[] {
  // A comma ends a descriptor. It ends an address only if a space follows, because ids and data URIs contain commas.
  const found = value.matchAll(/([^\s,]\S*[^\s,]|[^\s,])(?:\s+([^\s,][^,]*))?\s*(?:,|$)/g)
  return [...found].map(([, address = '', descriptor = '']) => ({ address, descriptor: descriptor.trim() }))
}

export function writeAttribute(name: string, value: string): string {
  return `${name}="${escapeAttribute(value)}"`
}

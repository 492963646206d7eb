import {
  attributeAllowed,
  elements,
  isIntegrationPoint,
  styleAllowed,
  svgNamespace,
  xlinkNamespace,
  xmlNamespace,
} from './rules.js'

interface Attribute {
  /** Without prefix. */
  local: string
  /** '' for none. */
  namespace: string
  value: string
}

/** Takes a document in reading order, and writes what of it is a drawing. */
export interface SvgWriter {
  open(local: string, namespace: string, attributes: readonly Attribute[]): void
  text(text: string): void
  close(): void
  /** @returns undefined where there was no drawing */
  end(): string | undefined
}

/**
 * Writes the elements and attributes that the rules allow, in the one spelling that XML and HTML read alike: no
 * prefixes but
 * `xlink` and `xml`, no comments, no CDATA, and every character reference written out that either of them needs.
 */
export function openWriter(): SvgWriter {
  const parts: string[] = []
  const open: string[] = []
  /** Elements that are open within one that is left out, which counts, too. */
  let skipped = 0
  /** Whether the tag that was written last is open yet. */
  let unfinished = false
  /** The element with text alone that is open: its text, and how to take it back. */
  let held: { start: number; first: boolean; text: string } | undefined

  function finishTag(): void {
    if (unfinished) parts.push('>')
    unfinished = false
  }

  function isKept(local: string, namespace: string, attributes: readonly Attribute[]): boolean {
    const parent = open.at(-1)
    if (namespace !== svgNamespace || !elements.has(local)) return false
    if (parent === undefined ? local !== 'svg' || parts.length > 0 : hasTextAlone(parent)) return false
    const animated = attributes.filter(
      (attribute) => attribute.namespace === '' && /^attributeName$/i.test(attribute.local),
    )
    return animated.every(({ value }) =>
      attributeAllowed({ name: 'attributeName', local: 'attributeName', namespace: '' }, value),
    )
  }

  return {
    open(local, namespace, attributes) {
      if (skipped > 0 || !isKept(local, namespace, attributes)) {
        skipped++
        return
      }
      if (hasTextAlone(local)) held = { start: parts.length, first: unfinished, text: '' }
      finishTag()
      const declarations = open.length > 0 ? '' : ` xmlns="${svgNamespace}" xmlns:xlink="${xlinkNamespace}"`
      parts.push(`<${local}${declarations}${written(local, attributes)}`)
      open.push(local)
      unfinished = true
    },
    text(text) {
      const clean = skipped > 0 || open.length === 0 ? '' : withoutControls(text)
      if (clean === '') return
      if (held) held.text += clean
      finishTag()
      parts.push(escapedText(clean))
    },
    close() {
      if (skipped > 0) {
        skipped--
        return
      }
      const local = open.pop() ?? ''
      parts.push(unfinished ? '/>' : `</${local}>`)
      unfinished = false
      if (!held) return
      // A title that spells tags is no title: a page that copies it as text of HTML would run it.
      const harmless = local === 'style' ? styleAllowed(held.text) : !/<[/!a-z]/i.test(held.text)
      if (!harmless) {
        parts.length = held.start
        unfinished = held.first
      }
      held = undefined
    },
    end: () => (parts.length > 0 && open.length === 0 ? parts.join('') : undefined),
  }
}

function hasTextAlone(local: string): boolean {
  return local === 'style' || isIntegrationPoint(local)
}

function written(element: string, attributes: readonly Attribute[]): string {
  const kept = new Map<string, string>()
  for (const { local, namespace, value } of attributes) {
    const prefix = prefixes.get(namespace)
    if (prefix === undefined || local === 'xmlns') continue
    const name = prefix + local
    const clean = withoutControls(value)
    // HTML compares names in lower case, and keeps the first of several.
    const key = name.toLowerCase()
    if (kept.has(key) || leaves(element, key) || !attributeAllowed({ name, local, namespace }, clean)) continue
    kept.set(key, ` ${name}="${escapedText(clean).replaceAll(/["\t\n]/g, reference)}"`)
  }
  return [...kept.values()].join('')
}

/** Of all namespaces, those whose attributes a drawing needs. */
const prefixes = new Map([
  ['', ''],
  [xlinkNamespace, 'xlink:'],
  [xmlNamespace, 'xml:'],
])

/** With one of these, a font is HTML's own, and ends the drawing. */
function leaves(element: string, name: string): boolean {
  return element === 'font' && /^(color|face|size)$/.test(name)
}

/** Whatever XML does not allow even as a reference. */
function withoutControls(text: string): string {
  return text.replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
}

function escapedText(text: string): string {
  return text.replaceAll(/[&<>\r]/g, reference)
}

function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}

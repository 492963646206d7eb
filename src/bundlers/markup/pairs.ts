import { MagicString } from 'magic-string'
import { darkRules } from '../../source/dark-rules.js'
import { elementsOf, rangeOf, splitCandidates, writeAttribute } from '../../source/html.js'
import { idsInStyleSheet, readId, type IdInText } from '../../source/style-sheet.js'
import { escapeAttribute } from '../../text/attribute.js'
import type { Session } from '../session/session.js'
import type { DefaultTreeAdapterTypes } from 'parse5'

/** The ids of the two assets of a pair. */
type Pair = Record<'light' | 'dark', string>

/**
 * Writes each pair in a style sheet as two ids of single assets, adding a rule for dark mode after the rule that uses
 * the pair. Other ids remain unchanged. Keeps the number of lines, so that source maps remain correct.
 * @param sheet the path of the style sheet, for errors
 */
export async function writePairs(session: Session, code: string, sheet: string): Promise<string> {
  const ids = idsInStyleSheet(code)
  const pairs = await Promise.all(ids.map(async (id) => ({ ...id, pair: await pairOf(session, id, sheet) })))
  const known = pairs.flatMap(({ pair, ...range }) => (pair ? { ...range, ...pair } : []))
  if (known.length === 0) return code
  const { options } = await session.engine()
  const text = new MagicString(code)
  for (const rule of darkRules(code, known, options.darkMode)) {
    text.appendLeft(rule.at, rule.text)
    for (const { start, end, light } of rule.ids) text.update(start, end, light)
  }
  return text.toString()
}

/**
 * Writes each pair in a page as a `<picture>` with a source for dark mode. If a class or an attribute controls dark
 * mode, writes two pictures instead, one of which a style sheet hides. Other ids remain unchanged.
 * @param page the path of the page, for errors
 */
export async function writePairsInPage(session: Session, html: string, page: string): Promise<string> {
  const text = new MagicString(html)
  const { options } = await session.engine()
  const isMedia = options.darkMode === 'media'
  for (const element of elementsOf(html)) {
    const tag = element.sourceCodeLocation?.startTag
    const isSource = isInPicture(element)
    if (!tag || !(element.tagName === 'img' || (element.tagName === 'source' && isSource))) continue
    if (!isMedia && isSource) continue
    const values = { light: new Map<string, string>(), dark: new Map<string, string>() }
    for (const { name, value } of element.attrs.filter((attribute) => /^(?:src|srcset)$/.test(attribute.name))) {
      const written = await writeCandidates(session, name, value, page)
      if (!written) continue
      values.light.set(name, written.light)
      values.dark.set(name, written.dark)
    }
    if (values.dark.size === 0) continue
    if (!isMedia) {
      const sides = (['light', 'dark'] as const).map((side) => sideText(element, side, values[side]))
      text.update(tag.startOffset, tag.endOffset, sides.join(''))
      continue
    }
    for (const [name, value] of values.light) {
      const { startOffset = 0, endOffset = 0 } = rangeOf(element, name) ?? {}
      text.update(startOffset, endOffset, writeAttribute(name, value))
    }
    text.appendLeft(tag.startOffset, (isSource ? '' : '<picture>') + darkSource(element, values.dark))
    if (!isSource) text.appendRight(tag.endOffset, '</picture>')
  }
  return text.toString()
}

function isInPicture({ parentNode }: DefaultTreeAdapterTypes.Element): boolean {
  return parentNode !== null && 'tagName' in parentNode && parentNode.tagName === 'picture'
}

/** Returns the values of an attribute for light and dark mode; undefined if the attribute has no pair. */
async function writeCandidates(session: Session, name: string, value: string, page: string): Promise<Pair | undefined> {
  const candidates = name === 'srcset' ? splitCandidates(value) : [{ address: value.trim(), descriptor: '' }]
  const written = await Promise.all(
    candidates.map(async ({ address, descriptor }) => {
      const id = readId(address)
      const pair = id && (await pairOf(session, id, page))
      return { descriptor, isPair: pair !== undefined, ...(pair ?? { light: address, dark: address }) }
    }),
  )
  if (!written.some(({ isPair }) => isPair)) return undefined
  const list = (side: keyof Pair): string =>
    written.map((entry) => [entry[side], entry.descriptor].filter(Boolean).join(' ')).join(', ')
  return { light: list('light'), dark: list('dark') }
}

/** Returns the source for dark mode, which precedes its light counterpart. */
function darkSource({ tagName, attrs }: DefaultTreeAdapterTypes.Element, dark: ReadonlyMap<string, string>): string {
  const kept = attrs.filter(({ name }) => (tagName === 'img' ? name === 'sizes' : !/^(?:srcset|media)$/.test(name)))
  const others = attrs.find(({ name }) => tagName === 'source' && name === 'media')?.value.split(',') ?? []
  const media = (others.length === 0 ? [''] : others)
    .map((other) => `${other.trim()}${other && ' and '}(prefers-color-scheme: dark)`)
    .join(', ')
  const attributes = [
    ...kept,
    { name: 'media', value: media },
    { name: 'srcset', value: dark.get('srcset') ?? dark.get('src') ?? '' },
  ]
  return elementText('source', attributes)
}

/**
 * Returns one of two pictures. A style sheet hides one of them. The pictures load lazily, so browsers don't request the
 * hidden one.
 */
function sideText({ attrs }: DefaultTreeAdapterTypes.Element, side: keyof Pair, values: ReadonlyMap<string, string>) {
  const kept = attrs.filter(({ name }) => !/^(?:class|loading)$/.test(name) && !(side === 'dark' && name === 'id'))
  const own = kept.map(({ name, value }) => ({ name, value: values.get(name) ?? value }))
  const given = attrs.find(({ name }) => name === 'class')?.value
  const classes = [given, `content-space-${side}`].filter(Boolean).join(' ')
  return elementText('img', [...own, { name: 'class', value: classes }, { name: 'loading', value: 'lazy' }])
}

function elementText(name: string, attributes: readonly { name: string; value: string }[]): string {
  return `<${name}${attributes.map((one) => ` ${one.name}="${escapeAttribute(one.value)}"`).join('')}>`
}

/** Returns the ids of both assets; undefined for an id of a single asset. */
async function pairOf(
  session: Session,
  { id, fragment }: Pick<IdInText, 'id' | 'fragment'>,
  place: string,
): Promise<Pair | undefined> {
  const plan = await session.plan(id, place)
  const dark = plan?.dark?.src?.asset
  if (dark === undefined) return undefined
  const [path = '', query = ''] = id.split('?')
  const rest = query.split('&').filter((part) => part !== '' && !part.startsWith('dark='))
  const end = (rest.length > 0 ? `?${rest.join('&')}` : '') + fragment
  return { light: path + end, dark: path.replace(/[^/]*$/, dark) + end }
}

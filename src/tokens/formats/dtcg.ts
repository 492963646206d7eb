import type { ColorToken } from '../../asset.js'
import { slugOf } from '../../kit/identifiers.js'
import { escapeHidden } from '../../text/display.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { pick } from '../../text/pick.js'
import { headLines, type SheetFont, type TokenSheet } from './sheet.js'

// The format is specified at https://www.designtokens.org/tr/2025.10/format/

/** A group, or a font with its two tokens. A map, because maps keep the order of numeric keys, too. */
type Group = Map<string, Node>
type Node = Group | object | string

/** Writes a file in the format of the Design Tokens Format Module 2025.10. */
export function dtcg(sheet: TokenSheet): string {
  const placed = (token: { group: readonly string[] }): readonly string[] =>
    [sheet.prefix, ...token.group.map(slugOf)].filter((key) => key !== '')
  const entries = [
    ...[...sheet.colors.values()].map((color) => ({ ...color, path: placed(color), node: colorToken(color) })),
    ...[...sheet.fonts.values()].map((font) => ({ ...font, path: placed(font), node: fontTokens(font) })),
  ]
  const root: Group = new Map<string, Node>([['$description', headLines(sheet)[0] ?? '']])
  // A token must not have the same name as a group, even if the group comes later.
  const groups = new Set(entries.flatMap(({ path }) => path.map((_, at) => path.slice(0, at + 1).join('.'))))
  const keyed = entries.map(({ slug, uuid, node, path }) => {
    const group = path.reduce(groupIn, root)
    const names = [slug, `${slug}-${uuid.slice(0, 8).toLowerCase()}`, `${slug}-${uuid.toLowerCase()}`]
    const key = names.find((name) => !group.has(name) && !groups.has([...path, name].join('.'))) ?? uuid
    group.set(key, node)
    return { uuid, node, group, path: [...path, key] }
  })
  // Add former names last, so that they don't take a token's name.
  for (const { uuid, node, group, path } of keyed) {
    for (const alias of sheet.former.get(uuid) ?? []) if (!group.has(alias)) group.set(alias, reference(node, path))
  }
  return `${escapeHidden(json(root, ''))}\n`
}

/** Returns a group within another group, creating it if it is missing. */
function groupIn(parent: Group, key: string): Group {
  const found = parent.get(key)
  if (found instanceof Map) return found
  const group: Group = new Map()
  parent.set(key, group)
  return group
}

/** Returns a deprecated token that refers to another one, or a group of such tokens. */
function reference(node: Node, path: readonly string[]): Node {
  if (node instanceof Map) return new Map([...node].map(([key, token]) => [key, reference(token, [...path, key])]))
  const type = typeof node === 'object' && '$type' in node ? { $type: node.$type } : {}
  return { ...type, $value: `{${path.join('.')}}`, $deprecated: `Renamed: use ${path.at(-1)}.` }
}

function colorToken(color: ColorToken): object {
  const { rgb, alpha, hex } = color
  const components = rgb.map((channel) => Number((channel / 255).toFixed(5)))
  return tokenNode('color', { colorSpace: 'srgb', components, alpha, hex }, color)
}

function fontTokens(font: SheetFont): Group {
  const { family, slug, weight, address } = font
  // DTCG doesn't define types for these properties.
  const more = pick(font, ['weightRange', 'style', 'slantRange', 'stretch', 'stretchRange'])
  const src = address?.relative ? { src: address.text } : {}
  return new Map([
    ['family', tokenNode('fontFamily', withoutBraces(family) || slug, font, src)],
    ['weight', tokenNode('fontWeight', weight, font, omitUndefined(more))],
  ])
}

function tokenNode($type: string, $value: unknown, { notes, uuid }: ColorToken | SheetFont, more: object = {}): object {
  const about = notes === '' ? {} : { $description: forComments(withoutBraces(notes)) }
  return { $type, $value, ...about, $extensions: { 'content-space': { uuid, ...more } } }
}

/** Removes braces, because they delimit references, which Style Dictionary resolves even in descriptions. */
function withoutBraces(text: string): string {
  return text.replace(/[{}]/g, '')
}

/**
 * Breaks up comment endings, because tools copy descriptions into comments, where text after an ending would become
 * code.
 */
function forComments(text: string): string {
  return text.replace(/\*(?=\/)|--(?=>)/g, '$& ').replace(/\r\n?|[\u2028\u2029]/g, '\n')
}

function json(node: Node, indent: string): string {
  const inner = `${indent}  `
  if (!(node instanceof Map)) return JSON.stringify(node, null, 2).replaceAll('\n', `\n${indent}`)
  const lines = [...node].map(([key, value]) => `${inner}${JSON.stringify(key)}: ${json(value, inner)}`)
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`
}

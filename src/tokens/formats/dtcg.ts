import type { ColorToken } from '../../asset.js'
import { slugOf } from '../../kit/identifiers.js'
import { escapeHidden } from '../../text/display.js'
import { headLines } from './head.js'
import type { SheetFont, TokenSheet } from './sheet.js'

// https://www.designtokens.org/tr/2025.10/format/

/** A group, or a font with its two tokens. Keys keep their order, also those that are numbers. */
type Group = Map<string, Node>
type Node = Group | object | string

/** A token, or a font, which is a group of two tokens, with its place. */
interface Entry {
  path: readonly string[]
  uuid: string
  slug: string
  node: Node
}

/** Design Tokens Format Module 2025.10. */
export function dtcg(sheet: TokenSheet): string {
  const placed = (token: { group: readonly string[] }): readonly string[] =>
    [sheet.prefix, ...token.group.map(slugOf)].filter((key) => key !== '')
  const entries: Entry[] = [
    ...[...sheet.colors.values()].map((color) => ({ ...color, path: placed(color), node: colorToken(color) })),
    ...[...sheet.fonts.values()].map((font) => ({ ...font, path: placed(font), node: fontTokens(font) })),
  ]
  const root: Group = new Map<string, Node>([['$description', headLines(sheet)[0] ?? '']])
  // All groups come before tokens, so that a token of the same name is told apart wherever it is.
  const groups = entries.map(({ path }) => path.reduce(groupIn, root))
  for (const [at, { slug, uuid, node }] of entries.entries()) {
    const group = groups[at]
    const names = [slug, `${slug}-${uuid.slice(0, 8).toLowerCase()}`, `${slug}-${uuid.toLowerCase()}`]
    group?.set(names.find((name) => !group.has(name)) ?? uuid, node)
  }
  return `${escapeHidden(json(root, ''))}\n`
}

/** Returns a group within another one. Makes it if there is none. */
function groupIn(parent: Group, key: string): Group {
  const found = parent.get(key)
  if (found instanceof Map) return found
  const group: Group = new Map()
  parent.set(key, group)
  return group
}

function colorToken({ rgb, alpha, hex, notes, uuid }: ColorToken): object {
  const components = rgb.map((channel) => Number((channel / 255).toFixed(5)))
  return {
    $type: 'color',
    $value: { colorSpace: 'srgb', components, alpha, hex },
    ...about(notes),
    $extensions: { 'content-space': { uuid } },
  }
}

function fontTokens({ family, weight, style, notes, uuid, address }: SheetFont): Group {
  const src = address?.relative ? { src: address.text } : {}
  return new Map([
    [
      'family',
      { $type: 'fontFamily', $value: family, ...about(notes), $extensions: { 'content-space': { uuid, ...src } } },
    ],
    [
      'weight',
      { $type: 'fontWeight', $value: weight, ...about(notes), $extensions: { 'content-space': { uuid, style } } },
    ],
  ])
}

function about(notes: string): object {
  return notes === '' ? {} : { $description: notes }
}

function json(node: Node, indent: string): string {
  const inner = `${indent}  `
  if (!(node instanceof Map)) return JSON.stringify(node, null, 2).replaceAll('\n', `\n${indent}`)
  const lines = [...node].map(([key, value]) => `${inner}${JSON.stringify(key)}: ${json(value, inner)}`)
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`
}

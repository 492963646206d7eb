import { findAll, generate, parse, walk, type CssNode } from 'css-tree'
import { formatHex, parse as parseColor } from 'culori'
import type { Element } from './tree.js'

const colorNames = /^(?:fill|stroke|color|stop-color|flood-color|lighting-color|solid-color)$/i

const animations = /^(?:animate|animateColor|set)$/

/**
 * Called for each color that is drawn.
 * @returns the replacement, or undefined to keep the color
 */
export type OnColor = (hex: string, text: string, alpha: number) => string | undefined

/** Replaces the colors of an element: in its attributes, its style, and the values of an animation. */
export function replaceColorsOf({ name, attributes }: Element, onColor: OnColor): void {
  const animated = animations.test(name) && colorNames.test(attributes['attributeName']?.trim() ?? '')
  for (const [key, value] of Object.entries(attributes)) {
    if (colorNames.test(key)) attributes[key] = inValue(value, onColor)
    else if (key === 'style') attributes[key] = inCss(value, 'declarationList', onColor)
    else if (animated && /^(?:values|from|to|by)$/.test(key))
      attributes[key] = value
        .split(';')
        .map((part) => inValue(part, onColor))
        .join(';')
  }
}

export function inCss(css: string, context: 'stylesheet' | 'declarationList', onColor: OnColor): string {
  const tree = parse(css, { context })
  let changed = false
  walk(tree, (node) => {
    if (node.type === 'Declaration' && colorNames.test(node.property)) changed = inNode(node.value, onColor) || changed
  })
  return changed ? generate(tree) : css
}

function inValue(value: string, onColor: OnColor): string {
  const tree = parse(value, { context: 'value' })
  return inNode(tree, onColor) ? generate(tree) : value
}

/** @returns whether a color was replaced */
function inNode(tree: CssNode, onColor: OnColor): boolean {
  readFallbacks(tree)
  const colors = findAll(tree, ({ type }) => type === 'Hash' || type === 'Function' || type === 'Identifier')
  const replaced = colors.filter((node) => {
    const text = generate(node)
    const color = isBareHex(text) ? undefined : parseColor(text)
    if (color === undefined || color.alpha === 0) return false
    const replacement = onColor(formatHex(color), text, color.alpha ?? 1)
    if (replacement !== undefined) Object.assign(node, { type: 'Raw', value: replacement })
    return replacement !== undefined
  })
  return replaced.length > 0
}

/** Detects values such as `fade`, which culori reads as `#fade` although browsers ignore them. */
function isBareHex(text: string): boolean {
  return /^[\da-f]+$/i.test(text)
}

/** Parses fallbacks that css-tree leaves as raw text, such as `red` in `var(--a,red)`, even if they are nested. */
function readFallbacks(tree: CssNode): void {
  const fallbacks: { node: CssNode; depth: number }[] = rawIn(tree).map((node) => ({ node, depth: 0 }))
  for (const { node, depth } of fallbacks) {
    if (node.type !== 'Raw' || depth > maxFallbacks) continue
    const value = parse(node.value, { context: 'value' })
    if (value.type !== 'Value') continue
    Object.assign(node, value)
    fallbacks.push(...rawIn(value).map((inner) => ({ node: inner, depth: depth + 1 })))
  }
}

const maxFallbacks = 8

function rawIn(tree: CssNode): CssNode[] {
  return findAll(tree, ({ type }) => type === 'Raw')
}

/** Returns the paint that a CSS property sets, or else the attribute of the same name, which the property overrides. */
export function paintOf({ attributes }: Element, name: 'fill' | 'stroke' | 'color' | 'stop-color'): string | undefined {
  const declared = new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*([^;!]+)`, 'i').exec(attributes['style'] ?? '')?.[1]
  return [declared?.trim(), attributes[name]?.trim()].find((value) => value !== undefined && isPaint(value))
}

const keywords = new RegExp(
  '^(?:none|inherit|initial|unset|revert(?:-layer)?|currentcolor|context-(?:fill|stroke)|canvas(?:text)?|linktext|' +
    'visitedtext|activetext|button(?:face|text|border)|field(?:text)?|highlight(?:text)?|selecteditem(?:text)?|' +
    'mark(?:text)?|graytext|accentcolor(?:text)?)$',
  'i',
)

/** Checks whether browsers accept a value as a paint. They ignore other values, such as `fade`. */
function isPaint(value: string): boolean {
  return keywords.test(value) || value.includes('(') || (!isBareHex(value) && parseColor(value) !== undefined)
}

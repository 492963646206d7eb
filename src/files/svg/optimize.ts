import { builtinPlugins, type CustomPlugin } from 'svgo'
import { ariaReferences } from './prefix.js'
import { moveSheets } from './styles.js'
import { elementsIn, sheetsIn, visit, type Root, type Visitor } from './tree.js'

/**
 * Returns a plugin that runs svgo's default plugins, except those that would change the rendering of this SVG or take
 * more than linear time.
 */
export function optimization(text: string): CustomPlugin {
  const omitted = hasHiddenReferences(text) ? keepIds : []
  return {
    name: 'optimization',
    fn(root, _, info) {
      // Do this instead of `inlineStyles`, which would also move rules that other rules override in dark mode or on
      // hover.
      moveSheets(root)
      const skipped = new Set(['inlineStyles', ...omitted, ...(isSlow(root) ? matchRules : [])])
      for (const { name, fn } of defaults) {
        if (skipped.has(name) || isRisky(root, name)) continue
        const visitor = Reflect.apply(fn, undefined, [root, {}, info])
        if (visitor) visit(root, name === 'convertPathData' ? withoutLongPaths(visitor) : visitor)
      }
      return null
    },
  }
}

/** Plugins that move attributes between elements, remove elements, or replace them. */
const moves = [
  'removeNonInheritableGroupAttrs',
  'moveElemsAttrsToGroup',
  'moveGroupAttrsToElems',
  'collapseGroups',
  'removeHiddenElems',
  'removeEmptyContainers',
  'mergePaths',
]
const shapes = ['convertShapeToPath', 'convertEllipseToCircle']
const paths = ['convertPathData', 'convertTransform']
const values = [
  ...paths,
  'cleanupAttrs',
  'cleanupEnableBackground',
  'cleanupNumericValues',
  'convertColors',
  'removeDeprecatedAttrs',
  'removeUnknownsAndDefaults',
  'removeUselessStrokeAndFill',
]

/** The plugins that may change the rendering of an SVG with certain features, such as elements and attributes. */
const risks: readonly (readonly [parts: RegExp, plugins: readonly string[]])[] = [
  // Selectors may match any element and may depend on its position.
  [/^<style$/, [...moves, ...shapes, 'removeUselessDefs']],
  [/^attribute selector$/, values],
  // Sizes in em and text alignment depend on the surrounding elements.
  [/^<(?:text|tref)/, [...moves, 'removeUnknownsAndDefaults']],
  [/^<textPath$/, [...shapes, ...paths]],
  [/^<(?:animate\w*|set)$/, [...moves, ...shapes, ...paths, 'sortAttrs', 'removeUnknownsAndDefaults']],
  // Other files may refer to these elements.
  [/^<(?:symbol|view)$/, ['cleanupIds', 'removeHiddenElems', 'removeUselessDefs', 'removeEmptyContainers']],
  [/^<switch$/, moves],
  // A shape affects the bounding box even if it isn't drawn.
  [/^(?:<(?:filter|mask|clipPath)|mix-blend-mode)$/, ['removeHiddenElems', 'mergePaths']],
  [/^marker(?:-\w+)?$/, [...moves, ...shapes, ...paths]],
  [/^transform-origin$/, [...moves, ...shapes, ...paths]],
  [/^context-(?:fill|stroke)$/, [...moves, ...shapes, ...paths, 'removeUselessStrokeAndFill']],
  [/^stretched$/, shapes],
  // `mergeStyles` drops the `media` attribute of a single style sheet.
  [/^media$/, ['mergeStyles']],
]

function isRisky(root: Root, plugin: string): boolean {
  const patterns = risks.filter(([, plugins]) => plugins.includes(plugin)).map(([parts]) => parts)
  if (patterns.length === 0) return false
  const parts = partsOf(root)
  return patterns.some((pattern) => parts.some((part) => pattern.test(part)))
}

/**
 * Lists the features of an SVG: element names after `<`, attribute names, property names, and the words `attribute
 * selector`, `context-fill` and `stretched`.
 */
function partsOf(root: Root): string[] {
  const parts = new Set<string>()
  if (sheetsIn(root).some(({ value }) => value.includes('['))) parts.add('attribute selector')
  for (const { name, attributes } of elementsIn(root)) {
    parts.add(`<${name}`)
    for (const [key, value] of Object.entries(attributes)) {
      parts.add(key)
      if (isStretched(key, value)) parts.add('stretched')
      const words = key === 'style' || value.startsWith('context-') ? value.match(/[a-z]+(?:-[a-z]+)+|marker/g) : []
      for (const word of words ?? []) parts.add(word)
    }
  }
  return [...parts]
}

/**
 * Checks whether an attribute may scale one axis more than the other. In that case, Chromium draws lines thinner than a
 * pixel darker in a path than in other shapes.
 */
function isStretched(name: string, value: string): boolean {
  if (name === 'preserveAspectRatio') return /^\s*(?:defer\s+)?none/.test(value)
  return /^(?:transform|style)$/.test(name) && /matrix|skew|scale(?:[XY3]|\(\s*[^\s,)]+[\s,]+[^\s,)])/i.test(value)
}

/**
 * The maximum length in characters of a path that is optimized, because the time grows with the square of the length.
 */
const longPath = 16_384

function withoutLongPaths({ element, ...others }: Visitor): Visitor {
  return {
    ...others,
    element: {
      ...element,
      enter: (node, parent) =>
        (node.attributes['d'] ?? '').length > longPath ? undefined : element?.enter?.(node, parent),
    },
  }
}

const defaults = builtinPlugins.flatMap((plugin) =>
  plugin.name === 'preset-default' && 'plugins' in plugin && plugin.plugins ? plugin.plugins : [],
)

/** Plugins that rename ids or remove elements to which svgo finds no reference. */
const keepIds = ['cleanupIds', 'removeHiddenElems']

/**
 * Checks for animations and ARIA attributes, because they may refer to ids and svgo doesn't recognize these references.
 */
function hasHiddenReferences(text: string): boolean {
  return /<([\w-]+:)?(animate\w*|set)[\s/>]/.test(text) || ariaReferences.some((name) => text.includes(name))
}

/** Plugins that match every element against every rule of the style sheets. */
const matchRules = [
  'removeDeprecatedAttrs',
  'removeUnknownsAndDefaults',
  'removeUselessStrokeAndFill',
  'removeHiddenElems',
  'collapseGroups',
  'convertPathData',
  'removeEmptyContainers',
  'mergePaths',
]

/** The maximum product of rules and elements for these plugins. */
const mostMatches = 20_000

function isSlow(root: Root): boolean {
  const rules = sheetsIn(root).reduce((sum, { value }) => sum + value.split('{').length - 1, 0)
  return rules * elementsIn(root).length > mostMatches
}

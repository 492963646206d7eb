import { builtinPlugins, type CustomPlugin } from 'svgo'
import { ariaReferences } from './prefix.js'
import { moveStyles } from './styles.js'
import { elementsIn, sheetsIn, visit, type Root, type Visitor } from './tree.js'

/** The default plugins of svgo, in a time that grows with the size of the drawing. */
export function optimization(text: string): CustomPlugin {
  const omitted = hasHiddenReferences(text) ? keepIds : []
  return {
    name: 'optimization',
    fn(root, _, info) {
      if (isSlow(root)) void moveStyles.fn(root, undefined, info)
      const skipped = new Set([...omitted, ...(isSlow(root) ? matchRules : [])])
      for (const { name, fn } of defaults) {
        if (skipped.has(name)) continue
        const visitor = Reflect.apply(fn, undefined, [root, {}, info])
        if (visitor) visit(root, name === 'convertPathData' ? withoutLongPaths(visitor) : visitor)
      }
      return null
    },
  }
}

/** Characters of a path that is optimized. The time grows with the square of the length. */
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

/** Plugins that rename ids, or remove elements without references that svgo knows. */
const keepIds = ['cleanupIds', 'removeHiddenElems']

/** Whether there may be references to ids that svgo does not know: in animations and ARIA attributes. */
function hasHiddenReferences(text: string): boolean {
  return /<([\w-]+:)?(animate\w*|set)[\s/>]/.test(text) || ariaReferences.some((name) => text.includes(name))
}

/** Plugins that match each element with each rule of the style sheets. */
const matchRules = [
  'inlineStyles',
  'removeDeprecatedAttrs',
  'removeUnknownsAndDefaults',
  'removeUselessStrokeAndFill',
  'removeHiddenElems',
  'collapseGroups',
  'convertPathData',
  'removeEmptyContainers',
  'mergePaths',
]

/** Rules of style sheets times elements. */
const mostMatches = 20_000

function isSlow(root: Root): boolean {
  const rules = sheetsIn(root).reduce((sum, { value }) => sum + value.split('{').length - 1, 0)
  return rules * elementsIn(root).length > mostMatches
}

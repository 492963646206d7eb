import { builtinPlugins, optimize, type CustomPlugin, type PluginConfig } from 'svgo'
import type { SvgRecipe } from '../recipe.js'
import { findActive } from './check.js'
import { prefixAnimations } from './animations.js'
import { sanitizeSvg } from './sanitize.js'

/**
 * An SVG as a recipe says: sanitised where it needs it, then optimised, then its ids prefixed.
 * @throws Error with a reason in words, also when the check, which knows nothing of what made it, still finds something
 */
export function makeSvg(bytes: Uint8Array, { policy, prefix, svgo }: SvgRecipe): Uint8Array {
  const safe = policy !== 'sanitize' || findActive(bytes).length === 0
  let text = safe ? new TextDecoder().decode(bytes) : sanitized(decode(bytes))
  if (svgo || prefix !== undefined) text = rewritten(text, svgo === true, prefix)
  const made = Buffer.from(text)
  const left = policy === 'trust' ? [] : findActive(made)
  if (left.length > 0) throw new Error(`${left.join(', ')} cannot be removed from it`)
  return made
}

function sanitized(text: string): string {
  const result = sanitizeSvg(text)
  if (result === undefined) throw new Error('no drawing is left of it without what is active')
  return result
}

/** In the encoding that the file declares. */
function decode(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const [, declared = 'utf-8'] = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(start) ?? []
  const marks = { '\xfe\xff': 'utf-16be', '\xff\xfe': 'utf-16le' }
  const marked = Object.entries(marks).find(([mark]) => start.startsWith(mark))?.[1]
  return new TextDecoder(marked ?? declared).decode(bytes)
}

function rewritten(text: string, optimise: boolean, prefix: string | undefined): string {
  // Classes are shared with a page on purpose, unless the file brings its own style for them.
  const prefixClassNames = /<([\w-]+:)?style[\s>]/.test(text)
  const plugins: PluginConfig[] = optimise
    ? [{ name: 'preset-default', params: { overrides: refersOddly(text) ? keepIds : {} } }]
    : []
  if (prefix !== undefined) {
    plugins.push(
      ...[prefixIds(prefix, prefixClassNames), references(`${prefix}-`), prefixAnimations(`${prefix}-`)].map(linear),
    )
  }
  return optimize(text, { plugins }).data
}

function prefixIds(prefix: string, prefixClassNames: boolean): CustomPlugin {
  const plugin = builtinPlugins.find(({ name }) => name === 'prefixIds')
  if (plugin?.name !== 'prefixIds') throw new Error('svgo has no prefixIds')
  return { name: 'prefixIds', fn: (root, _, info) => plugin.fn(root, { prefix, delim: '-', prefixClassNames }, info) }
}

/** svgo looks for each element among its siblings, in case it was removed, which takes minutes where there are many. */
function linear({ name, fn }: CustomPlugin): CustomPlugin {
  return {
    name,
    fn(root, params, info) {
      const visitor = fn(root, params, info)
      if (typeof visitor === 'object' && visitor?.element?.enter) enterAll(root, visitor.element.enter)
      return null
    },
  }
}

function enterAll(parent: Parent, enter: Enter): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    void enter(child, parent)
    enterAll(child, enter)
  }
}

type Visitor = Exclude<ReturnType<CustomPlugin['fn']>, void | null>
type Enter = NonNullable<NonNullable<Visitor['element']>['enter']>
type Parent = Parameters<Enter>[1]

const labels = [
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'aria-owns',
  'aria-details',
  'aria-flowto',
  'aria-activedescendant',
]

/** What svgo does to ids, and to elements that nothing it knows of refers to. */
const keepIds = { cleanupIds: false, removeHiddenElems: false } as const

/** Whether ids may be referred to where svgo does not look: in animations and attributes of ARIA. */
function refersOddly(text: string): boolean {
  return /<([\w-]+:)?(animate\w*|set)[\s/>]/.test(text) || labels.some((name) => text.includes(name))
}

/**
 * References to ids that svgo's `prefixIds` does not know: `begin="id.click"`, the values of animations, and those of
 * ARIA.
 */
function references(prefix: string): CustomPlugin {
  const prefixed = (id: string) => (id.startsWith(prefix) ? id : prefix + id)
  return {
    name: 'prefixReferences',
    fn: () => ({
      element: {
        enter({ attributes }) {
          for (const name of labels) {
            const value = attributes[name]
            if (value !== undefined) attributes[name] = value.trim().split(/\s+/).map(prefixed).join(' ')
          }
          for (const name of ['begin', 'end']) {
            const value = attributes[name]
            if (value !== undefined) {
              attributes[name] = value.replaceAll(
                /(^|;)(\s*)([a-z_][\w-]*)(?=\.[a-z])/gi,
                (_, before, space, id) => before + space + prefixed(id),
              )
            }
          }
          // A `#` alone is a colour, unless it is an address that is animated.
          const reference = /(^|:)href$/.test(attributes['attributeName']?.trim() ?? '')
            ? /((?:^|;)\s*#)([^;]+)/g
            : /(\burl\(\s*["']?#)([^"')]+)/gi
          for (const name of ['values', 'from', 'to', 'by']) {
            const value = attributes[name]
            if (value !== undefined)
              attributes[name] = value.replaceAll(reference, (_, before, id) => before + prefixed(id))
          }
        },
      },
    }),
  }
}

import { optimize, type CustomPlugin, type PluginConfig } from 'svgo'
import type { SvgRecipe } from './recipe.js'
import { findActive } from './svg-check.js'
import { prefixAnimations } from './svg-animations.js'
import { sanitizeSvg } from './svg-sanitize.js'

/**
 * An SVG as a recipe says: sanitised where it needs it, then optimised, then its ids prefixed.
 * @throws Error with a reason in words
 */
export function makeSvg(bytes: Uint8Array, { policy, prefix, svgo }: SvgRecipe): Uint8Array {
  const safe = policy !== 'sanitize' || findActive(bytes).length === 0
  let text = safe ? new TextDecoder().decode(bytes) : sanitized(decode(bytes))
  if (svgo || prefix !== undefined) text = rewritten(text, svgo === true, prefix)
  return Buffer.from(text)
}

/** @throws Error when the check, which knows nothing of the sanitiser, still finds something */
function sanitized(text: string): string {
  const result = sanitizeSvg(text)
  if (result === undefined) throw new Error('no drawing is left of it without what is active')
  const left = findActive(Buffer.from(result))
  if (left.length > 0) throw new Error(`${left.join(', ')} cannot be removed from it`)
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
  const plugins: PluginConfig[] = optimise ? [{ name: 'preset-default', params: { overrides: refersOddly(text) ? keepIds : {} } }] : []
  if (prefix !== undefined) {
    plugins.push({ name: 'prefixIds', params: { prefix, delim: '-', prefixClassNames } }, references(`${prefix}-`), prefixAnimations(`${prefix}-`))
  }
  return optimize(text, { plugins }).data
}

const labels = ['aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns', 'aria-details', 'aria-flowto', 'aria-activedescendant']

/** What svgo does to ids, and to elements that nothing it knows of refers to. */
const keepIds = { cleanupIds: false, removeHiddenElems: false } as const

/** Whether ids may be referred to where svgo does not look: in animations and attributes of ARIA. */
function refersOddly(text: string): boolean {
  return /<([\w-]+:)?(animate\w*|set)[\s/>]/.test(text) || labels.some((name) => text.includes(name))
}

/** References to ids that svgo's `prefixIds` does not know: `begin="id.click"`, the values of animations, and those of ARIA. */
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
              attributes[name] = value.replaceAll(/(^|;)(\s*)([a-z_][\w-]*)(?=\.[a-z])/gi, (_, before, space, id) => before + space + prefixed(id))
            }
          }
          // A `#` alone is a colour, unless it is an address that is animated.
          const reference = /(^|:)href$/.test(attributes['attributeName']?.trim() ?? '') ? /((?:^|;)\s*#)([^;]+)/g : /(\burl\(\s*["']?#)([^"')]+)/gi
          for (const name of ['values', 'from', 'to', 'by']) {
            const value = attributes[name]
            if (value !== undefined) attributes[name] = value.replaceAll(reference, (_, before, id) => before + prefixed(id))
          }
        },
      },
    }),
  }
}

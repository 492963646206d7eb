import type { CustomPlugin } from 'svgo'
import { prefixAnimations } from './animations.js'
import { builtin, elementsIn, inLinearTime } from './tree.js'

/** Returns plugins that prefix all ids of an SVG and all references to them. */
export function prefixPlugins(prefix: string, prefixClassNames: boolean): CustomPlugin[] {
  const prefixIds = builtin('prefixIds', { prefix, delim: '-', prefixClassNames })
  const plugins = [prefixIds, prefixReferences(`${prefix}-`), prefixAnimations(`${prefix}-`)]
  return plugins.map(inLinearTime)
}

/** Removes spaces and quotation marks in `url( '#id' )`, which svgo does not take for a reference. */
export const trimAddresses: CustomPlugin = {
  name: 'trimAddresses',
  fn(root) {
    for (const { attributes } of elementsIn(root)) {
      for (const [name, value] of Object.entries(attributes)) {
        if (/url\(/i.test(value)) attributes[name] = value.replaceAll(/\burl\(([^()]*)\)/gi, trimmed)
      }
    }
    return null
  },
}

function trimmed(whole: string, address: string): string {
  if (!/\s/.test(address)) return whole
  const [, , id = ''] = /^(["']?)(#[^"']*)\1$/.exec(address.trim()) ?? []
  return id === '' ? whole : `url(${id.trim()})`
}

/** ARIA attributes whose value is a list of ids. */
export const ariaReferences = [
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'aria-owns',
  'aria-details',
  'aria-flowto',
  'aria-activedescendant',
]

/**
 * Prefixes references to ids that svgo's `prefixIds` does not know: ARIA attributes, `begin="id.click"`, and the values
 * of animations.
 */
function prefixReferences(prefix: string): CustomPlugin {
  const prefixed = (id: string) => (id.startsWith(prefix) ? id : prefix + id)
  return {
    name: 'prefixReferences',
    fn: () => ({
      element: {
        enter({ attributes }) {
          replaceIn(attributes, ariaReferences, (value) => value.trim().split(/\s+/).map(prefixed).join(' '))
          replaceIn(attributes, ['begin', 'end'], (value) =>
            value.replaceAll(
              /(^|;)(\s*)([a-z_][\w-]*)(?=\.[a-z])/gi,
              (_, before, space, id) => before + space + prefixed(id),
            ),
          )
          const reference = animatedReference(attributes)
          replaceIn(attributes, ['values', 'from', 'to', 'by'], (value) =>
            value.replaceAll(reference, (_, before, id) => before + prefixed(id)),
          )
        },
      },
    }),
  }
}

function replaceIn(
  attributes: Record<string, string>,
  names: readonly string[],
  replace: (value: string) => string,
): void {
  for (const name of names) {
    const value = attributes[name]
    if (value !== undefined) attributes[name] = replace(value)
  }
}

/** Returns the pattern of references in the values of an animation. `#abc` is a color, except in an animated `href`. */
function animatedReference(attributes: Record<string, string>): RegExp {
  const animatesHref = /(^|:)href$/.test(attributes['attributeName']?.trim() ?? '')
  return animatesHref ? /((?:^|;)\s*#)([^;]+)/g : /(\burl\(\s*["']?#)([^"')]+)/gi
}

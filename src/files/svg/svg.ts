import { optimize as runSvgo, type PluginConfig } from 'svgo'
import { xmlDecoder } from '../../text/xml-decoder.js'
import type { SvgRecipe } from '../recipe.js'
import { findActive } from './check.js'
import { componentPlugins } from './component.js'
import { inCurrentColor } from './current-color.js'
import { ariaReferences, prefixPlugins, trimAddresses } from './prefix.js'
import { sanitizeSvg } from './sanitize.js'
import { moveStyles, spaceComparisons } from './styles.js'

/**
 * Makes an SVG by a recipe: sanitizes it if necessary, optimizes it, makes it a part of a page, and prefixes its ids.
 * Unless the policy is `trust`, the result is checked again, by code that is independent of the sanitizer.
 * @throws Error whose message is a reason
 */
export function makeSvg(bytes: Uint8Array, recipe: SvgRecipe): Uint8Array {
  const { policy, prefix, svgo } = recipe
  const isKept = policy !== 'sanitize' || findActive(bytes).length === 0
  let text = decode(bytes)
  if (!isKept) text = sanitize(text)
  if (svgo || prefix !== undefined) text = rewrite(text, recipe)
  const result = Buffer.from(text)
  const active = policy === 'trust' ? [] : findActive(result)
  if (active.length > 0) throw new Error(`${active.join(', ')} cannot be removed`)
  return result
}

function sanitize(text: string): string {
  const result = sanitizeSvg(text)
  if (result === undefined) throw new Error('nothing safe remains after sanitizing')
  return result
}

/** Decodes text in the encoding that the file declares. */
function decode(bytes: Uint8Array): string {
  const decoder = xmlDecoder(bytes)
  if (decoder === undefined) throw new Error('its encoding is not supported')
  return decoder.decode(bytes)
}

function rewrite(text: string, { prefix, svgo, component, currentcolor }: SvgRecipe): string {
  // The classes of a file without a style sheet refer to the style sheets of the page, and keep their names.
  const prefixClassNames = /<([\w-]+:)?style[\s>]/.test(text)
  const plugins: PluginConfig[] = [trimAddresses]
  if (svgo) plugins.push({ name: 'preset-default', params: { overrides: hasHiddenReferences(text) ? keepIds : {} } })
  if (component || currentcolor) plugins.push(moveStyles)
  if (currentcolor) plugins.push(inCurrentColor)
  if (component) plugins.push(...componentPlugins)
  if (prefix !== undefined) plugins.push(...prefixPlugins(prefix, prefixClassNames))
  plugins.push(spaceComparisons)
  return runSvgo(text, { plugins }).data
}

/** Turns off plugins that rename ids, or remove elements without references that svgo knows. */
const keepIds = { cleanupIds: false, removeHiddenElems: false } as const

/** Whether there may be references to ids that svgo does not know: in animations and ARIA attributes. */
function hasHiddenReferences(text: string): boolean {
  return /<([\w-]+:)?(animate\w*|set)[\s/>]/.test(text) || ariaReferences.some((name) => text.includes(name))
}

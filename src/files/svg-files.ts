import * as v from 'valibot'
import { readContent, type Content } from '../disk/content.js'
import type { Derived } from '../disk/derived.js'
import { ContentSpaceError } from '../errors.js'
import type { Call } from '../space/space.js'
import { TaskError } from './convert/protocol.js'
import { openVersions } from './convert/versions.js'
import { conversionError, type Conversions, type ConversionsContext } from './conversions.js'
import type { OriginalsContext } from './originals.js'
import type { FileDescriptor } from './plan.js'
import { isAlwaysRewritten, writeRecipe, type SvgRecipe } from './recipe.js'
import { readBytes, type Consume, type StoredBytes } from './store.js'
import { checkedHere, checkedInPage, limits, tooLarge } from './svg/limits.js'
import { SEVERAL_COLORS } from './svg/several-colors.js'

interface SvgContext
  extends Pick<ConversionsContext, 'originals' | 'onFile'>, Pick<OriginalsContext, 'locked' | 'warn'> {
  conversions: Conversions
  derived: Derived
}

/** The active content of an SVG. The inputs are the SVG's hash and the versions of the parsers. */
const activeKind = { name: 'active', schema: v.array(v.string()) }

/**
 * The notes about the result of a recipe. The inputs are the SVG's hash, the recipe, and the versions of the libraries.
 */
const notesKind = { name: 'drawing-notes', schema: v.array(v.string()) }

/** The maximum number of findings in a message. */
const maxFindings = 5

/**
 * Opens SVG files with the policy of the option `svg`.
 * @returns a function that passes an SVG to `consume`: unchanged if it is safe and its recipe doesn't request a change,
 *   otherwise rewritten. Throws `unsafeSvg` and the errors of `Conversions.use`.
 */
export function openSvgFiles({ originals, conversions, derived, locked, onFile, warn }: SvgContext) {
  const versionsOf = openVersions()
  /** The active content found in this run, by the hash of the SVG. */
  const found = new Map<string, string[]>()
  /** The uuids of assets that we have warned about, and the notes that were printed. */
  const warned = new Set<string>()

  /**
   * Lists the active content of an SVG. We trust results of earlier runs only if the lockfile contains the SVG's hash.
   * Otherwise, a process that can write to the cache could replace a file and mark it as safe.
   */
  async function activeIn(file: FileDescriptor, svg: StoredBytes): Promise<string[]> {
    const { integrity } = svg
    const inputs = [integrity, versionsOf({ kind: 'check' })]
    const known =
      locked(file.asset, file.cut, file.hash ?? file.updated) === integrity
        ? derived.find(activeKind, inputs)
        : undefined
    const active = found.get(integrity) ?? known ?? (await findActive(file, svg))
    if (known === undefined) derived.keep(activeKind, inputs, active)
    found.set(integrity, active)
    return active
  }

  async function findActive(file: FileDescriptor, svg: StoredBytes): Promise<string[]> {
    if (svg.size > checkedHere && svg.size <= limits.bytes) return conversions.check(file, svg, {})
    const check = await import('./svg/check.js')
    return check.findActive(svg.bytes)
  }

  function report({ asset, label }: FileDescriptor, { policy }: SvgRecipe, active: readonly string[]): void {
    const problem = `${label} is an SVG that contains ${active.slice(0, maxFindings).join(', ')}`
    if (policy === 'strict') {
      throw new ContentSpaceError('unsafeSvg', `${problem}.`, {
        asset,
        hint: "Remove this from the file, or set option svg to 'sanitize'.",
      })
    }
    if (!warned.has(asset)) warn(`${problem}. It is sanitized; set option svg to 'trust' to keep it unchanged.`)
    warned.add(asset)
  }

  /** Prints the notes about a result, including a result that an earlier run made. */
  function reportNotes(file: FileDescriptor, recipe: SvgRecipe, { integrity }: StoredBytes): void {
    const inputs = [integrity, writeRecipe(recipe), versionsOf(recipe)]
    const made = conversions.notes(recipe, integrity)
    if (made.length > 0) derived.keep(notesKind, inputs, [...made])
    const notes = made.length > 0 ? made : (derived.find(notesKind, inputs) ?? [])
    for (const note of notes) {
      const line = `${file.label} ${note}.`
      if (!warned.has(line)) warn(line)
      warned.add(line)
    }
  }

  /** Lists everything in the text of an SVG that isn't safe to inline in a page. */
  async function findInText(file: FileDescriptor, content: Content, { prefix = '', icon }: SvgRecipe) {
    if (icon) {
      const { findInIcon } = await import('./svg/icon.js')
      return findInIcon(JSON.parse(Buffer.from(await readContent(content)).toString()))
    }
    if (content.size > checkedInPage && content.size <= limits.bytes)
      return conversions.check(file, content, { prefix })
    const { findInPage } = await import('./svg/check-page.js')
    return findInPage(await readContent(content), prefix)
  }

  /** Passes the text of an SVG to `consume` only if it is safe, because cached text may be forged. */
  function checked<T>(file: FileDescriptor, recipe: SvgRecipe, consume: Consume<T>, call?: Call): Consume<T> {
    return async (content) => {
      if ((await findInText(file, content, recipe)).length === 0) return consume(content)
      warn(`The cached text of ${file.label} was not written by this package, so it is generated again.`)
      return consume(await conversions.renew(file, recipe, call))
    }
  }

  return async <T>(file: FileDescriptor, recipe: SvgRecipe, consume: Consume<T>, call?: Call): Promise<T> => {
    const svg = await originals.use(file, readBytes, call)
    onFile(file, svg)
    const isChecked = recipe.policy !== 'trust' && svg.size > 0
    const active = isChecked ? await activeIn(file, svg) : []
    if (active.length > 0) report(file, recipe, active)
    const isRewritten = active.length > 0 || isAlwaysRewritten(recipe)
    if (!isRewritten) return consume({ ...svg, kept: true })
    if (svg.size > limits.bytes) throw conversionError(file, new TaskError({ reason: `it has ${tooLarge}` }))
    const isText = recipe.policy !== 'trust' && (recipe.icon || recipe.prefix !== undefined)
    const use = isText ? checked(file, recipe, consume, call) : consume
    const result = await conversions.use(file, recipe, use, call).catch((error: unknown) => {
      throw severalColors(file, error) ?? error
    })
    reportNotes(file, recipe, svg)
    return result
  }
}

function severalColors({ asset, label }: FileDescriptor, error: unknown): ContentSpaceError | undefined {
  const reason = error instanceof ContentSpaceError && error.cause instanceof Error ? error.cause.message : ''
  if (!reason.startsWith(SEVERAL_COLORS)) return undefined
  const colors = reason.slice(SEVERAL_COLORS.length)
  const message = `${label} has several colors, so it cannot take the color of the text: ${colors}.`
  return new ContentSpaceError('conversionFailed', message, { asset, hint: 'Remove currentcolor from the query.' })
}

import { STYLE_SHEET } from '../plugin.js'
import type { LoaderOptions, Replace } from '../pack/loader.js'

/** How to replace ids in the code that a user's loader receives. */
interface Insertion {
  /** Matches the path or package of the user's loader. */
  loader: RegExp
  /** Replaces the ids in the code that the loader receives. */
  replace: Replace
}

/**
 * Inserts a loader that replaces ids before each use of the given loaders, which would mistake ids for URLs of other
 * sites and leave them unchanged.
 *
 * The inserted loader must be next to them, because a separate rule would apply neither to the imports of style sheets
 * nor to compiled Sass.
 * @param rules changed in place, unless they have been changed before
 * @param own the path of the inserted loader
 */
export function insertLoaders(rules: unknown, own: string, insertions: readonly Insertion[]): void {
  if (!Array.isArray(rules)) return
  for (const rule of rules.filter(isObject)) {
    insertLoaders(rule['oneOf'], own, insertions)
    insertLoaders(rule['rules'], own, insertions)
    const { loader, options } = rule
    if (insertions.some((one) => one.loader.test(String(loader)))) {
      rule['use'] = [options === undefined ? loader : { loader, options }]
      delete rule['loader']
      delete rule['options']
    }
    if (rule['use'] !== undefined) rule['use'] = withLoaders(rule['use'], own, insertions)
  }
}

/**
 * Adds a rule with the loader for style sheets that the bundler builds itself. The rule applies to compiled style
 * sheets.
 * @param rules changed in place, unless they already have the rule
 */
export function addSheetRule(rules: unknown[], own: string, replace: Replace): void {
  if (rules.some((rule) => Object(rule).loader === own)) return
  const options: LoaderOptions = { replace, type: 'css' }
  rules.push({ test: STYLE_SHEET, enforce: 'post', loader: own, options })
}

/** @param use a loader, as its path or package or with options, or a list or function that returns loaders */
function withLoaders(use: unknown, own: string, insertions: readonly Insertion[]): unknown {
  if (typeof use === 'function') return (data: unknown): unknown => withLoaders(use(data), own, insertions)
  const uses: unknown[] = Array.isArray(use) ? use : [use]
  if (uses.some((entry) => nameOf(entry) === own)) return use
  const inserted = uses.flatMap((entry) => {
    const insertion = insertions.find(({ loader }) => loader.test(nameOf(entry)))
    const { options }: { options?: unknown } = Object(entry)
    const given: Record<string, unknown> = isObject(options) ? options : {}
    if (!insertion || given['url'] === false) return [entry]
    const { importLoaders } = given
    // Make css-loader pass imported style sheets through the inserted loader too. html-loader lacks this option.
    const passing = CSS_LOADER.test(nameOf(entry)) && {
      options: { ...given, importLoaders: 1 + (typeof importLoaders === 'number' ? importLoaders : 0) },
    }
    const outer = passing ? { ...(isObject(entry) ? entry : { loader: entry }), ...passing } : entry
    return [outer, { loader: own, options: { replace: insertion.replace } satisfies LoaderOptions }]
  })
  return inserted.length === uses.length ? use : inserted
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function nameOf(use: unknown): string {
  return String(isObject(use) ? use['loader'] : use)
}

export const CSS_LOADER = /(?:^|[\\/])css-loader(?:[\\/]|$)/
export const HTML_LOADER = /(?:^|[\\/])html-loader(?:[\\/]|$)/

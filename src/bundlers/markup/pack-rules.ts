import { ownFile } from '../../disk/own-file.js'
import { STYLE_SHEET } from '../plugin.js'
import type { LoaderOptions, Replace } from '../pack/loader.js'

/** A loader in a rule: its path or package, alone or with options. Other forms remain unchanged. */
type Use = string | { loader?: unknown; options?: unknown; [key: string]: unknown }

/** The properties that we use of a module rule in webpack or Rspack. */
interface Rule {
  use?: unknown
  loader?: unknown
  options?: unknown
  oneOf?: unknown
  rules?: unknown
}

/** How to replace ids in the code that a user's loader receives. */
interface Insertion {
  /** Matches the path or package of the user's loader. */
  loader: RegExp
  /** Replaces the ids in the code that the loader receives. */
  replace: Replace
}

const ownLoader = (): string => ownFile('bundlers/pack/loader.js')

/**
 * Inserts a loader that replaces ids before each use of the given loaders, which would mistake ids for URLs of other
 * sites and leave them unchanged.
 *
 * The inserted loader must be next to them, because a separate rule would apply neither to the imports of style sheets
 * nor to compiled Sass.
 * @param rules changed in place, unless they have been changed before
 */
export function insertLoaders(rules: unknown, insertions: readonly Insertion[]): void {
  for (const rule of Array.isArray(rules) ? rules : []) {
    if (!isRule(rule)) continue
    insertLoaders(rule.oneOf, insertions)
    insertLoaders(rule.rules, insertions)
    if (typeof rule.loader === 'string' && insertions.some(({ loader }) => loader.test(String(rule.loader)))) {
      const { loader, options } = rule
      rule.use = options === undefined ? [loader] : [{ loader, options }]
      delete rule.loader
      delete rule.options
    }
    if (rule.use !== undefined) rule.use = withLoaders(rule.use, insertions)
  }
}

/**
 * Adds a rule with the loader for style sheets that the bundler builds itself. The rule applies to compiled style
 * sheets.
 * @param rules changed in place, unless they already have the rule
 */
export function addSheetRule(rules: unknown[], replace: Replace): void {
  if (rules.some((rule) => isRule(rule) && rule.loader === ownLoader())) return
  const options: LoaderOptions = { replace, type: 'css' }
  rules.push({ test: STYLE_SHEET, enforce: 'post', loader: ownLoader(), options })
}

function isRule(value: unknown): value is Rule {
  return typeof value === 'object' && value !== null
}

function withLoaders(use: unknown, insertions: readonly Insertion[]): unknown {
  if (typeof use === 'function') return (data: unknown): unknown => withLoaders(use(data), insertions)
  const uses: unknown[] = Array.isArray(use) ? use : [use]
  if (uses.some((entry) => isUse(entry) && loaderName(entry) === ownLoader())) return use
  const inserted = uses.flatMap((entry: unknown) => {
    const insertion = isUse(entry) && insertions.find(({ loader }) => loader.test(loaderName(entry)))
    if (!insertion || optionsOf(entry)['url'] === false) return [entry]
    const options: LoaderOptions = { replace: insertion.replace }
    return [withImportedSheets(entry), { loader: ownLoader(), options }]
  })
  return inserted.length === uses.length ? use : inserted
}

function isUse(value: unknown): value is Use {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && 'loader' in value)
}

function loaderName(use: Use): string {
  return typeof use === 'string' ? use : String(use.loader)
}

function optionsOf(use: Use): Record<string, unknown> {
  const options = typeof use === 'string' ? undefined : use.options
  return typeof options === 'object' && options !== null ? { ...options } : {}
}

/**
 * Makes css-loader pass imported style sheets through the inserted loader too. html-loader doesn't have this option.
 */
function withImportedSheets(use: Use): Use {
  if (!CSS_LOADER.test(loaderName(use))) return use
  const options = optionsOf(use)
  const { importLoaders } = options
  const rest = typeof use === 'string' ? { loader: use } : use
  return {
    ...rest,
    options: { ...options, importLoaders: 1 + (typeof importLoaders === 'number' ? importLoaders : 0) },
  }
}

export const CSS_LOADER = /(?:^|[\\/])css-loader(?:[\\/]|$)/
export const HTML_LOADER = /(?:^|[\\/])html-loader(?:[\\/]|$)/

import type { AssetPlan } from '../files/plan.js'
import type { Collection } from '../kit/named-kit.js'
import type { Query } from '../request/query.js'
import type { AssetRecord } from '../space/space.js'
import { assetValue } from './asset-value.js'
import { code, contentLiteral, identifier, literal } from './literal.js'
import { importLines, type Imports, type References } from './references.js'

/** The data that the module of a collection needs in addition to the collection. */
export interface CollectionContext {
  query: Query
  references: References
  plan(this: void, asset: AssetRecord): AssetPlan
  assetId(this: void, uuid: string): string
  /** The id of the module that has only the default export. */
  treeId: string
}

export function valueSource(value: unknown, { commonJs = false }: Partial<References> = {}): string {
  return commonJs ? commonJsSource([['default', contentLiteral(value)]]) : `export default ${contentLiteral(value)}\n`
}

export async function assetSource(
  asset: AssetRecord,
  query: Query,
  plan: AssetPlan,
  references: References,
): Promise<string> {
  const imports: Imports = new Map()
  const value = await assetValue(asset, query, plan, references, imports)
  return importLines(imports) + valueSource(value, references)
}

/**
 * Returns the source of a module for a kit, section, or heading.
 * @param pick the names to export, which may include `default`; undefined for all
 */
export function collectionSource(
  collection: Collection,
  pick: readonly string[] | undefined,
  context: CollectionContext,
): Promise<string> | string {
  const names = pick ?? ['default', ...collection.exports.keys()]
  const named = names
    .filter((name) => name !== 'default')
    .map((name) => [name, collection.exports.get(name) ?? ''] as const)
  const hasDefault = names.includes('default')
  if (collection.slugs && context.references.layout !== 'whole') return lazySource(collection.slugs, context)
  if (context.references.layout !== 'barrel') return flatSource(collection, named, hasDefault, context)
  return hasDefault && named.length === 0 ? treeSource(collection, context) : barrelSource(named, hasDefault, context)
}

type Exports = readonly (readonly [name: string, uuid: string])[]

/** Returns a module that only re-exports, so that bundlers with lazy barrels load only the asset modules in use. */
function barrelSource(named: Exports, hasDefault: boolean, { assetId, treeId }: CollectionContext): string {
  const lines = named.map(
    ([name, uuid]) => `export { default as ${identifier(name)} } from ${literal(assetId(uuid))}\n`,
  )
  if (hasDefault) lines.push(`export { default } from ${literal(treeId)}\n`)
  return lines.join('') || 'export {}\n'
}

/** Returns a module with only the default export, which imports the asset modules. */
function treeSource(collection: Collection, { assetId }: CollectionContext): string {
  const imports: Imports = new Map()
  const locals = localsOf(collection.assets.keys())
  for (const [uuid, local] of locals) imports.set(local, { from: assetId(uuid) })
  const tree = collection.tree((uuid) => code(locals.get(uuid) ?? ''))
  return importLines(imports) + valueSource(tree)
}

/** Returns a module of functions that import the asset modules. Each asset module becomes a chunk. */
function lazySource(slugs: ReadonlyMap<string, string>, { assetId }: CollectionContext): string {
  const load = (uuid: string) => code(`() => import(${literal(assetId(uuid))}).then((module) => module.default)`)
  return valueSource(Object.fromEntries([...slugs].map(([slug, uuid]) => [slug, load(uuid)])))
}

/**
 * Returns a module that contains all assets, because otherwise a dev server would receive a request for each asset
 * module.
 */
async function flatSource(
  collection: Collection,
  named: Exports,
  hasDefault: boolean,
  context: CollectionContext,
): Promise<string> {
  const uuids = hasDefault ? [...collection.assets.keys()] : new Set(named.map(([, uuid]) => uuid))
  const locals = localsOf(uuids)
  const imports: Imports = new Map()
  const lines: string[] = []
  for (const [uuid, local] of locals) {
    const asset = collection.assets.get(uuid)
    if (!asset) continue
    const value = await assetValue(asset, context.query, context.plan(asset), context.references, imports)
    lines.push(`const ${local} = ${contentLiteral(value)}\n`)
  }
  const exported = named.map(([name, uuid]) => [name, locals.get(uuid) ?? ''] as const)
  const valueOf = (uuid: string) => locals.get(uuid) ?? ''
  const lazy = [...(collection.slugs ?? [])].map(([slug, uuid]) => [slug, code(`async () => ${valueOf(uuid)}`)])
  const whole = () => (collection.slugs ? Object.fromEntries(lazy) : collection.tree((uuid) => code(valueOf(uuid))))
  const tree = hasDefault ? whole() : undefined
  if (context.references.commonJs) {
    const all = tree === undefined ? exported : [...exported, ['default', contentLiteral(tree)] as const]
    return lines.join('') + commonJsSource(all)
  }
  lines.push(`export { ${exported.map(([name, local]) => `${local} as ${identifier(name)}`).join(', ')} }\n`)
  if (tree !== undefined) lines.push(valueSource(tree))
  return importLines(imports) + lines.join('')
}

/** Assigns to `exports.<name>`, so that Node recognizes named exports when an ES module imports the file. */
export function commonJsSource(exported: readonly (readonly [name: string, code: string])[]): string {
  return [
    'exports.__esModule = true\n',
    ...exported.map(([name, text]) => `exports.${identifier(name)} = ${text}\n`),
  ].join('')
}

/** Returns local names by uuid. Neither assets nor a bundler's imports use these names. */
function localsOf(uuids: Iterable<string>): Map<string, string> {
  return new Map([...uuids].map((uuid, index) => [uuid, `asset$${index}`]))
}

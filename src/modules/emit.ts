import type { AssetPlan } from '../files/plan.js'
import type { Collection } from '../kit/named-kit.js'
import type { Query } from '../request/query.js'
import type { AssetRecord } from '../space/space.js'
import { assetValue, type Imports } from './asset-value.js'
import { code, contentLiteral, identifier, literal } from './literal.js'
import type { References } from './references.js'

/** How modules of a collection are made. */
export interface CollectionContext {
  query: Query
  references: References
  plan(this: void, asset: AssetRecord): AssetPlan
  /** The id of the module of one asset. */
  assetId(this: void, uuid: string): string
  /** The id of the module that has the default export alone. */
  treeId: string
}

/** The ES source of a module with one default export. */
export function valueSource(value: unknown): string {
  return `export default ${contentLiteral(value)}\n`
}

/** The ES source of the module of one asset. */
export async function assetSource(
  asset: AssetRecord,
  query: Query,
  plan: AssetPlan,
  references: References,
): Promise<string> {
  const imports: Imports = new Map()
  const value = await assetValue(asset, query, plan, references, imports)
  return importLines(imports) + valueSource(value)
}

/**
 * The ES source of a kit, section or heading module.
 * @param pick the export names that are wanted, `default` among them; absent: all
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
  const whole = names.includes('default')
  if (context.references.layout === 'flat') return flatSource(collection, named, whole, context)
  return whole && named.length === 0 ? treeSource(collection, context) : barrelSource(named, whole, context)
}

type Exports = readonly (readonly [name: string, uuid: string])[]

/** Re-exports alone, so that bundlers which read barrels lazily load only what is used. */
function barrelSource(named: Exports, whole: boolean, { assetId, treeId }: CollectionContext): string {
  const lines = named.map(
    ([name, uuid]) => `export { default as ${identifier(name)} } from ${literal(assetId(uuid))}\n`,
  )
  if (whole) lines.push(`export { default } from ${literal(treeId)}\n`)
  return lines.join('') || 'export {}\n'
}

/** The default export alone, made of the modules of its assets. */
function treeSource(collection: Collection, { assetId }: CollectionContext): string {
  const imports: Imports = new Map()
  const locals = localsOf(collection.assets.keys())
  for (const [uuid, local] of locals) imports.set(local, assetId(uuid))
  const tree = collection.tree((uuid) => code(locals.get(uuid) ?? ''))
  return importLines(imports) + valueSource(tree)
}

/** Everything in one module: a dev server would ask for each asset's module on its own. */
async function flatSource(
  collection: Collection,
  named: Exports,
  whole: boolean,
  context: CollectionContext,
): Promise<string> {
  const wanted = whole ? [...collection.assets.keys()] : [...new Set(named.map(([, uuid]) => uuid))]
  const locals = localsOf(wanted)
  const imports: Imports = new Map()
  const lines: string[] = []
  for (const [uuid, local] of locals) {
    const asset = collection.assets.get(uuid)
    if (!asset) continue
    const value = await assetValue(asset, context.query, context.plan(asset), context.references, imports)
    lines.push(`const ${local} = ${contentLiteral(value)}\n`)
  }
  lines.push(
    `export { ${named.map(([name, uuid]) => `${locals.get(uuid) ?? ''} as ${identifier(name)}`).join(', ')} }\n`,
  )
  if (whole) lines.push(valueSource(collection.tree((uuid) => code(locals.get(uuid) ?? ''))))
  return importLines(imports) + lines.join('')
}

/** Short names that no asset and no import of a bundler has. */
function localsOf(uuids: Iterable<string>): Map<string, string> {
  return new Map([...uuids].map((uuid, index) => [uuid, `asset$${index}`]))
}

function importLines(imports: Imports): string {
  return [...imports].map(([local, from]) => `import ${local} from ${literal(from)}\n`).join('')
}

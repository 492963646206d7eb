import { exportName } from '../components/collection.js'
import { summaryAndHint } from '../errors.js'
import type { AssetPlan, FileDescriptor } from '../files/plan.js'
import type { Collection, NamedKit } from '../kit/named-kit.js'
import { frameworks } from '../request/frameworks.js'
import type { KitReference } from '../request/request.js'
import type { AssetRecord, PairedAsset } from '../space/space.js'
import { compareStrings } from '../text/compare.js'
import { addTo } from '../text/group-by.js'
import {
  declareOnce,
  documentedAsset,
  nothingDeclared,
  sourceOf,
  type Declared,
  type KitAssets,
  type Place,
} from './declared.js'
import { largeCollectionLines, type CollectionExport } from './large-collection.js'
import { identifier } from './literal.js'
import { stringType } from './object-type.js'
import {
  assetShape,
  assetType,
  exactType,
  generalType,
  simpleShape,
  treeType,
  type TypeBodies,
  type TypeShape,
} from './types.js'

/** The data from which the declaration of a request is made. */
export type Described =
  /** Declared in `unplugin-content-space/client`. */
  | { kind: 'kits' }
  | ({ kind: 'outline'; outline: unknown; named?: NamedKit } & Source)
  | ({ kind: 'collection'; collection: Collection } & Required<KitAssets> & Source)
  | ({ kind: 'asset'; asset: PairedAsset } & KitAssets & Source)
  | ({
      kind: 'app-icons'
      named: NamedKit
      plans: ReadonlyMap<string, AssetPlan>
      icons: FileDescriptor[]
      assets: AssetRecord[]
    } & Source)
  | DescribedTokens

/** The content on which a description is based. */
interface Source {
  reference?: KitReference
  /** Whether the description contains only content from the lockfile. */
  isPartial?: boolean | undefined
}

/** The exports of a tokens module, each with its declaration and the assets that it contains. */
export interface DescribedTokens extends Source {
  kind: 'tokens'
  named: NamedKit
  exports: ReadonlyMap<string, { lines: readonly string[]; assets: readonly string[] }>
  /** The plans of the fonts, by uuid. */
  plans: ReadonlyMap<string, AssetPlan>
}

/** A specifier as written in the source, and the content to which it resolves. */
export type ResolvedImport = {
  specifier: string
  /** The export names that the source uses. Undefined if it may use all of them. */
  used?: ReadonlySet<string> | undefined
} & (Described | { kind: 'refused'; reason: string })

type ResolvedCollection = Extract<ResolvedImport, { kind: 'collection' }>

/**
 * The file has no top-level imports or exports, so TypeScript treats it as a script whose declarations apply
 * everywhere.
 */
const head =
  '// Made by unplugin-content-space from what the source imports; `npx content-space sync` renews it.\n' +
  '// biome-ignore-all format: this file is generated\n' +
  '// biome-ignore-all assist: this file is generated\n'

/** Collections are declared first so that the other modules can refer to their assets. */
const declarationOrder = ['collection', 'asset', 'outline', 'tokens', 'app-icons', 'kits', 'refused'] as const

/**
 * Returns the text of `content-space.d.ts`: a module with exact types for each specifier. Each asset is declared only
 * once.
 * @param imports one for each specifier, in any order
 * @param given as in `Declared`
 */
export function declarationsText(
  imports: readonly ResolvedImport[],
  given: Partial<Pick<Declared, 'longest' | 'pictures'>> = {},
): string {
  const { longest } = nothingDeclared(given)
  const commented = new Map<string, Set<string>>()
  for (const resolved of imports) addCommented(resolved, longest, commented)
  const declared = nothingDeclared({ ...given, commented })
  const modules = imports.toSorted(compareImports).flatMap((resolved) => {
    const lines = resolved.kind === 'kits' || resolved.specifier.includes('${') ? [] : moduleLines(resolved, declared)
    return lines.length === 0 ? [] : [{ specifier: resolved.specifier, lines }]
  })
  const texts = modules
    .toSorted((a, b) => compareStrings(a.specifier, b.specifier))
    .map(
      ({ specifier, lines }) =>
        `\ndeclare module ${stringType(specifier)} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`,
    )
  return head + referenceLines(imports) + texts.join('')
}

/** Adds the assets that an import names or a small collection contains. */
function addCommented(resolved: ResolvedImport, longest: number, commented: Map<string, Set<string>>): void {
  if (resolved.kind !== 'asset' && resolved.kind !== 'collection') return
  const source = sourceOf(resolved)
  const uuids = commented.get(source) ?? new Set<string>()
  commented.set(source, uuids)
  if (resolved.kind === 'asset') return void uuids.add(resolved.asset.uuid)
  const { used, collection } = resolved
  const all = used === undefined || collection.assets.size <= longest
  for (const name of all ? collection.exports.keys() : used) {
    const uuid = collection.exports.get(name)
    if (uuid !== undefined) uuids.add(uuid)
  }
}

/** Puts the patterns of frameworks first, because if patterns are equally long, TypeScript uses the first one. */
function referenceLines(imports: readonly ResolvedImport[]): string {
  const used = new Set(imports.map((resolved) => ('query' in resolved ? resolved.query.as : undefined)))
  const clients = frameworks.filter((framework) => used.has(framework)).map((framework) => `client/${framework}`)
  return [...clients, 'client'].map((path) => `/// <reference types="unplugin-content-space/${path}" />\n`).join('')
}

/**
 * Returns the text of a declaration file for one specifier: a module that needs only the declarations of
 * `unplugin-content-space/asset`.
 * @param names the exports to declare; undefined for all
 */
export function moduleDeclaration(described: Described, names: readonly string[] | undefined): string {
  const declared = nothingDeclared()
  const lines = moduleLines({ ...described, specifier: '' }, declared, names)
  return lines.map((line) => `${line.replace(/^const /, 'declare const ')}\n`).join('') || 'export {}\n'
}

/** Sorts large collections before their parts. */
function compareImports(a: ResolvedImport, b: ResolvedImport): number {
  const size = (resolved: ResolvedImport) => (resolved.kind === 'collection' ? resolved.collection.assets.size : 0)
  return (
    declarationOrder.indexOf(a.kind) - declarationOrder.indexOf(b.kind) ||
    size(b) - size(a) ||
    compareStrings(a.specifier, b.specifier)
  )
}

function moduleLines(resolved: ResolvedImport, declared: Declared, names?: readonly string[]): string[] {
  switch (resolved.kind) {
    case 'kits':
      return defaultExport("import('unplugin-content-space/asset').KitSummary[]")
    case 'app-icons':
      return defaultExport("import('unplugin-content-space/asset').AppIcons")
    case 'refused':
      return defaultExport(errorType(resolved.reason))
    case 'outline':
      return defaultExport(exactType(resolved.outline))
    case 'tokens':
      return [...resolved.exports].flatMap(([name, { lines }]) => (isPicked(name, names) ? lines : []))
    case 'asset':
      return assetLines(resolved, declared)
    default:
      if (resolved.collection.slugs) return lazyLines(resolved, resolved.collection.slugs)
      return names === undefined || names.includes('default')
        ? collectionLines(resolved, declared)
        : pickedLines(resolved, declared, names)
  }
}

/**
 * Checks whether to declare an export. If `names` contains the default export, all exports are declared, because it
 * refers to them.
 */
function isPicked(name: string, names: readonly string[] | undefined): boolean {
  return names === undefined || names.includes(name) || names.includes('default')
}

function assetLines(resolved: Extract<ResolvedImport, { kind: 'asset' }>, declared: Declared): string[] {
  const { asset, specifier } = resolved
  const earlier = declareOnce(asset, resolved, declared, { specifier, name: 'default' })
  if (earlier) return [`export { ${earlier.name} as default } from ${stringType(earlier.specifier)}`]
  return [documentedAsset(asset, resolved.named, declared), ...defaultExport(typeOfExport(asset, resolved))]
}

/** Returns the type of a failed import. It makes `tsc` fail where the import is used, and states the reason. */
function errorType(reason: string): string {
  return `{ readonly error: ${stringType(reason)} }`
}

/** The export names of assets don't contain `$`. */
export function defaultExport(type: string): string[] {
  return [`const $default: ${type}`, 'export default $default']
}

function collectionLines(resolved: ResolvedCollection, declared: Declared): string[] {
  const { collection, specifier, named, query } = resolved
  const names = new Map<string, string>()
  const nameOf = (uuid: string): string => {
    const name = names.get(uuid) ?? identifier(exportName(named.assets.get(uuid)?.name ?? '', query))
    names.set(uuid, name)
    return name
  }
  const isLarge = collection.assets.size > declared.longest
  const type = isLarge ? '' : treeType(collection, nameOf)
  // Identify the tree of a large collection by its kit, section, or heading, because its type would take megabytes.
  const content = JSON.stringify([sourceOf(resolved), isLarge ? collection.parts[0] : type])
  const same = declared.modules.get(content)
  if (same !== undefined) return [`export * from ${stringType(same)}`, `export { default } from ${stringType(same)}`]
  declared.modules.set(content, specifier)
  if (isLarge) return largeLines(resolved, declared, nameOf)
  const exports = [...collection.exports].flatMap(([exported, uuid]) => {
    const [name, asset, currentName] = [identifier(exported), collection.assets.get(uuid), nameOf(uuid)]
    if (asset === undefined) return []
    return name === currentName
      ? exportLines(asset, resolved, declared, { specifier, name })
      : [formerExport(name, currentName)]
  })
  return [...exports, ...defaultExport(type)]
}

/** Returns the same declarations for a collection of many assets. */
function largeLines(resolved: ResolvedCollection, declared: Declared, nameOf: (uuid: string) => string): string[] {
  const { collection, specifier, named } = resolved
  const exports = [...collection.exports].map(([name, uuid]) => [identifier(name), uuid] as const)
  const commented = declared.commented?.get(sourceOf(resolved))
  const bodies: TypeBodies = new Map()
  const current = exports.flatMap(([name, uuid]): CollectionExport[] => {
    const asset = collection.assets.get(uuid)
    if (asset === undefined || name !== nameOf(uuid)) return []
    const earlier = declareOnce(asset, resolved, declared, { specifier, name })
    const isCommented = declared.commented === undefined || commented?.has(uuid)
    const comment = isCommented ? documentedAsset(asset, named, declared) : undefined
    return [{ name, shape: shapeOf(asset, resolved, bodies), comment, earlier }]
  })
  const former = exports.flatMap(([name, uuid]) => (name === nameOf(uuid) ? [] : [formerExport(name, nameOf(uuid))]))
  const tree = collection.tree((uuid) => `typeof ${nameOf(uuid)}`)
  return [...largeCollectionLines(current, tree, bodies), ...former]
}

/** Declares some exports of a collection. Omits its default export, because its type contains all assets. */
function pickedLines(resolved: ResolvedCollection, declared: Declared, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const asset = resolved.collection.assets.get(resolved.collection.exports.get(name) ?? '')
    return asset === undefined ? [] : declarationLines(asset, resolved, declared, name)
  })
}

/**
 * Declares a lazy collection. Each asset has a general type, because it is looked up by a name that compilers don't
 * know.
 */
function lazyLines({ collection, query, plans }: ResolvedCollection, slugs: ReadonlyMap<string, string>): string[] {
  const slugsByType = new Map<string, string[]>()
  for (const [slug, uuid] of slugs) {
    const asset = collection.assets.get(uuid)
    if (asset === undefined) continue
    addTo(slugsByType, generalType(asset, query, plans.get(uuid) ?? {}), stringType(slug))
  }
  const records = [...slugsByType].map(
    ([type, keys]) => `Record<\n  | ${keys.join('\n  | ')},\n  () => Promise<${type}>\n>`,
  )
  return defaultExport(records.join(' & ') || 'Record<never, never>')
}

function declarationLines(asset: AssetRecord, assets: KitAssets, declared: Declared, name: string): string[] {
  return [
    documentedAsset(asset, assets.named, declared),
    `export const ${identifier(name)}: ${typeOfExport(asset, assets)}`,
  ]
}

function exportLines(asset: AssetRecord, assets: KitAssets, declared: Declared, place: Place): string[] {
  const earlier = declareOnce(asset, assets, declared, place)
  if (earlier) {
    const imported = earlier.name === place.name ? place.name : `${earlier.name} as ${place.name}`
    return [`import { ${imported} } from ${stringType(earlier.specifier)}`, `export { ${place.name} }`]
  }
  return declarationLines(asset, assets, declared, place.name)
}

function typeOfExport(asset: AssetRecord, { query, plans, withoutCut }: KitAssets): string {
  const refusal = withoutCut?.get(asset.uuid)
  if (refusal === undefined) return assetType(asset, query, plans.get(asset.uuid) ?? {})
  return errorType(summaryAndHint(refusal))
}

function shapeOf(asset: AssetRecord, { query, plans, withoutCut }: KitAssets, bodies: TypeBodies): TypeShape {
  const refusal = withoutCut?.get(asset.uuid)
  if (refusal === undefined) return assetShape(asset, query, plans.get(asset.uuid) ?? {}, bodies)
  return simpleShape(errorType(summaryAndHint(refusal)), bodies)
}

function formerExport(former: string, current: string): string {
  return `/** @deprecated Renamed: import ${current}. */ export const ${former}: typeof ${current}`
}

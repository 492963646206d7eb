import * as v from 'valibot'
import type { Catalog } from '../catalog/catalog.js'
import type { NameWarning } from '../catalog/name-checks.js'
import { exportedCollection } from '../components/collection.js'
import { applyFields } from '../kit/custom-fields.js'
import type { Derived } from '../disk/derived.js'
import type { SvgPolicy } from '../files/recipe.js'
import { withDark } from '../kit/dark-pairs.js'
import { isExportName } from '../kit/identifiers.js'
import {
  findAsset,
  kitCollection,
  sectionCollection,
  slugsOfAsset,
  type Collection,
  type NamedKit,
} from '../kit/named-kit.js'
import type { Query } from '../request/query.js'
import { requestToId, type KitReference, type Request } from '../request/request.js'
import type { AssetRecord, PairedAsset } from '../space/space.js'
import { readAsset } from '../space/wire/asset.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { unknownExport } from './exports.js'

export type AssetRequest = Extract<Request, { kind: 'asset' }>
export type CollectionRequest = Extract<Request, { kind: 'kit' | 'section' }>

/** A collection of which an import uses some exports by name, and not the default export. */
export type NamedRequest = CollectionRequest & { pick: string[] }

export function isNamed(request: CollectionRequest): request is NamedRequest {
  return request.pick?.includes('default') === false
}

/** The assets that a module of named exports, or of one asset, is made from. */
export interface Part {
  /** Uuid. */
  kit: string
  version: number
  /** Uuids of assets by export name. */
  exports: [name: string, asset: string][]
  assets: AssetRecord[]
  /** Pairs of an asset and the one for dark grounds, which are in `assets`. */
  dark: [asset: string, dark: string][]
  /** The warning about a name of an export that ends with a part of a uuid. */
  warning?: NameWarning | undefined
}

export interface PartsContext {
  catalog: Catalog
  derived: Derived
  svg: SvgPolicy
  /** Option `darkMode`. @default 'media' */
  darkMode?: string
  /** Option `metadata: 'full'`, for modules whose ids take no query. @default false */
  full?: boolean
  /** Called with the assets that a module shows of a version. Default: nothing. */
  onUse?: (version: Pick<Part, 'kit' | 'version'>, assets: Iterable<AssetRecord>) => void
  /** Called with a part whose kit was not loaded, because an earlier run has derived the part. */
  onKnown?: (reference: KitReference, part: Part, kit: KitOfPart) => void
  /** Called for a warning about imported names. Default: nothing. */
  warn?: (message: string, lines: readonly string[]) => void
}

const text = v.string()
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
/** Names of exports become code. */
const isExported = (name: string): boolean => name === 'default' || isExportName(name)
const exportedName = v.pipe(text, v.check(isExported))

const keptPart = v.object({
  kit: text,
  /** A draft changes without a change of the lockfile. */
  version: v.pipe(count, v.minValue(1)),
  exports: v.array(v.tuple([exportedName, text])),
  /** The records of the service. With more, loading the kit is as fast. */
  assets: v.pipe(v.array(v.unknown()), v.maxLength(2000)),
  dark: v.optional(v.array(v.tuple([text, text]))),
  warning: v.optional(v.object({ message: text, lines: v.array(text) })),
  /** The definitions of custom fields. */
  fields: v.optional(v.array(v.object({ id: v.number(), key: text, name: text, type: text }))),
})

/** `assets`: how many it has. */
const kitOfPart = v.object({ name: text, assets: count })

/** What a build reports about a version of a kit. */
type KitOfPart = v.InferOutput<typeof kitOfPart>

/** Inputs: the id of the module. */
const partKind = { name: 'part', schema: keptPart, locked: true }

/** Inputs: uuid and version. */
const kitKind = { name: 'kit', schema: kitOfPart, locked: true }

/**
 * Returns what a module is made from: what an earlier run has derived, or else what the kit contains.
 * @throws ContentSpaceError when something does not exist, or is not exported
 */
export async function loadPart(request: AssetRequest | NamedRequest, context: PartsContext): Promise<Part> {
  // Which kit contains an id without a kit depends on more than the lockfile.
  const known = request.kit && findPart(request, request.kit, context)
  const part = known ?? (await makePart(request, context))
  context.onUse?.(part, part.assets)
  if (part.warning) context.warn?.(part.warning.message, part.warning.lines)
  return part
}

function findPart(
  request: AssetRequest | NamedRequest,
  reference: KitReference,
  { derived, onKnown }: PartsContext,
): Part | undefined {
  const kept = derived.find(partKind, requestToId(request))
  const kit = kept && derived.find(kitKind, [kept.kit, kept.version])
  if (!kit) return undefined
  const part = { ...kept, dark: kept.dark ?? [], assets: kept.assets.flatMap((sent) => readAsset(sent) ?? []) }
  applyFields(part.assets, kept.fields)
  const known = new Set(part.assets.map(({ uuid }) => uuid))
  if (!part.exports.every(([, asset]) => known.has(asset))) return undefined
  onKnown?.(reference, part, kit)
  return part
}

async function makePart(request: AssetRequest | NamedRequest, { catalog, derived, svg }: PartsContext): Promise<Part> {
  const { named, exports, assets: paired } = await contentOf(request, catalog, svg)
  const dark = paired.flatMap((asset): [string, string][] => (asset.dark ? [[asset.uuid, asset.dark.uuid]] : []))
  const all = [...paired, ...paired.flatMap((asset) => asset.dark ?? [])]
  const assets = [...new Map(all.map((one) => [one.uuid, one])).values()]
  const isUnclear = request.kind !== 'asset' && exports.some(([, asset]) => named.suggested.has(asset))
  const warning = isUnclear ? catalog.nameWarning(named) : undefined
  const { uuid: kit, version, name, fields } = named.kit
  if (request.kit) {
    const kept = {
      kit,
      version,
      exports,
      assets: assets.map(({ raw }) => raw),
      ...(dark.length > 0 && { dark }),
      ...omitUndefined({ warning, fields: fields && [...fields] }),
    }
    derived.keep(partKind, requestToId(request), kept)
    derived.keep(kitKind, [kit, version], { name, assets: named.assets.size })
  }
  return { kit, version, exports, assets, dark, warning }
}

async function contentOf(
  request: AssetRequest | NamedRequest,
  catalog: Catalog,
  svg: SvgPolicy,
): Promise<{ named: NamedKit; exports: Part['exports']; assets: PairedAsset[] }> {
  if (request.kind === 'asset') {
    const { named, asset } = await loadAsset(catalog, request)
    return { named, exports: [['default', asset.uuid]], assets: [asset] }
  }
  const { named, collection } = await loadCollection(catalog, request, svg)
  const exports = request.pick.map((name): [string, string] => {
    const asset = collection.exports.get(name)
    if (asset === undefined) throw unknownExport(name, collection, named, request.query)
    return [name, asset]
  })
  const uuids = [...new Set(exports.map(([, asset]) => asset))]
  return { named, exports, assets: uuids.flatMap((uuid) => collection.assets.get(uuid) ?? []) }
}

export function partCollection(part: Part): Collection {
  const { exports } = part
  const exported = new Set(exports.map(([, asset]) => asset))
  return {
    assets: new Map(pairedIn(part).flatMap((asset) => (exported.has(asset.uuid) ? [[asset.uuid, asset]] : []))),
    exports: new Map(exports),
    tree: () => {
      throw new TypeError('A part has no default export.')
    },
  }
}

/** Returns the asset of a part that is one asset. */
export function assetOf(part: Part): PairedAsset {
  const [asset] = pairedIn(part)
  if (asset) return asset
  throw new TypeError('The part has no asset.')
}

function pairedIn({ assets, dark }: Part): PairedAsset[] {
  if (dark.length === 0) return assets
  const records = new Map(assets.map((asset) => [asset.uuid, asset]))
  const pairs = new Map(dark)
  return assets.map((asset) => ({ ...asset, ...omitUndefined({ dark: records.get(pairs.get(asset.uuid) ?? '') }) }))
}

export async function loadAsset(catalog: Catalog, { kit, asset, query }: AssetRequest) {
  const named = await (kit ? catalog.load(kit) : catalog.loadWithAsset(asset))
  return { named, asset: withDark(named, findAsset(named, asset), query) }
}

export async function loadCollection(catalog: Catalog, request: CollectionRequest, svg: SvgPolicy) {
  const { query } = request
  const { full } = query
  const named = await (request.kit
    ? catalog.load(request.kit)
    : catalog.loadWithSection(request.section, request.version))
  const collection =
    request.kind === 'kit'
      ? kitCollection(named, full)
      : sectionCollection(named, request.section, request.kit && request.heading, full)
  const exported = exportedCollection(pairedCollection(collection, named, query), query, svg)
  return { named, collection: query.lazy ? lazyCollection(exported, named) : exported }
}

/** Returns a collection whose assets have those for dark grounds that option `kits` names. */
export function pairedCollection(collection: Collection, named: NamedKit, query: Query): Collection {
  if (named.dark.pairs.size === 0 && named.dark.pattern === undefined) return collection
  const assets = [...collection.assets].map(([uuid, asset]) => [uuid, withDark(named, asset, query)] as const)
  return { ...collection, assets: new Map(assets) }
}

function lazyCollection({ assets, tree }: Collection, named: NamedKit): Collection {
  const slugs = [...assets.keys()].flatMap((uuid) =>
    slugsOfAsset(named.assets, uuid).map((slug): [string, string] => [slug, uuid]),
  )
  return { assets, tree, exports: new Map(), slugs: new Map(slugs) }
}

import type { Answer, Read } from '../catalog/answers.js'
import type { Catalog } from '../catalog/catalog.js'
import { exportedCollection } from '../components/collection.js'
import type { SvgPolicy } from '../files/recipe.js'
import { withDark } from '../kit/dark-pairs.js'
import {
  findAsset,
  kitCollection,
  sectionCollection,
  slugsOfAsset,
  type Collection,
  type NamedKit,
} from '../kit/named-kit.js'
import type { NeededParts } from '../lock/table.js'
import type { Query } from '../request/query.js'
import type { KitReference, Request } from '../request/request.js'
import type { AssetRecord, PairedAsset } from '../space/space.js'
import { unknownExport } from './exports.js'

export type AssetRequest = Extract<Request, { kind: 'asset' }>
export type CollectionRequest = Extract<Request, { kind: 'kit' | 'section' }>

/** The export names that an import uses or a declaration contains. Undefined if all may be used. */
export type Names = readonly string[] | undefined

/** A request and its answer. */
export interface Answered {
  reference: KitReference
  answer: Answer<unknown>
  assets: Iterable<AssetRecord>
}

export interface PartsContext {
  catalog: Catalog
  svg: SvgPolicy
  /** The option `darkMode`. @default 'media' */
  darkMode?: string
  /** Whether the option `metadata` is `full`, for modules whose ids don't take a query. @default false */
  full?: boolean
  /** Called with the parts of a version that a module uses. */
  onUse?: (answered: Answered) => void
  /** Called for a warning about imported names. */
  warn?: (message: string, lines: readonly string[]) => void
}

/** Where answers come from: the lockfile with the listing as a fallback, or the listing first. */
export type From = 'lock' | 'listing'

/** Answers a request for one asset. Throws any error of the catalog. */
export async function askAsset(catalog: Catalog, request: AssetRequest, from: From = 'lock') {
  const reference = request.kit ?? (await catalog.kitWithAsset(request.asset))
  const read: Read<PairedAsset> = (named) => {
    const asset = withDark(named, findAsset(named, request.asset), request.query)
    return { value: asset, use: useOf([asset], request.query) }
  }
  return { reference, ...(await catalog[from === 'lock' ? 'answer' : 'answerListed'](reference, read)) }
}

/**
 * Answers a request for a kit, a section, or a heading.
 * @param names exports that must exist if only the lockfile is read
 */
export async function askCollection(
  catalog: Catalog,
  request: CollectionRequest,
  svg: SvgPolicy,
  names: Names,
  from: From = 'lock',
) {
  const reference = request.kit ?? (await catalog.kitWithSection(request.section, request.version))
  const read: Read<Collection> = (named, isPartial) => {
    const { query } = request
    const collection = collectionOf(named, request, svg)
    const picked = query.lazy || names?.includes('default') ? undefined : names
    const missing = isPartial && names?.find((name) => name !== 'default' && !collection.exports.has(name))
    if (missing) throw unknownExport(missing, collection, named, query)
    const assets = picked ? assetsNamed(collection, picked) : [...collection.assets.values()]
    // A part that is used as a whole includes its assets, but not their dark counterparts.
    const own = picked ? assets : assets.flatMap((asset) => asset.dark ?? [])
    const parts = collection.parts.filter((part) => part !== 'kit')
    const use = { ...useOf(own, query), parts }
    return { value: collection, use: picked ? use : { ...use, whole: collection.parts } }
  }
  return { reference, ...(await catalog[from === 'lock' ? 'answer' : 'answerListed'](reference, read)) }
}

function useOf(assets: readonly PairedAsset[], { full }: Query): NeededParts {
  const uuids = assets.flatMap(({ uuid, dark }) => (dark ? [uuid, dark.uuid] : [uuid]))
  return { assets: new Set(uuids), full }
}

function assetsNamed({ assets, exports }: Collection, names: readonly string[]): PairedAsset[] {
  return [...new Set(names.flatMap((name) => exports.get(name) ?? []))].flatMap((uuid) => assets.get(uuid) ?? [])
}

/** Returns a collection that has only some of the exports and no default export. */
export function pickedCollection(collection: Collection, names: readonly string[]): Collection {
  const assets = new Map(assetsNamed(collection, names).map((asset) => [asset.uuid, asset]))
  const exports = names.flatMap((name) => {
    const uuid = collection.exports.get(name)
    return uuid === undefined ? [] : [[name, uuid] as const]
  })
  return { ...collection, assets, exports: new Map(exports) }
}

function collectionOf(named: NamedKit, request: CollectionRequest, svg: SvgPolicy): Collection {
  const { query } = request
  const collection =
    request.kind === 'kit'
      ? kitCollection(named, query.full)
      : sectionCollection(named, request.section, request.kit && request.heading, query.full)
  const exported = exportedCollection(pairedCollection(collection, named, query), query, svg)
  return query.lazy ? lazyCollection(exported, named) : exported
}

/** Returns a collection with the dark counterparts that the option `kits` names. */
export function pairedCollection(collection: Collection, named: NamedKit, query: Query): Collection {
  if (named.dark.pairs.size === 0 && named.dark.pattern === undefined) return collection
  const assets = [...collection.assets].map(([uuid, asset]) => [uuid, withDark(named, asset, query)] as const)
  return { ...collection, assets: new Map(assets) }
}

function lazyCollection(collection: Collection, named: NamedKit): Collection {
  const slugs = [...collection.assets.keys()].flatMap((uuid) =>
    slugsOfAsset(named.assets, uuid).map((slug): [string, string] => [slug, uuid]),
  )
  return { ...collection, exports: new Map(), slugs: new Map(slugs) }
}

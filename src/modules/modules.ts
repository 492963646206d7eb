import type { KitSummary, KnownAsset, KnownKit } from '../asset.js'
import type { Catalog } from '../catalog/catalog.js'
import { checkComponent, exportedCollection } from '../components/collection.js'
import { planAsset } from '../files/plan.js'
import type { SvgPolicy } from '../files/recipe.js'
import {
  assetIn,
  findAsset,
  kitCollection,
  sectionCollection,
  showKit,
  type Collection,
  type NamedKit,
} from '../kit/named-kit.js'
import { requestToId, type KitReference, type Request } from '../request/request.js'
import type { AssetRecord } from '../space/space.js'
import { knownAsset } from './asset-value.js'
import type { Described } from './declarations.js'
import { assetSource, collectionSource, valueSource } from './emit.js'
import { unknownExport } from './exports.js'
import { planAll, planEach } from './plans.js'
import type { References } from './references.js'

/** Requests of content as it is. The room `tokens` makes the modules of the others. */
export type ContentRequest = Exclude<Request, { kind: 'tokens' }>

/** Modules of the kits of a catalog. */
export interface Modules<R = Request> {
  kits(): Promise<KitSummary[]>
  kit(reference: KitReference): Promise<KnownKit>
  /**
   * Returns the source of the module of a request: an ES module, or CommonJS if `references` say so.
   * @throws ContentSpaceError when something does not exist, or has no such export or cut; what the space throws
   */
  source(request: R, references: References): Promise<string>
  /** Returns what the declaration of a request is made from. Throws what `source` throws. */
  describe(request: R): Promise<Described>
}

/** @param svg option `svg` */
export function createModules(catalog: Catalog, svg: SvgPolicy): Modules<ContentRequest> {
  return {
    kits: () => kitSummaries(catalog),
    async kit(reference) {
      return knownKit(await catalog.load(reference))
    },
    async source(request, references) {
      switch (request.kind) {
        case 'kits':
          return valueSource(await kitSummaries(catalog), references)
        case 'outline':
          return valueSource(await catalog.outline(request.kit), references)
        case 'asset': {
          const { asset } = await loadAsset(catalog, request)
          const plan = planAsset(asset, request.query, svg)
          checkComponent(asset, request.query, plan)
          return assetSource(asset, request.query, plan, references)
        }
        default:
          return sourceOfCollection(await loadCollection(catalog, request, svg), request, references, svg)
      }
    },
    async describe(request) {
      if (request.kind === 'kits') return { kind: 'kits' }
      if (request.kind === 'outline') return { kind: 'outline', outline: await catalog.outline(request.kit) }
      const { query } = request
      if (request.kind === 'asset') {
        const { named, asset } = await loadAsset(catalog, request)
        const plans = planAll([asset], query, svg)
        checkComponent(asset, query, plans.get(asset.uuid) ?? {})
        return { kind: 'asset', named, query, asset, plans }
      }
      const { named, collection } = await loadCollection(catalog, request, svg)
      const plans = planEach([...collection.assets.values()], query, svg)
      return { kind: 'collection', named, query, collection, ...plans }
    },
  }
}

async function kitSummaries(catalog: Catalog): Promise<KitSummary[]> {
  const records = await catalog.kits()
  return records.map(({ uuid, name, status, useVersion, dateAdded, dateUpdated, cover }) => {
    return { uuid, name, status, useVersion, dateAdded, dateUpdated, cover }
  })
}

function knownKit(named: NamedKit): KnownKit {
  /** An asset that is used twice is one object. */
  const known = new Map<string, KnownAsset>()
  const { sections, ...head } = showKit(named.kit, (uuid) => {
    const asset = known.get(uuid) ?? knownAsset(assetIn(named, uuid), named)
    known.set(uuid, asset)
    return asset
  })
  return {
    ...head,
    sections: sections.map((section) => ({ ...section, slug: named.sections.get(section.uuid)?.slug ?? '' })),
  }
}

type AssetRequest = Extract<Request, { kind: 'asset' }>
type CollectionRequest = Extract<Request, { kind: 'kit' | 'section' }>

async function loadAsset(
  catalog: Catalog,
  { kit, asset }: AssetRequest,
): Promise<{ named: NamedKit; asset: AssetRecord }> {
  const named = await (kit ? catalog.load(kit) : catalog.loadWithAsset(asset))
  return { named, asset: findAsset(named, asset) }
}

interface LoadedCollection {
  named: NamedKit
  collection: Collection
}

/** Loads a collection with what its module exports. */
async function loadCollection(catalog: Catalog, request: CollectionRequest, svg: SvgPolicy): Promise<LoadedCollection> {
  const { named, collection } = await findCollection(catalog, request)
  return { named, collection: exportedCollection(collection, request.query, svg) }
}

async function findCollection(catalog: Catalog, request: CollectionRequest): Promise<LoadedCollection> {
  if (request.kind === 'kit') {
    const named = await catalog.load(request.kit)
    return { named, collection: kitCollection(named) }
  }
  if (request.kit) {
    const named = await catalog.load(request.kit)
    return { named, collection: sectionCollection(named, request.section, request.heading) }
  }
  const named = await catalog.loadWithSection(request.section, request.version)
  return { named, collection: sectionCollection(named, request.section) }
}

async function sourceOfCollection(
  { named, collection }: LoadedCollection,
  request: CollectionRequest,
  references: References,
  svg: SvgPolicy,
): Promise<string> {
  const { query, pick } = request
  const { uuid, version } = named.kit
  const plans = planAll(pickedAssets(collection, named, request), query, svg)
  return collectionSource(collection, pick, {
    query,
    references,
    plan: ({ uuid: asset }) => plans.get(asset) ?? {},
    assetId: (asset) => requestToId({ kind: 'asset', kit: { kit: uuid, version }, asset, query }),
    treeId: requestToId({ ...request, pick: ['default'] }),
  })
}

/**
 * Returns the assets behind the names that an import picks.
 * @throws ContentSpaceError `unknownExport`
 */
function pickedAssets(collection: Collection, named: NamedKit, { pick, query }: CollectionRequest): AssetRecord[] {
  const { assets, exports } = collection
  const unknown = pick?.find((name) => name !== 'default' && !exports.has(name))
  if (unknown !== undefined) throw unknownExport(unknown, collection, named, query)
  if (pick === undefined || pick.includes('default')) return [...assets.values()]
  return pick.flatMap((name) => assets.get(exports.get(name) ?? '') ?? [])
}

import type { KitSummary, KnownAsset, KnownKit } from '../asset.js'
import { ContentSpaceError } from '../errors.js'
import { planAsset, type AssetPlan } from '../files/plan.js'
import type { SvgPolicy } from '../files/recipe.js'
import type { Catalog } from '../catalog/catalog.js'
import {
  assetIn,
  findAsset,
  namesIn,
  kitCollection,
  sectionCollection,
  showKit,
  type Collection,
  type NamedKit,
} from '../kit/named-kit.js'
import type { Query } from '../request/query.js'
import { requestToId, type KitReference, type Request } from '../request/request.js'
import type { AssetRecord } from '../space/space.js'
import { knownAsset } from './asset-value.js'
import type { Described } from './declarations.js'
import { unknownExport } from './exports.js'
import type { References } from './references.js'
import { assetSource, collectionSource, valueSource } from './emit.js'

/** Modules of the kits of a catalog. */
export interface Modules {
  kits(): Promise<KitSummary[]>
  kit(reference: KitReference): Promise<KnownKit>
  /**
   * The ES source of the module of a request.
   * @throws ContentSpaceError when something is not found or has no such export or cut, and what the space throws
   */
  source(request: Request, references: References): Promise<string>
  /** What the declarations say of a request. Throws as `source` does. */
  describe(request: Request): Promise<Described>
}

type CollectionRequest = Extract<Request, { kind: 'kit' | 'section' }>

/** @param svg what becomes of SVG that holds more than a drawing */
export function createModules(catalog: Catalog, svg: SvgPolicy): Modules {
  async function kits(): Promise<KitSummary[]> {
    const records = await catalog.kits()
    return records.map(({ uuid, name, status, useVersion, dateAdded, dateUpdated, cover }) => {
      return { uuid, name, status, useVersion, dateAdded, dateUpdated, cover }
    })
  }

  async function load(request: CollectionRequest): Promise<{ named: NamedKit; collection: Collection }> {
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

  async function collectionModule(request: CollectionRequest, references: References): Promise<string> {
    const { query, pick } = request
    const { named, collection } = await load(request)
    const { uuid, version } = named.kit
    const wanted = chosen(collection, pick, named)
    const plans = planAll(wanted, query, svg)
    return collectionSource(collection, pick, {
      query,
      references,
      plan: ({ uuid: asset }) => plans.get(asset) ?? {},
      assetId: (asset) => requestToId({ kind: 'asset', kit: { kit: uuid, version }, asset, query }),
      treeId: requestToId({ ...request, pick: ['default'] }),
    })
  }

  async function loadAsset(
    request: Extract<Request, { kind: 'asset' }>,
  ): Promise<{ named: NamedKit; asset: AssetRecord }> {
    const named = await (request.kit ? catalog.load(request.kit) : catalog.loadWithAsset(request.asset))
    return { named, asset: findAsset(named, request.asset) }
  }

  async function describe(request: Request): Promise<Described> {
    if (request.kind === 'kits') return { kind: 'kits' }
    if (request.kind === 'outline') return { kind: 'outline', outline: await catalog.outline(request.kit) }
    const { query } = request
    if (request.kind === 'asset') {
      const { named, asset } = await loadAsset(request)
      return { kind: 'asset', named, query, asset, plans: planAll([asset], query, svg) }
    }
    const { named, collection } = await load(request)
    return { kind: 'collection', named, query, collection, ...planEach([...collection.assets.values()], query, svg) }
  }

  return {
    kits,
    describe,
    async kit(reference) {
      const named = await catalog.load(reference)
      const known = new Map<string, KnownAsset>()
      const shown = showKit(named.kit, (uuid) => {
        const asset = known.get(uuid) ?? knownAsset(assetIn(named, uuid), namesIn(named, uuid))
        known.set(uuid, asset)
        return asset
      })
      return {
        ...shown,
        sections: shown.sections.map((section) => ({ ...section, slug: named.sections.get(section.uuid)?.slug ?? '' })),
      }
    },
    async source(request, references) {
      switch (request.kind) {
        case 'kits':
          return valueSource(await kits())
        case 'outline':
          return valueSource(await catalog.outline(request.kit))
        case 'asset': {
          const { asset } = await loadAsset(request)
          return assetSource(asset, request.query, planAsset(asset, request.query, svg), references)
        }
        default:
          return collectionModule(request, references)
      }
    },
  }
}

/**
 * The assets behind the names that an import picks, or all.
 * @throws ContentSpaceError `unknownExport`
 */
function chosen(collection: Collection, pick: readonly string[] | undefined, named: NamedKit): AssetRecord[] {
  const { assets, exports } = collection
  const unknown = pick?.find((name) => name !== 'default' && !exports.has(name))
  if (unknown !== undefined) throw unknownExport(unknown, collection, named)
  if (pick === undefined || pick.includes('default')) return [...assets.values()]
  return pick.flatMap((name) => assets.get(exports.get(name) ?? '') ?? [])
}

/** @throws ContentSpaceError `fileCutUnavailable` naming all assets without the cut, not only the first */
export function planAll(assets: readonly AssetRecord[], query: Query, svg: SvgPolicy): Map<string, AssetPlan> {
  const { plans, lacking } = planEach(assets, query, svg)
  const refusal = withoutCutError([...lacking.values()], query)
  if (refusal) throw refusal
  return plans
}

/** Both by uuid: what becomes of each asset, and what is wrong with those that lack the cut. */
function planEach(assets: readonly AssetRecord[], query: Query, svg: SvgPolicy) {
  const plans = new Map<string, AssetPlan>()
  const lacking = new Map<string, ContentSpaceError>()
  for (const asset of assets) {
    try {
      plans.set(asset.uuid, planAsset(asset, query, svg))
    } catch (error) {
      if (!(error instanceof ContentSpaceError) || error.code !== 'fileCutUnavailable') throw error
      lacking.set(asset.uuid, error)
    }
  }
  return { plans, lacking }
}

/** One error that names all. */
export function withoutCutError(lacking: readonly ContentSpaceError[], query: Query): ContentSpaceError | undefined {
  if (lacking.length <= 1) return lacking[0]
  const lines = lacking.map(({ summary, hint = '' }) => `${summary} ${hint}`)
  const keep = query.cut ? { hint: `Write cut=${query.cut.type.toLowerCase()};original to keep them as they are.` } : {}
  const what = query.cut ? 'this cut' : 'the PNG cut to be drawn from'
  return new ContentSpaceError('fileCutUnavailable', `${lacking.length} assets do not have ${what}.`, {
    lines,
    ...keep,
  })
}

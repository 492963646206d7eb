import type { KitSummary, KnownAsset, KnownKit } from '../asset.js'
import type { Catalog } from '../catalog/catalog.js'
import { checkComponent } from '../components/collection.js'
import { planAsset, type AssetPlan } from '../files/plan.js'
import type { SvgPolicy } from '../files/recipe.js'
import { assetIn, showKit, withRaw, type Collection, type NamedKit } from '../kit/named-kit.js'
import { requestToId, type KitReference, type Request } from '../request/request.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { pick } from '../text/pick.js'
import type { AppIconsRequest, LoadedIcons } from './app-icons.js'
import { knownAsset, unsortedAsset } from './asset-value.js'
import type { Described } from './declarations.js'
import { assetSource, collectionSource, valueSource } from './emit.js'
import { unknownExport } from './exports.js'
import {
  assetOf,
  isNamed,
  loadAsset,
  loadCollection,
  loadPart,
  partCollection,
  type AssetRequest,
  type CollectionRequest,
  type PartsContext,
} from './parts.js'
import { checkFile, planAll, planEach } from './plans.js'
import type { References } from './references.js'

/** Requests of content as it is. The room `tokens` makes the modules of the others. */
export type ContentRequest = Exclude<Request, { kind: 'tokens' }>

/** Modules of the kits of a catalog. */
export interface Modules<R = Request> {
  kits(): Promise<KitSummary[]>
  /** @param full whether records of the service are included, with sorted keys, which takes long. Default: true */
  kit(reference: KitReference, full?: boolean): Promise<KnownKit>
  /**
   * Returns the source of the module of a request: an ES module, or CommonJS if `references` say so.
   * @throws ContentSpaceError when something does not exist, or has no such export or cut; what the space throws
   */
  source(request: R, references: References): Promise<string>
  /** Returns the plan of the address of an asset. Throws what `source` throws. */
  address(request: AssetRequest): Promise<AssetPlan>
  /** Plans the icons of an application. Throws what `source` throws. */
  icons(request: AppIconsRequest, served: boolean): Promise<LoadedIcons>
  /** Returns what the declaration of a request is made from. Throws what `source` throws. */
  describe(request: R): Promise<Described>
}

/** Loaded when the source has application icons. */
const appIcons = () => import('./app-icons.js')

export function createModules(context: PartsContext): Modules<ContentRequest> {
  const { catalog, svg, darkMode, full: isFull = false } = context
  const loadIcons = async (request: AppIconsRequest, served: boolean): Promise<LoadedIcons> => {
    const loaded = await (await appIcons()).loadAppIcons(request, context, served)
    const { uuid: kit, version } = loaded.named.kit
    context.onUse?.({ kit, version }, loaded.assets)
    return loaded
  }
  const outlineOf = async (kit: KitReference) => withRaw(await catalog.outline(kit), isFull)
  return {
    kits: () => kitSummaries(catalog, false),
    async kit(reference, full = true) {
      return knownKit(await catalog.load(reference), full)
    },
    async source(request, given) {
      const references = { ...given, ...omitUndefined({ darkMode }) }
      switch (request.kind) {
        case 'kits':
          return valueSource(await kitSummaries(catalog, isFull), references)
        case 'outline':
          return valueSource(await outlineOf(request.kit), references)
        case 'app-icons': {
          const { plan } = await loadIcons(request, references.layout === 'flat')
          return (await appIcons()).appIconsSource(plan, references)
        }
        case 'asset': {
          const asset = assetOf(await loadPart(request, context))
          const plan = planAsset(asset, request.query, svg)
          checkComponent(asset, request.query, plan)
          if (!('member' in request)) checkFile(asset, request.query, plan)
          return assetSource(asset, request.query, plan, references)
        }
        default: {
          if (isNamed(request)) {
            const part = await loadPart(request, context)
            const { kit: uuid, version } = part
            return sourceOfCollection(partCollection(part), { uuid, version }, { request, references, svg })
          }
          const { named, collection } = await loadCollection(catalog, request, svg)
          checkExports(request, collection, named)
          context.onUse?.({ kit: named.kit.uuid, version: named.kit.version }, collection.assets.values())
          return sourceOfCollection(collection, named.kit, { request, references, svg })
        }
      }
    },
    async address(request) {
      const query = { ...request.query, as: 'asset' as const }
      return planAsset(assetOf(await loadPart({ ...request, query }, context)), query, svg)
    },
    icons: loadIcons,
    async describe(request) {
      if (request.kind === 'kits') return { kind: 'kits' }
      if (request.kind === 'outline') return { kind: 'outline', outline: await outlineOf(request.kit) }
      if (request.kind === 'app-icons') {
        const loaded = await loadIcons(request, false)
        return { kind: 'app-icons', named: loaded.named, plans: (await appIcons()).plansOfIcons(loaded) }
      }
      const { query } = request
      if (request.kind === 'asset') {
        const { named, asset } = await loadAsset(catalog, request)
        const plans = planAll([asset], query, svg)
        checkComponent(asset, query, plans.get(asset.uuid) ?? {})
        checkFile(asset, query, plans.get(asset.uuid) ?? {})
        return { kind: 'asset', named, query, asset, plans }
      }
      const { named, collection } = await loadCollection(catalog, request, svg)
      const plans = planEach([...collection.assets.values()], query, svg)
      return { kind: 'collection', named, query, collection, ...plans }
    },
  }
}

async function kitSummaries(catalog: Catalog, full: boolean): Promise<KitSummary[]> {
  const fields = ['uuid', 'name', 'description', 'status', 'useVersion', 'dateAdded', 'dateUpdated', 'cover'] as const
  return (await catalog.kits()).map((record) => pick(record, full ? [...fields, 'raw'] : fields))
}

function knownKit(named: NamedKit, full: boolean): KnownKit {
  /** An asset that is used twice is one object. */
  const known = new Map<string, KnownAsset>()
  const { sections, ...head } = showKit(
    named.kit,
    (uuid) => {
      const asset = known.get(uuid) ?? (full ? knownAsset : unsortedAsset)(assetIn(named, uuid), named)
      known.set(uuid, asset)
      return asset
    },
    full,
  )
  return {
    ...head,
    sections: sections.map((section) => ({ ...section, slug: named.sections.get(section.uuid)?.slug ?? '' })),
  }
}

/**
 * Checks the names that an import picks together with the default export.
 * @throws ContentSpaceError `unknownExport`
 */
function checkExports({ pick: picked, query }: CollectionRequest, collection: Collection, named: NamedKit): void {
  const unknown = picked?.find((name) => name !== 'default' && !collection.exports.has(name))
  if (unknown !== undefined) throw unknownExport(unknown, collection, named, query)
}

async function sourceOfCollection(
  collection: Collection,
  { uuid, version }: { uuid: string; version: number },
  { request, references, svg }: { request: CollectionRequest; references: References; svg: SvgPolicy },
): Promise<string> {
  const { pick: picked } = request
  const { lazy: _, ...query } = request.query
  const plans = planAll([...collection.assets.values()], query, svg)
  // Each of them is a chunk, whose name people see.
  const labels = new Map([...(collection.slugs ?? [])].toReversed().map(([slug, asset]) => [asset, slug]))
  return collectionSource(collection, picked, {
    query,
    references,
    plan: ({ uuid: asset }) => plans.get(asset) ?? {},
    assetId(asset) {
      const member = plans.get(asset)?.src ? {} : ({ member: true } as const)
      return requestToId({ kind: 'asset', kit: { kit: uuid, version }, asset, query, ...member }, labels.get(asset))
    },
    treeId: requestToId({ ...request, pick: ['default'] }),
  })
}

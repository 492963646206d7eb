import type { KitSummary, KnownAsset, KnownKit } from '../asset.js'
import { checkComponent } from '../components/collection.js'
import { planAsset, type AssetPlan } from '../files/plan.js'
import type { SvgPolicy } from '../files/recipe.js'
import { assetIn, showKit, withRaw, type Collection, type NamedKit } from '../kit/named-kit.js'
import { requestToId, type KitReference, type Request } from '../request/request.js'
import type { AssetRecord, KitRecord, PairedAsset } from '../space/space.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { pick } from '../text/pick.js'
import type { AppIconsRequest, LoadedIcons } from './app-icons.js'
import { knownAsset, unsortedAsset } from './asset-value.js'
import type { Described } from './declarations.js'
import { assetSource, collectionSource, valueSource } from './emit.js'
import { unknownExport } from './exports.js'
import {
  askAsset,
  askCollection,
  pickedCollection,
  type AssetRequest,
  type CollectionRequest,
  type From,
  type Names,
  type PartsContext,
} from './parts.js'
import { checkFile, planAll, planEach } from './plans.js'
import type { References } from './references.js'

/** Requests for content. The folder `tokens` creates the modules of token requests. */
export type ContentRequest = Exclude<Request, { kind: 'tokens' }>

/** Generates the modules of a catalog's kits. */
export interface Modules<R = Request> {
  kits(): Promise<KitSummary[]>
  /** @param full whether to include the service's records with sorted keys, which is slow; by default, true */
  kit(reference: KitReference, full?: boolean): Promise<KnownKit>
  /**
   * Returns the source of a request's module: an ES module, or CommonJS if `references` request it.
   * @throws ContentSpaceError if any content, export, or cut doesn't exist; any error of the space
   */
  source(request: R, references: References): Promise<string>
  /** Returns the plan for an asset that is used as a URL. Throws the same errors as `source`. */
  address(request: AssetRequest): Promise<AssetPlan>
  /** Plans the icons of an application. Throws the same errors as `source`. */
  icons(request: AppIconsRequest, served: boolean): Promise<LoadedIcons>
  /**
   * Returns the data from which the declaration of a request is made. Throws the same errors as `source`.
   * @param names the exports that the source uses
   * @param from whether the declaration has all exports or only those in the lockfile
   */
  describe(request: R, names?: Names, from?: From): Promise<Described>
}

/** Loaded only if the source uses application icons. */
const appIcons = () => import('./app-icons.js')

export function createModules(context: PartsContext): Modules<ContentRequest> {
  const { catalog, svg, darkMode, full: isFull = false, onUse = () => {} } = context
  const loadIcons = async (request: AppIconsRequest, served: boolean, from?: From) =>
    (await appIcons()).loadAppIcons(request, context, served, from)
  const usedIcons = async (request: AppIconsRequest, served: boolean): Promise<LoadedIcons> => {
    const loaded = await loadIcons(request, served)
    onUse({ reference: request.kit, answer: loaded, assets: loaded.value })
    return loaded
  }

  async function outlineOf(kit: KitReference) {
    const { outline, ...answer } = await catalog.outline(kit, isFull)
    return { answer, outline: withRaw(outline, isFull) }
  }

  async function collectionSourceOf(request: CollectionRequest, references: References): Promise<string> {
    const { pick: names } = request
    const asked = await askCollection(catalog, request, svg, names)
    const { named, value } = asked
    checkExports(request, value, named)
    const picked = names?.includes('default') === false && !request.query.lazy ? names : undefined
    const collection = picked ? pickedCollection(value, picked) : value
    onUse({ reference: asked.reference, answer: asked, assets: collection.assets.values() })
    // Only a listing shows which assets share a name, so don't warn about an answer from the lockfile.
    if (picked && !asked.isPartial && [...collection.exports.values()].some((uuid) => named.suggested.has(uuid))) {
      const { message, lines } = catalog.nameWarning(named)
      context.warn?.(message, lines)
    }
    return sourceOfCollection(collection, named.kit, { request, references, svg })
  }

  return {
    kits: () => kitSummaries(catalog.kits(), false),
    async kit(reference, full = true) {
      return knownKit(await catalog.load(reference), full)
    },
    async source(request, given) {
      const references = { ...given, ...omitUndefined({ darkMode }) }
      switch (request.kind) {
        case 'kits':
          return valueSource(await kitSummaries(catalog.lockedKits(), isFull), references)
        case 'outline': {
          const { outline, answer } = await outlineOf(request.kit)
          if (answer.answer) onUse({ reference: request.kit, answer: answer.answer, assets: [] })
          return valueSource(outline, references)
        }
        case 'app-icons': {
          const { plan } = await usedIcons(request, references.layout === 'flat')
          return (await appIcons()).appIconsSource(plan, references)
        }
        case 'asset': {
          const asked = await askAsset(catalog, request)
          const { value: asset } = asked
          onUse({ reference: asked.reference, answer: asked, assets: withPartner(asset) })
          const plan = planAsset(asset, request.query, svg)
          checkComponent(asset, request.query, plan)
          if (!('member' in request)) checkFile(asset, request.query, plan)
          return assetSource(asset, request.query, plan, references)
        }
        default:
          return collectionSourceOf(request, references)
      }
    },
    async address(request) {
      const query = { ...request.query, as: 'asset' as const }
      const asked = await askAsset(catalog, { ...request, query })
      onUse({ reference: asked.reference, answer: asked, assets: withPartner(asked.value) })
      return planAsset(asked.value, query, svg)
    },
    icons: usedIcons,
    async describe(request, names, from) {
      if (request.kind === 'kits') {
        await catalog.lockedKits()
        return { kind: 'kits' }
      }
      if (request.kind === 'outline') {
        const { outline, answer } = await outlineOf(request.kit)
        return { kind: 'outline', outline, ...omitUndefined({ named: answer.answer?.named }), reference: request.kit }
      }
      if (request.kind === 'app-icons') {
        const loaded = await loadIcons(request, false, from)
        const { named } = loaded
        const plans = (await appIcons()).plansOfIcons(loaded)
        const icons = [...loaded.plan.icons, ...loaded.plan.links].map(({ file }) => file)
        return { kind: 'app-icons', named, plans, icons, reference: request.kit, assets: loaded.value }
      }
      const { query } = request
      if (request.kind === 'asset') {
        const { named, value: asset, reference, isPartial } = await askAsset(catalog, request, from)
        const plans = planAll([asset], query, svg)
        checkComponent(asset, query, plans.get(asset.uuid) ?? {})
        checkFile(asset, query, plans.get(asset.uuid) ?? {})
        return { kind: 'asset', named, query, asset, plans, reference, isPartial }
      }
      const asked = await askCollection(catalog, request, svg, names, from)
      const { named, value: collection, reference, isPartial } = asked
      const plans = planEach([...collection.assets.values()], query, svg)
      return { kind: 'collection', named, query, collection, ...plans, reference, isPartial }
    },
  }
}

function withPartner(asset: PairedAsset): AssetRecord[] {
  return asset.dark ? [asset, asset.dark] : [asset]
}

async function kitSummaries(kits: Promise<KitRecord[]>, full: boolean): Promise<KitSummary[]> {
  const fields = ['uuid', 'name', 'description', 'status', 'useVersion', 'dateAdded', 'dateUpdated', 'cover'] as const
  return (await kits).map((record) => pick(record, full ? [...fields, 'raw'] : fields))
}

function knownKit(named: NamedKit, full: boolean): KnownKit {
  /** Use the same object wherever an asset occurs. */
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
  // Label each asset, because it becomes a chunk whose name people see.
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

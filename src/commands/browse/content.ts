import type { Copies } from '../shared/kit-page/data.js'
import { memoize } from '../../async/memoize.js'
import { memoizeVersions, type VersionReference } from '../../catalog/versions.js'
import { checkComponent } from '../../components/collection.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError } from '../../errors.js'
import type { Files } from '../../files/files.js'
import { planAsset, type AssetPlan, type FileDescriptor } from '../../files/plan.js'
import { findAsset, type NamedKit } from '../../kit/named-kit.js'
import { spaceOf, type AssetRecord } from '../../space/space.js'
import { hasOriginal, revisionOfAsset, type AssetAddresses } from '../shared/asset-data.js'
import type { Finding } from '../shared/findings/report.js'
import { coverAsset } from '../shared/choose-preview.js'
import { findDrift } from './drift.js'
import { kitData } from '../shared/kit-data.js'
import type { Thumbnail } from '../shared/pictures.js'
import { describeProject, nameKits, type ProjectContext } from '../shared/project.js'
import { publicFailure, publicText } from '../shared/public-message.js'
import type { AssetPlace } from './routes.js'
import { findUsage } from '../shared/usage.js'

export type Content = ReturnType<typeof openContent>

/** Opens the content of the page. Keeps results until content changes. */
export function openContent(engine: Engine, mode: ProjectContext['mode'], size: Files['size']) {
  const { options, space, catalog } = engine
  const reasonOf = (error: unknown) => publicFailure(error, options).message
  let state = openState()
  let copies: Copies = {}

  function openState() {
    const versions = memoize(async (uuid: string) => (await space.kit(uuid, 'versions')).versions ?? [])
    const project: ProjectContext = { ...engine, mode, reasonOf, versions: (uuid) => versions.get(uuid) }
    const names = memoize(() => nameKits(project))
    // `load` would add kits to the lockfile that the source doesn't import.
    const kits = memoizeVersions(({ uuid, version }) => catalog.peek(uuid, version))
    const texts = memoizeVersions(async ({ uuid, version }) => {
      const [named, { kits: entries }] = await Promise.all([kits.get({ uuid, version }), names.get('')])
      const { reference: name = uuid, version: own, aliases = {} } = entries.find((one) => one.uuid === uuid) ?? {}
      const [alias = `${name}@${version || 'draft'}`] = Object.keys(aliases).filter((one) => aliases[one] === version)
      const reference = own === version ? name : alias
      return toJson(await kitData(named, reference, addressesOf(named, engine)))
    })
    return { project, names, kits, texts }
  }

  return {
    /** Returns `Project` as JSON. */
    async project(): Promise<Buffer> {
      const { names, project } = state
      const named = await names.get('')
      // The service may be reachable again on the next request.
      if (named.error !== undefined) names.forget('')
      return toJson(await describeProject(named, project))
    },
    /** Returns `KitData` as JSON. Throws any error of loading the kit. */
    kit: (uuid: string, version: number) => state.texts.get({ uuid, version }),
    usage: (signal: AbortSignal) =>
      findUsage({ ...engine, size, reasonOf: (reason) => publicText(reason, options) }, signal),
    /**
     * Compares the files of the project with the kits, like `audit`, and caches the findings. Throws the errors of
     * `audit`.
     */
    async copies(signal: AbortSignal): Promise<Copies> {
      const { findCopies } = await import('../shared/findings/search.js')
      copies = copiesOf(await findCopies(engine, signal))
      return copies
    },
    shownCopies: () => copies,
    drift: () => findDrift(engine, reasonOf),
    /**
     * Returns the cover of a kit, or the asset that represents the kit.
     * @throws ContentSpaceError `kitNotFound` if the kit has neither; any error of the space
     */
    async cover(kit: string): Promise<{ thumbnail: Thumbnail } | { asset: AssetRecord }> {
      if (spaceOf(space, kit).local) {
        const { version = 0 } = (await state.names.get('')).kits.find(({ uuid }) => uuid === kit) ?? {}
        const asset = coverAsset(await state.kits.get({ uuid: kit, version }))
        if (asset !== undefined) return { asset }
      }
      const found = (await catalog.kits()).find(({ uuid }) => uuid === kit)
      const { name = '', dateUpdated, cover, coverPreview = cover } = found ?? {}
      if (coverPreview !== undefined)
        return { thumbnail: { uuid: kit, name, url: coverPreview, revision: dateUpdated, kit } }
      throw new ContentSpaceError('kitNotFound', 'The kit has no cover.', { kit })
    },
    /** @throws ContentSpaceError `assetNotFound`; any error of loading the kit */
    async asset({ kit, version, asset }: AssetPlace): Promise<AssetRecord> {
      const { kit: loaded } = await state.kits.get({ uuid: kit, version })
      const record = loaded.assets[asset]
      if (record) return record
      throw new ContentSpaceError('assetNotFound', `Kit ${loaded.name} has no asset ${asset}.`, { kit, asset })
    },
    /**
     * Returns the file for an asset id with a query.
     * @throws ContentSpaceError `invalidId` for ids of other kinds; any error of parsing, loading or planning
     */
    file: (specifier: string) => planQuery(specifier, engine, state.kits.get),
    forget(): void {
      state = openState()
    },
  }
}

function toJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** Returns copies by uuid of the asset. */
function copiesOf(findings: readonly Finding[]): Copies {
  const copies: Copies = {}
  for (const { finding, file, line, asset, version, similarity } of findings) {
    const more = version === undefined ? similarity && `${Math.floor(similarity * 100)} %` : `version ${version}`
    const note = more === undefined ? finding : `${finding}, ${more}`
    copies[asset.uuid] = [...(copies[asset.uuid] ?? []), { file, line, note }]
  }
  return copies
}

/** URLs contain the revision of the file, so that browsers can cache them. */
function addressesOf({ kit }: NamedKit, { options: { space } }: Engine): AssetAddresses {
  const path = (kind: string, asset: AssetRecord) =>
    `${kind}/${kit.uuid}/${kit.version}/${asset.uuid}/${revisionOfAsset(asset)}`
  return {
    preview: (asset) => path('previews', asset),
    original: (asset) => (hasOriginal(asset) ? path('originals', asset) : undefined),
    permalink: ({ permalink }) => (isPublic(permalink, space) ? permalink : undefined),
  }
}

/** Returns whether a link leads to a page for people. A URL of the interface itself requires credentials. */
function isPublic(link: string | undefined, space: Engine['options']['space']): boolean {
  if (link === undefined || !URL.canParse(link)) return false
  const { protocol, host, username, password } = new URL(link)
  const isWeb = (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
  return isWeb && (!('address' in space) || space.address.host !== host)
}

/** The maximum number of pixels in a picture for the page, which is more than any display has. */
const maxPixels = 5e7

/** Limits pictures for the page. A build may make larger pictures, but on the page, every click makes another one. */
function checkPixels({ width = 0, height = 0, src }: AssetPlan): void {
  if (src?.recipe === undefined || src.ext === 'svg' || width * height <= maxPixels) return
  const message = `A picture of ${width} × ${height} pixels is too large to be made for this page.`
  throw new ContentSpaceError('invalidQuery', message, { hint: 'A build makes it.' })
}

async function planQuery(
  specifier: string,
  { parse, catalog, lock, options: { svg } }: Engine,
  load: (reference: VersionReference) => Promise<NamedKit>,
): Promise<FileDescriptor> {
  // An id that a bundler generated contains an unchecked request.
  const isGenerated = /^content-space:[^/?]*\/[\w-]*\/~/.test(specifier)
  const request = isGenerated ? undefined : parse(specifier)
  if (request?.kind !== 'asset' || request.kit === undefined) {
    const hint = 'The form is content-space:asset/<kit>[@<version>]/<asset>.'
    throw new ContentSpaceError('invalidId', `${specifier} is not the id of an asset with its kit.`, { hint })
  }
  const { kit: name, version: selector } = request.kit
  const uuid = await catalog.find(name)
  const version = lock.version(uuid, selector) ?? (selector === 'use' ? await catalog.useVersion(uuid) : selector)
  const asset = findAsset(await load({ uuid, version }), request.asset)
  const query = request.query.as === 'metadata' ? { ...request.query, as: 'url' as const } : request.query
  // Sanitize here, because option `svg` trusts SVGs only on the pages of the project.
  const plan = planAsset(asset, query, svg === 'trust' ? 'sanitize' : svg)
  checkComponent(asset, query, plan)
  checkPixels(plan)
  if (plan.src) return plan.src
  throw new ContentSpaceError('assetNotFound', `${asset.name} has no file.`, { asset: asset.uuid })
}

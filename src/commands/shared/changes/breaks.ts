import { attempt } from '../../../async/attempt.js'
import { exportName } from '../../../components/collection.js'
import { ignoreCodes, ignoreOwnErrors } from '../../../errors.js'
import { planAsset } from '../../../files/plan.js'
import { findByName } from '../../../kit/lookup.js'
import { frameworkOf } from '../../../request/frameworks.js'
import { canBeDark, type Query } from '../../../request/query.js'
import type { Request } from '../../../request/request.js'
import type { Use } from '../../../source/use.js'
import { canonicalName, meansShortId } from '../../../space/short-id.js'
import type { AssetRecord } from '../../../space/space.js'
import { addTo } from '../../../text/group-by.js'
import { twinsOf, type StructurePairs } from './compare-structure.js'
import { isNamed, type KitComparison } from './comparisons.js'
import type { Side, SideAsset } from './side.js'
import type { SidePart } from './structure.js'
import { tokenOf, tokenTypes } from './token-value.js'

/** A line of the source with an import that would fail or would import a different asset. */
export interface Break {
  /** Relative to the root, with forward slashes. */
  file: string
  /** Starts at 1. */
  line: number
  /** As written, with its query. */
  specifier: string
}

/** An import in the source, and its parsed specifier. */
export interface RequestUse extends Use {
  request: Request
}

type Found = Map<string, Break[]>

/** The lines of the source that would break, by uuid. */
export interface Breaks {
  /** Imports of assets that no longer exist or no longer have the imported name. */
  assets: Found
  /** Imports of missing sections and headings. */
  parts: Found
  /** Imports of assets from sections and headings that no longer contain them. */
  moved: Found
  /** Uses of missing tokens. */
  tokens: Found
  /** Imports of assets that no longer have the required cut. */
  cuts: Found
}

/**
 * Finds the imports that would break.
 * @param dark the counterparts from option `kits`, by asset
 */
export function breaksIn(
  uses: readonly RequestUse[],
  comparison: KitComparison,
  pairs: StructurePairs | undefined,
  dark: ReadonlyMap<string, string>,
): Breaks {
  const found: Breaks = { assets: new Map(), parts: new Map(), moved: new Map(), tokens: new Map(), cuts: new Map() }
  const sides = [comparison.before, comparison.after]
  const assets = sides.map((side) => exportsOf(side, 'asset'))
  const components = sides.map((side) => exportsOf(side, 'react'))
  for (const use of uses.filter(({ request }) => concerns(comparison, request))) {
    const { request, file, line, specifier, names = [], types = [], tokens = [] } = use
    const here = { file, line, specifier }
    if (request.kind === 'tokens') {
      for (const { uuid, ...place } of lostTokens(tokens, comparison)) addTo(found.tokens, uuid, { ...here, ...place })
      continue
    }
    const isOfComponents = 'query' in request && frameworkOf(request.query.as) !== undefined
    const lost =
      request.kind === 'asset' || request.kind === 'app-icons'
        ? lostAsset(comparison, request.asset)
        : lostExports([...names, ...types], isOfComponents ? components : assets)
    for (const uuid of new Set([...lost, ...lostDark(use, comparison, dark)])) addTo(found.assets, uuid, here)
    for (const uuid of withoutCut(use, comparison)) addTo(found.cuts, uuid, here)
    if (request.kind !== 'section' || !pairs) continue
    const part = lostPart(request, comparison, pairs)
    if (part === undefined) continue
    if ('gone' in part) addTo(found.parts, part.gone, here)
    else
      for (const uuid of leaving([...names, ...types], request.query, part, comparison)) addTo(found.moved, uuid, here)
  }
  return found
}

/**
 * Returns whether a request may refer to this version of this kit. An asset that is requested without its kit may
 * belong to any version that the project uses.
 */
function concerns(comparison: KitComparison, request: Request): boolean {
  const { affects, before } = comparison
  if (request.kind === 'kits') return false
  if (request.kit) return isNamed(comparison, request.kit.kit) && affects(request.kit.version)
  if (request.kind === 'asset') return true
  const isKnown = before.sections.has(request.section) || find(request.section, before.structure) !== undefined
  return isKnown && affects(request.version)
}

/** Returns the missing dark counterparts that the query of an import or option `kits` names. */
function lostDark(use: RequestUse, comparison: KitComparison, dark: ReadonlyMap<string, string>): string[] {
  const { request } = use
  if (request.kind === 'app-icons')
    return request.icons.dark ? lostAsset(comparison, canonicalName(request.icons.dark)) : []
  if (!('query' in request)) return []
  const { query } = request
  if (query.dark !== undefined) return lostAsset(comparison, query.dark)
  if (!canBeDark(query)) return []
  const reaches = reachOf(use, query, comparison)
  return [...dark].flatMap(([light, partner]) => {
    const uuid = findIn(comparison.before, light)
    return uuid !== undefined && reaches(uuid) ? lostAsset(comparison, partner) : []
  })
}

/** @param requested uuid or slug */
function lostAsset({ before, after }: KitComparison, requested: string): string[] {
  const uuid = findIn(before, requested)
  return uuid !== undefined && findIn(after, requested) !== uuid ? [uuid] : []
}

/** @param sides uuids by export name, before and after */
function lostExports(names: readonly string[], [before, after]: readonly ReadonlyMap<string, string>[]): string[] {
  const lost = names.map((name) => before?.get(name)).filter((uuid, at) => after?.get(names[at] ?? '') !== uuid)
  return [...new Set(lost)].filter((uuid) => uuid !== undefined)
}

function exportsOf({ assets }: Side, as: Query['as']): Map<string, string> {
  const all = [...assets].flatMap(([uuid, asset]) => allNames(asset).map(({ name }) => [name, uuid] as const))
  return new Map(all.map(([name, uuid]) => [exportName(name, { as }), uuid]))
}

/** Returns the current names of an asset, followed by its former names. */
function allNames({ names }: SideAsset): SideAsset['names']['aliases'] {
  return [names, ...names.aliases]
}

function findIn({ assets }: Side, requested: string): string | undefined {
  if (assets.has(requested)) return requested
  const bySlug = [...assets].find(([, asset]) => allNames(asset).some(({ slug }) => slug === requested))
  const byShortId = () => [...assets].find(([, { shortIds }]) => shortIds?.some((id) => meansShortId(requested, id)))
  return (bySlug ?? byShortId())?.[0]
}

/** Follows an import from one side to the other. Returns undefined for an import that is already broken. */
function lostPart(
  { section, heading }: Extract<Request, { kind: 'section' }> & { heading?: string },
  { before, after }: KitComparison,
  pairs: StructurePairs,
): { gone: string } | { was: SidePart; is: SidePart } | undefined {
  const [was, is] = [find(section, before.structure), find(section, after.structure)]
  if (was === undefined) return undefined
  if (is === undefined || twinsOf(pairs.sections).get(was.uuid) !== is.uuid) return { gone: was.uuid }
  if (heading === undefined) return { was, is }
  const [under, now] = [find(heading, was.headings), find(heading, is.headings)]
  if (under === undefined) return undefined
  if (now === undefined || twinsOf(pairs.headings).get(under.uuid) !== now.uuid) return { gone: under.uuid }
  return { was: under, is: now }
}

function find<T extends SidePart>(name: string, parts: readonly T[] = []): T | undefined {
  const slugs = new Map(parts.map((part) => [part.uuid, part.slugs]))
  const shortIds = new Map(parts.map((part) => [part.uuid, part.shortIds]))
  const shortIdsOf = (uuid: string) => shortIds.get(uuid) ?? []
  const scope = { what: 'section', where: '', code: 'sectionNotFound', shortIdsOf } as const
  return attempt(() => findByName(name, parts, (uuid) => slugs.get(uuid) ?? [], scope), ignoreOwnErrors)
}

/** Returns the imported assets that are still in the kit, but no longer in this part of it. */
function leaving(
  names: readonly string[],
  query: Query,
  { was, is }: { was: SidePart; is: SidePart },
  { before, after }: KitComparison,
): string[] {
  const gone = [...was.assets].filter((uuid) => !is.assets.has(uuid) && after.assets.has(uuid))
  return gone.filter((uuid) => namesOnSide(before, uuid).some(({ name }) => names.includes(exportName(name, query))))
}

function namesOnSide({ assets }: Side, uuid: string) {
  const asset = assets.get(uuid)
  return asset ? allNames(asset) : []
}

/**
 * Returns the assets that an import contains on both sides but whose required cut is missing on the later side only.
 */
function withoutCut(use: RequestUse, comparison: KitComparison): string[] {
  const { request } = use
  if (!('query' in request)) return []
  const { before, after } = comparison
  const reaches = reachOf(use, request.query, comparison)
  return [...after.assets].flatMap(([uuid, { record }]) => {
    const was = before.assets.get(uuid)
    // Check first whether the import contains the asset, because planning takes longer.
    if (was === undefined || !reaches(uuid)) return []
    return lacksCut(record, request.query) && !lacksCut(was.record, request.query) ? [uuid] : []
  })
}

function lacksCut(asset: AssetRecord | undefined, query: Query): boolean {
  if (asset === undefined) return false
  return attempt(() => planAsset(asset, query, 'sanitize'), ignoreCodes('fileCutUnavailable')) === undefined
}

/**
 * Returns whether an import contains an asset. The default export, and an import without names, contains all assets of
 * a kit or of the imported part.
 */
function reachOf(
  { request, names, types = [] }: RequestUse,
  query: Query,
  { before, after }: KitComparison,
): (uuid: string) => boolean {
  if (request.kind === 'asset') return (uuid) => findIn(before, request.asset) === uuid
  if (names !== undefined && !names.includes('default')) {
    const imported = [...names, ...types]
    return (uuid) => namesOnSide(before, uuid).some(({ name }) => imported.includes(exportName(name, query)))
  }
  if (request.kind !== 'section') return () => true
  const section = find(request.section, after.structure)
  const part = 'heading' in request && request.heading ? find(request.heading, section?.headings) : section
  return (uuid) => part?.assets.has(uuid) === true
}

/** Finds broken uses of tokens: their names afterwards refer to another token or to nothing. */
function lostTokens(uses: NonNullable<Use['tokens']>, { before, after }: KitComparison) {
  const [was, is] = [tokenNames(before), tokenNames(after)]
  return uses.flatMap(({ kind, name, line }) => {
    const key = `${tokenTypes[kind]} ${name}`
    const uuid = was.get(key)
    return uuid === undefined || is.get(key) === uuid ? [] : [{ uuid, line }]
  })
}

/** Returns uuids by token name. Former names come last, as in the module. */
function tokenNames({ assets }: Side): Map<string, string> {
  const named = [...assets].flatMap(([uuid, asset]) => {
    const token = tokenOf(asset.record)
    return token ? allNames(asset).map(({ name }) => [`${token.type} ${name}`, uuid] as const) : []
  })
  return new Map(named)
}

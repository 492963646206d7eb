import { attempt } from '../../async/attempt.js'
import { exportName } from '../../components/collection.js'
import { ignoreCodes, ignoreOwnErrors } from '../../errors.js'
import { planAsset } from '../../files/plan.js'
import { findByName } from '../../kit/lookup.js'
import type { Query } from '../../request/query.js'
import type { Request } from '../../request/request.js'
import type { AssetRecord } from '../../space/space.js'
import { allNames, concerns, type Break, type RequestUse } from './breaks.js'
import { twinsOf, type StructurePairs } from './compare-structure.js'
import type { KitComparison } from './comparisons.js'
import type { Side } from './side.js'
import type { SidePart } from './structure.js'
import { tokenOf, tokenTypes } from './token-value.js'

/** The lines of the source that would break, by uuid. */
export interface PartBreaks {
  /** Imports of sections and headings that are gone. */
  parts: ReadonlyMap<string, Break[]>
  /** Imports of assets from sections and headings that they have left. */
  moved: ReadonlyMap<string, Break[]>
  /** Uses of tokens that are gone. */
  tokens: ReadonlyMap<string, Break[]>
  /** Imports of assets that no longer have the cut that the import needs. */
  cuts: ReadonlyMap<string, Break[]>
}

type Found = Map<string, Break[]>

export function partBreaksIn(
  uses: readonly RequestUse[],
  comparison: KitComparison,
  pairs: StructurePairs | undefined,
): PartBreaks {
  const [parts, moved, tokens, cuts]: [Found, Found, Found, Found] = [new Map(), new Map(), new Map(), new Map()]
  for (const use of uses) {
    const { request, file, line, specifier, names = [], types = [] } = use
    const here = { file, line, specifier }
    if (request.kind === 'tokens') addTokens(tokens, use, comparison)
    for (const asset of withoutCut(use, comparison)) add(cuts, asset, here)
    if (request.kind !== 'section' || !pairs || !concerns(comparison, request)) continue
    const lost = lostPart(request, comparison, pairs)
    if (lost === undefined) continue
    if ('gone' in lost) add(parts, lost.gone, here)
    else for (const asset of leaving([...names, ...types], request.query, lost, comparison)) add(moved, asset, here)
  }
  return { parts, moved, tokens, cuts }
}

function add(found: Found, uuid: string, place: Break): void {
  found.set(uuid, [...(found.get(uuid) ?? []), place])
}

/** Follows an import from one side to the other. Returns undefined for an import that is broken already. */
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
  const scope = { what: 'section', where: '', code: 'sectionNotFound' } as const
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
  return gone.filter((uuid) => namesOf(before, uuid).some(({ name }) => names.includes(exportName(name, query))))
}

function namesOf({ assets }: Side, uuid: string) {
  const asset = assets.get(uuid)
  return asset ? allNames(asset) : []
}

/** Returns the assets of both sides that an import reaches, and that lack the cut it needs on the later side only. */
function withoutCut(use: RequestUse, comparison: KitComparison): string[] {
  const { request } = use
  if (!('query' in request) || !concerns(comparison, request)) return []
  const { before, after } = comparison
  return [...after.assets].flatMap(([uuid, { record }]) => {
    const was = before.assets.get(uuid)
    const isLost = was !== undefined && lacksCut(record, request.query) && !lacksCut(was.record, request.query)
    return isLost && reaches(use, request.query, uuid, comparison) ? [uuid] : []
  })
}

function lacksCut(asset: AssetRecord | undefined, query: Query): boolean {
  if (asset === undefined) return false
  return attempt(() => planAsset(asset, query, 'sanitize'), ignoreCodes('fileCutUnavailable')) === undefined
}

/** The default export and an import without names contain all assets of a kit or of its part. */
function reaches(
  { request, names, types = [] }: RequestUse,
  query: Query,
  uuid: string,
  { before, after }: KitComparison,
): boolean {
  const own = namesOf(before, uuid)
  if (request.kind === 'asset') return request.asset === uuid || own.some(({ slug }) => slug === request.asset)
  const isWhole = names === undefined || names.includes('default')
  const exported = own.map(({ name }) => exportName(name, query))
  if (!isWhole) return exported.some((name) => names.includes(name) || types.includes(name))
  if (request.kind !== 'section') return true
  const section = find(request.section, after.structure)
  const part = 'heading' in request && request.heading ? find(request.heading, section?.headings) : section
  return part?.assets.has(uuid) === true
}

/** A use breaks if its name stands for another token afterwards, or for none. */
function addTokens(found: Found, { request, tokens = [], file, specifier }: RequestUse, comparison: KitComparison) {
  if (request.kind !== 'tokens') return
  const { names, affects, before, after } = comparison
  if (!names.has(request.kit.kit) || !affects(request.kit.version)) return
  const [was, is] = [tokenNames(before), tokenNames(after)]
  for (const { kind, name, line } of tokens) {
    const key = `${tokenTypes[kind]} ${name}`
    const uuid = was.get(key)
    if (uuid !== undefined && is.get(key) !== uuid) add(found, uuid, { file, line, specifier })
  }
}

/** Former names come last, as in the module. */
function tokenNames({ assets }: Side): Map<string, string> {
  const named = [...assets].flatMap(([uuid, asset]) => {
    const token = tokenOf(asset.record)
    return token ? allNames(asset).map(({ name }) => [`${token.type} ${name}`, uuid] as const) : []
  })
  return new Map(named)
}

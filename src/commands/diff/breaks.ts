import { exportName } from '../../components/collection.js'
import { frameworkOf } from '../../request/frameworks.js'
import type { Query } from '../../request/query.js'
import type { Request } from '../../request/request.js'
import type { Use } from '../../source/scan.js'
import type { KitComparison } from './comparisons.js'
import type { Side, SideAsset } from './side.js'

/** A line of the source whose import would fail, or would import another asset. */
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

/** Finds the imports that would break. @returns lists by the uuid of the imported asset */
export function breaksIn(uses: readonly RequestUse[], comparison: KitComparison): Map<string, Break[]> {
  const breaks = new Map<string, Break[]>()
  const sides = [comparison.before, comparison.after]
  const assets = sides.map((side) => exportsOf(side, 'asset'))
  const components = sides.map((side) => exportsOf(side, 'react'))
  for (const { request, file, line, specifier, names = [], types = [] } of uses) {
    if (!concerns(comparison, request)) continue
    const isOfComponents = 'query' in request && frameworkOf(request.query.as) !== undefined
    const lost =
      request.kind === 'asset' || request.kind === 'app-icons'
        ? lostAsset(comparison, request.asset)
        : lostExports([...names, ...types], isOfComponents ? components : assets)
    for (const uuid of lost) breaks.set(uuid, [...(breaks.get(uuid) ?? []), { file, line, specifier }])
  }
  return breaks
}

/**
 * Whether a request may refer to this version of this kit. An asset requested by its uuid alone may be of any version
 * that the project uses.
 */
export function concerns({ names, affects, before }: KitComparison, request: Request): boolean {
  // The names of a tokens module are not those of assets.
  if (request.kind === 'kits' || request.kind === 'tokens') return false
  if (request.kit) return names.has(request.kit.kit) && affects(request.kit.version)
  return request.kind === 'asset' || (before.sections.has(request.section) && affects(request.version))
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

/** Returns the current names of an asset, and then the former ones. */
export function allNames({ names }: SideAsset): SideAsset['names']['aliases'] {
  return [names, ...names.aliases]
}

function findIn({ assets }: Side, requested: string): string | undefined {
  if (assets.has(requested)) return requested
  return [...assets].find(([, asset]) => allNames(asset).some(({ slug }) => slug === requested))?.[0]
}

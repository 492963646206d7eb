import type { Use } from '../../source/scan.js'
import type { Request } from '../../request/request.js'
import type { Side, SideAsset } from './side.js'
import type { Comparisons } from './comparisons.js'

/** A line of the source that would fail, or mean another asset: what it imports would not be there under that name. */
export interface Break {
  /** Relative to the root, with forward slashes. */
  file: string
  /** From 1. */
  line: number
  /** As written, query included. */
  specifier: string
}

/** A place of the source, and what it asks for. */
export interface RequestUse extends Use {
  request: Request
}

/** The places of the source that would break, by the asset that they import. */
export function breaksIn(
  uses: readonly RequestUse[],
  { names, moves, before, after }: Comparisons,
): Map<string, Break[]> {
  const breaks = new Map<string, Break[]>()
  const [exportsBefore, exportsAfter] = [exportsOf(before), exportsOf(after)]
  for (const { request, file, line, specifier, names: wanted = [] } of uses) {
    if (!concerns(request)) continue
    for (const uuid of lost(request, wanted)) breaks.set(uuid, [...(breaks.get(uuid) ?? []), { file, line, specifier }])
  }

  /** What names no kit may be of this one; an asset by its uuid alone is of any version that the project uses. */
  function concerns(request: Request): boolean {
    if (request.kind === 'kits') return false
    if (request.kit) return names.has(request.kit.kit) && moves(request.kit.version)
    return request.kind === 'asset' || (before.sections.has(request.section) && moves(request.version))
  }

  function lost(request: Request, wanted: readonly string[]): string[] {
    if (request.kind === 'asset') {
      const found = findIn(before, request.asset)
      return found !== undefined && findIn(after, request.asset) !== found ? [found] : []
    }
    const gone = wanted
      .map((name) => exportsBefore.get(name))
      .filter((uuid, at) => exportsAfter.get(wanted[at] ?? '') !== uuid)
    return [...new Set(gone)].filter((uuid) => uuid !== undefined)
  }
  return breaks
}

/** Uuids by export name, former names too. */
function exportsOf({ assets }: Side): Map<string, string> {
  return new Map([...assets].flatMap(([uuid, asset]) => namesOf(asset).map(({ name }) => [name, uuid] as const)))
}

function namesOf({ names }: SideAsset) {
  return [names, ...names.aliases]
}

/** @param wanted uuid or slug */
function findIn({ assets }: Side, wanted: string): string | undefined {
  if (assets.has(wanted)) return wanted
  return [...assets].find(([, asset]) => namesOf(asset).some(({ slug }) => slug === wanted))?.[0]
}

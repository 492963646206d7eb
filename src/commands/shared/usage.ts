import type { Place, Usage, UsedAsset } from './kit-page/data.js'
import { eachLimit } from '../../async/each-limit.js'
import type { Engine } from '../../engine/engine.js'
import { summaryAndHint } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import { filesIn, resolveImports, withCounterparts, type UsedImport } from '../../engine/sync/resolve-imports.js'
import { tokenFileUses } from '../../engine/sync/token-files.js'
import { scanSources } from '../../source/scan.js'
import { groupBy } from '../../text/group-by.js'
import { omitUndefined } from '../../text/omit-undefined.js'

export interface UsageContext extends Pick<Engine, 'options' | 'describe' | 'parse'> {
  /** Returns the size of a file in bytes, if known. Absent if sizes aren't needed. */
  size?(this: void, file: FileDescriptor): Promise<number | undefined>
  /** Makes a reason safe to display on the page. */
  reasonOf(this: void, text: string): string
}

const concurrency = 16

/** Places by file and line, because a line can import an asset several times. */
type Places = Map<string, Place>

interface PlannedFile {
  query: string
  file: FileDescriptor
  bytes?: number | undefined
}

/** Finds the content that the source of the project uses, where it is used, and its size in bytes. */
export async function findUsage(context: UsageContext, signal: AbortSignal): Promise<Usage> {
  const { options, describe, reasonOf } = context
  const scanned = await scanSources(options.root, options.scan)
  const { used, refusals } = await resolveImports([...scanned, ...tokenFileUses(options)], describe)
  const assets = new Map<string, { places: Places; files: Map<string, PlannedFile> }>()
  const withFiles = used.filter((entry) => !isDescription(entry, context))
  for (const entry of withFiles) {
    const files = plannedFiles(entry)
    for (const uuid of withCounterparts(entry)) {
      const asset = assets.get(uuid) ?? { places: new Map(), files: new Map() }
      assets.set(uuid, asset)
      addPlace(asset.places, entry.use)
      for (const file of files.get(uuid) ?? []) asset.files.set(JSON.stringify(file.file), file)
    }
  }
  const planned = [...assets.values()].flatMap(({ files }) => [...files.values()])
  await eachLimit(planned, concurrency, signal, async (one) => {
    one.bytes = await context.size?.(one.file)
  })
  const described = [...assets].map(([uuid, { places, files }]): [string, UsedAsset] => {
    const shown = [...files.values()].map(({ query, bytes }) => omitUndefined({ query, bytes }))
    return [uuid, { places: [...places.values()], files: shown }]
  })
  return {
    assets: Object.fromEntries(described),
    kits: wholeKits(withFiles, context),
    refused: refusals.flatMap(({ specifier, error, uses }) =>
      uses.map(({ file, line }) => ({ file, line, specifier, reason: reasonOf(summaryAndHint(error)) })),
    ),
  }
}

/**
 * Returns whether an import uses only the description of a kit or section, without its files. Otherwise, each asset of
 * the kit would count as used.
 */
export function isDescription({ whole, use }: UsedImport, { parse }: Pick<UsageContext, 'parse'>): boolean {
  const request = parse(use.specifier)
  return whole !== undefined && 'query' in request && request.query.as === 'metadata'
}

/** Returns the files that an import needs, by the uuid of their asset. */
function plannedFiles({ use: { specifier }, assets, plans }: UsedImport): Map<string, PlannedFile[]> {
  const query = specifier.includes('?') ? specifier.slice(specifier.indexOf('?') + 1) : ''
  const files = assets.flatMap((uuid) => filesIn(plans.get(uuid) ?? {})).map((file) => ({ query, file }))
  return groupBy(files, ({ file }) => file.asset)
}

function wholeKits(used: readonly UsedImport[], { parse }: UsageContext): Record<string, Place[]> {
  const kits = new Map<string, Places>()
  for (const { use, whole } of used) {
    if (whole === undefined || parse(use.specifier).kind !== 'kit') continue
    const places: Places = kits.get(whole) ?? new Map()
    kits.set(whole, places)
    addPlace(places, use)
  }
  return Object.fromEntries([...kits].map(([kit, places]) => [kit, [...places.values()]]))
}

function addPlace(places: Places, { file, line }: Place): void {
  places.set(`${file}:${line}`, { file, line })
}

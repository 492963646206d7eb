import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { readSnapshot } from '../../catalog/snapshot.js'
import { jsonOf } from '../../text/json.js'
import type { StoredEntry } from './entries.js'

/** Returns the name of a kit or an asset. @param space key of the space */
export type FindName = (space: string, uuid: string) => string | undefined

/**
 * Reads the names of kits and assets from the snapshots of a cache. Ignores damaged snapshots. For an asset of a space
 * without snapshots, such as a folder, uses the name that another space has for its uuid.
 * @param known names by uuid, for content that is missing from all snapshots
 */
export async function readNames(
  entries: readonly StoredEntry[],
  known: ReadonlyMap<string, string>,
): Promise<FindName> {
  const names = new Map(known)
  for (const { kind, path, space = '' } of entries) {
    if (kind !== 'snapshot') continue
    const kit = readSnapshot(await readFile(path).catch(() => Buffer.of()))
    if (kit === undefined) continue
    for (const { uuid, name } of [kit, ...Object.values(kit.assets)]) {
      names.set(uuid, name)
      names.set(nameKey(space, uuid), name)
    }
  }
  return (space, uuid) => names.get(nameKey(space, uuid)) ?? names.get(uuid)
}

function nameKey(space: string, uuid: string): string {
  return `${space}\n${uuid}`
}

const recipe = v.looseObject({
  kind: v.picklist(['svg', 'raster', 'check']),
  format: v.optional(v.string()),
  width: v.optional(v.number()),
  height: v.optional(v.number()),
  preview: v.optional(v.string()),
  component: v.optional(v.boolean()),
})

/** Describes how a file was converted: `webp 640×427`. @param detail the recipe, as in the key of the entry */
export function conversionText(detail: string): string {
  const read = v.safeParse(recipe, jsonOf(detail))
  if (!read.success) return 'conversion'
  const { kind, format, width, height, preview, component } = read.output
  if (kind === 'check') return 'check of the file'
  if (kind === 'svg') return component ? 'component' : 'sanitized SVG'
  const size = [width, height].filter((side) => side !== undefined).join('×')
  return [preview === undefined ? format : `${preview} preview`, preview === undefined ? size : undefined]
    .filter(Boolean)
    .join(' ')
}

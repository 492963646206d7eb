import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as v from 'valibot'
import type { ResolvedOptions } from '../../config/options.js'
import { buildKey } from '../../disk/cache-layout.js'
import { integrityOf } from '../../disk/content.js'
import { ownPackage } from '../../disk/own-file.js'
import { thisProcess } from '../../disk/process.js'
import { serviceKey } from '../../space/http/transport.js'
import type { PullOptions } from './options.js'

const text = v.string()
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const folder = v.object({
  /** Uuid. */
  kit: text,
  name: text,
  version: count,
  /** How many assets the kit has. */
  assets: count,
  /** Absolute path. */
  folder: text,
  /** Number of files of assets. */
  files: count,
  /** Every file that the run requested, and the manifest. */
  paths: v.array(text),
  /** As `stampFiles` returns it. */
  stamps: text,
  /** The files that have to be read, and their `sha256-…`. */
  recent: v.array(v.tuple([text, text])),
})

const pulled = v.object({
  /** As `inputsOf` returns it. */
  inputs: text,
  /** `sha256-…` of the lockfile. */
  lock: text,
  folders: v.array(folder),
})

/** Files that mark the folder of a space. */
export const spaceNames: readonly string[] = ['space.json', 'mirror.json']

/** What a run of `pull` left in folders that were up to date, and what it was made from. */
export type PulledRecord = v.InferOutput<typeof pulled>

/** A folder that was up to date at the end of a run. */
export type PulledFolder = PulledRecord['folders'][number]

/** Parses the bytes of a record. */
export function parseRecord(bytes: Uint8Array): PulledRecord | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    return v.is(pulled, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The key of the record of a folder in the store. Undefined for projects whose content is not locked. */
export function recordKey({ space, root, lockfile }: ResolvedOptions, { out }: PullOptions): string | undefined {
  if ('folder' in space || lockfile === false) return undefined
  return buildKey({ space: serviceKey(space), project: JSON.stringify(['pull', root, resolve(root, out)]) })
}

/**
 * Returns a digest of everything that a pulled folder is made from besides the lockfile, which pins listings, names and
 * bytes. It contains the machine and its last start: after a loss of power, files have to be read.
 */
export async function inputsOf(options: ResolvedOptions, request: PullOptions): Promise<string> {
  const { root, lockfile, kits, names, presets, full, svg, strict, remote } = options
  const own = integrityOf(await readFile(ownPackage()))
  const given = names.map((kit) => ({ ...kit, names: [...kit.names] }))
  // The first run that writes to a remote cache loads the kits, and so writes their listings.
  const writes = remote?.write ? remote.address.label : null
  const { signal: _, onProgress: __, ...wanted } = request
  const sorted = Object.entries(wanted).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const project = [root, lockfile, [...kits], given, presets, full, svg, strict, writes]
  return integrityOf(JSON.stringify([own, thisProcess().place, project, sorted]))
}

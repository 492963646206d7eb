import * as v from 'valibot'
import type { AssetRecord } from '../space/space.js'
import { isExportName } from '../kit/identifiers.js'
import type { ReadSource } from './read-source.js'
import { readSourceSchema } from './read-source-schema.js'
import { assetSchema } from './snapshot.js'

/** The assets that a module of named exports, or of one asset, is made from. */
export interface Part {
  /** Uuid. */
  kit: string
  version: number
  /** Uuids of assets by export name. */
  exports: [name: string, asset: string][]
  assets: AssetRecord[]
}

/** A version of a kit that parts belong to. */
export interface RememberedKit {
  uuid: string
  name: string
  version: number
  /** How many assets it has. */
  assets: number
  /** The assets of all parts that it contains: `<uuid> <file_hash>`. */
  contains: string[]
  /** The warning about its export names. */
  warning?: { message: string; lines: string[] } | undefined
}

/** What builds of a project have used while its lockfile was the same. */
export interface Remembered {
  /** `sha256-…` of the lockfile. */
  lock: string
  kits: RememberedKit[]
  /** By the id of the module. */
  parts: Record<string, Part>
  /** Hashes (`sha256-…`) of SVG files without active content. */
  safe: string[]
  /** A digest of the imports of the source and of the declarations that were written for them. */
  declared?: string | undefined
  /** What was found in the source. */
  source: ReadSource
}

const text = v.string()
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Names of exports become code. */
const exportName = v.pipe(
  text,
  v.check((name) => name === 'default' || isExportName(name)),
)

const part = v.object({
  kit: text,
  version: count,
  exports: v.array(v.tuple([exportName, text])),
  assets: v.array(assetSchema),
})

const kit = v.object({
  uuid: text,
  name: text,
  version: count,
  assets: count,
  contains: v.array(text),
  warning: v.optional(v.object({ message: text, lines: v.array(text) })),
})

const remembered = v.object({
  lock: text,
  kits: v.array(kit),
  parts: v.record(text, part),
  safe: v.array(text),
  declared: v.optional(text),
  source: readSourceSchema,
})

/** Whether a value is a valid record, in which every part has its kit and its assets. */
export function isRemembered(value: unknown): value is Remembered {
  if (!v.is(remembered, value)) return false
  const kits = new Set(value.kits.map(versionKey))
  return Object.values(value.parts).every(({ kit: uuid, version, exports, assets }) => {
    const known = new Set(assets.map((asset) => asset.uuid))
    return kits.has(versionKey({ uuid, version })) && exports.every(([, asset]) => known.has(asset))
  })
}

export function versionKey({ uuid, version }: { uuid: string; version: number }): string {
  return `${uuid}@${version}`
}

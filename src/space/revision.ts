import { isObject } from '../text/json.js'
import { omitUndefined } from '../text/omit-undefined.js'
import type { AssetRecord } from './space.js'

/**
 * Returns the state of an asset's file in the service. `processing`: its file, cuts and fields may change without a new
 * version. `error`: the service couldn't read the file. Undefined: processing is done.
 */
export function processingOf({ meta }: Pick<AssetRecord, 'meta'>): 'processing' | 'error' | undefined {
  const state = isObject(meta) ? meta[processingKey] : undefined
  return state === 'processing' || state === 'error' ? state : undefined
}

/** The field of `meta` that contains this state. */
export const processingKey = 'asset_processing'

/** Identifies the state of a file: its `file_hash`, or otherwise a date. */
export interface FileRevision {
  hash?: string
  updated?: string
}

type Dated = Pick<AssetRecord, 'fileHash' | 'fileUpdated' | 'dateUpdated' | 'meta'>

/**
 * Returns the identity of an asset's file. While the service processes a file, the file doesn't have a hash, and its
 * date isn't final.
 */
export function identifyFile(asset: Dated): FileRevision {
  const { fileHash: hash, fileUpdated, dateUpdated } = asset
  const date = fileUpdated ?? dateUpdated
  if (processingOf(asset) === 'processing') return { updated: `${provisional}${hash ?? date ?? ''}` }
  return omitUndefined(hash === undefined ? { updated: date } : { hash })
}

const provisional = 'processing '

/** Checks whether the service was still processing a file when it listed the file. */
export function isProvisional({ updated }: FileRevision): boolean {
  return updated?.startsWith(provisional) === true
}

/** Returns the result of `identifyFile` as a single string. */
export function revisionOfFile(asset: Dated): string | undefined {
  const { hash, updated } = identifyFile(asset)
  return hash ?? updated
}

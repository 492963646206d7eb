import { readFile } from 'node:fs/promises'
import { ContentSpaceError } from '../../errors.js'
import { canonicalType } from '../asset-type.js'
import { makeCut } from './make-cut.js'
import type { FolderContent, StoredAsset } from './model.js'
import { checkInside } from './list.js'

export interface AssetBytes {
  type: string
  bytes: Uint8Array
}

/**
 * The bytes of an asset's original, or of a cut: one that lies beside the file, else made by sharp.
 * @param wanted in any case; the asset's own type, `null`, empty or absent is the original
 * @throws ContentSpaceError `fileCutUnavailable`; `objectNotFound` for an asset that is data alone; `conversionFailed`
 */
export async function readAssetBytes(content: FolderContent, asset: StoredAsset, wanted?: string): Promise<AssetBytes> {
  const { file } = asset
  if (!file) {
    throw new ContentSpaceError('objectNotFound', `${asset.name} is data and has no file.`, { asset: asset.uuid })
  }
  const type = resolveCutType(asset, wanted)
  if (type === file.type) return { type, bytes: await readInside(content, file.path) }
  const beside = asset.beside.get(type)
  if (beside !== undefined) return { type, bytes: await readInside(content, beside) }
  const picture = { type: file.type, bytes: await readInside(content, file.path), dimensions: file.dimensions }
  try {
    return { type, bytes: await makeCut(picture, type) }
  } catch (error) {
    throw error instanceof ContentSpaceError ? error.with({ asset: asset.name }) : error
  }
}

/** @throws ContentSpaceError `fileCutUnavailable` */
export function resolveCutType(asset: StoredAsset, wanted?: string): string {
  const own = asset.file?.type ?? ''
  if (wanted === undefined || wanted === '' || wanted.toLowerCase() === 'null') return own
  const type = canonicalType(wanted)
  const found = [own, ...asset.cuts].find((candidate) => candidate.toLowerCase() === type.toLowerCase())
  if (found !== undefined) return found
  const offered = asset.cuts.length === 0 ? 'It has none.' : `It has ${asset.cuts.join(', ')}.`
  throw new ContentSpaceError('fileCutUnavailable', `${asset.name} has no cut ${wanted}.`, {
    asset: asset.uuid,
    hint: offered,
  })
}

/** A link may have been laid since the folder was read. */
export async function readInside({ root }: FolderContent, path: string): Promise<Buffer> {
  return readFile(await checkInside(root, path))
}

import { statSync } from 'node:fs'
import { memoryLimit } from '../../disk/content.js'
import { readRegularFile } from '../../disk/read-file.js'
import { ContentSpaceError } from '../../errors.js'
import { canonicalType } from '../asset-type.js'
import { readCut, writeCut } from '../space.js'
import { cutsMadeHere, makeCut } from './make-cut.js'
import type { FolderContent, StoredAsset } from './model.js'
import { checkInside, type FolderEntry } from './list.js'

/** A file that is streamed, because it may not fit into memory. */
export type LargeFile = Pick<FolderEntry, 'path' | 'size'>

/**
 * Reads an asset's original, or a cut: the file next to the original if it exists, otherwise a cut that sharp makes.
 * @param requested a cut, whose type may be in upper or lower case. The asset's own type, `null` and an empty string
 *   select the original.
 * @returns the bytes, and the type of the file as `format`. For a font, this is the extension, because its type is a
 *   text style.
 * @throws ContentSpaceError `fileCutUnavailable`, `conversionFailed`, and `objectNotFound` for an asset without a file
 */
export async function readAssetBytes(
  content: FolderContent,
  asset: StoredAsset,
  requested?: string,
): Promise<{ format: string; bytes: Uint8Array | LargeFile }> {
  const { file } = asset
  if (!file) {
    throw new ContentSpaceError('objectNotFound', `Asset ${asset.name} is data and has no file.`, { asset: asset.uuid })
  }
  const { type: requestedType, ...size } = readCut(requested ?? '')
  const type = resolveCutType(asset, requestedType)
  const sized = writeCut({ type, ...size })
  const format = (type === file.type ? file.font?.['extension'] : undefined) ?? type
  if (type === file.type) {
    const path = await checkInside(content.root, file.path)
    const large = { path, size: statSync(path).size }
    return { format, bytes: large.size > memoryLimit ? large : await readRegularFile(path) }
  }
  const isMade = sized !== type && cutsMadeHere.get(file.type)?.includes(type)
  const beside = asset.beside.get(sized) ?? (isMade ? undefined : asset.beside.get(type))
  if (beside !== undefined) return { format, bytes: await readInside(content, beside) }
  const picture = { type: file.type, bytes: await readInside(content, file.path), dimensions: file.dimensions }
  try {
    return { format, bytes: await makeCut(picture, { type, ...size }) }
  } catch (error) {
    throw error instanceof ContentSpaceError ? error.with({ asset: asset.name }) : error
  }
}

export function resolveCutType(asset: StoredAsset, requested?: string): string {
  const own = asset.file?.type ?? ''
  if (requested === undefined || requested === '' || requested.toLowerCase() === 'null') return own
  const type = canonicalType(requested)
  const found = [own, ...asset.cuts].find((candidate) => candidate.toLowerCase() === type.toLowerCase())
  if (found !== undefined) return found
  const hint = asset.cuts.length === 0 ? 'It has no cuts.' : `Available cuts: ${asset.cuts.join(', ')}.`
  throw new ContentSpaceError('fileCutUnavailable', `Asset ${asset.name} has no cut ${requested}.`, {
    asset: asset.uuid,
    hint,
  })
}

/**
 * Reads a file of the space. Checks its path again, because a link may have replaced the file since the folder was
 * read.
 */
export async function readInside({ root }: FolderContent, path: string): Promise<Buffer> {
  return readRegularFile(await checkInside(root, path))
}

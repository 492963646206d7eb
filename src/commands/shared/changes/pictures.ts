import type { Engine } from '../../../engine/engine.js'
import { fileErrors, ignoreCodes } from '../../../errors.js'
import { openViewedFiles, type Files } from '../../../files/files.js'
import { planAsset } from '../../../files/plan.js'
import { parseQuery } from '../../../request/query.js'
import { isData } from '../../../space/asset-type.js'
import { originOf, spaceOf, type AssetRecord } from '../../../space/space.js'
import { isChanged, type Pair } from './compare.js'
import { embedded, type SmallPicture } from '../page/picture.js'
import type { KitDifferences, Pictures } from './report.js'

/** A small size, so that a page with hundreds of pictures stays small. The page never enlarges a photo. */
const preview = parseQuery('w=320&h=320&fit=inside&format=webp')
/** An SVG with flat colors stays small at three times the size, and is sharp on every screen. */
const drawing = parseQuery('w=1024&h=1024&fit=inside&format=webp')

/** Errors that concern a single picture. The result then leaves out this picture. */
export const withoutPicture = ignoreCodes('offline', 'integrity', 'unsafeSvg', ...fileErrors)

/**
 * Makes small pictures of both sides of each pair, by asset uuid. Earlier files come from the cache, because a service
 * provides only current files. A folder has the files of all versions.
 */
export async function makePictures(
  { pairs, before, after, uuid }: KitDifferences,
  { options, space }: Engine,
): Promise<Map<string, Pictures>> {
  // For every version, a service returns the file of the draft. For versions other than the draft, check the hash.
  const strict = after.version !== 0
  const current = openViewedFiles({ options: { ...options, strict }, space })
  const offline = options.offline || spaceOf(space, uuid).local !== true
  const locked = (asset: string, cut = 'original') => before.assets.get(asset)?.files?.[cut]
  const earlier = openViewedFiles({ options: { ...options, strict, offline }, space, locked })
  const picturesOf = async ({ before: was, after: is }: Pair): Promise<Pictures> => {
    const hasNewFile = was !== undefined && is !== undefined && isChanged(was, is)
    // The lockfile contains only the hash of a file. Take the rest of the record from the other side.
    const record = was && (was.record ?? (is?.record && { ...is.record, fileHash: was.hash }))
    const [one, other] = await Promise.all([
      record &&
        pictureOf({ ...record, from: originOf(space, uuid, record.from) }, hasNewFile ? earlier : current, strict),
      is?.record && pictureOf({ ...is.record, from: originOf(space, uuid, is.record.from) }, current, strict),
    ])
    return { before: one, after: other }
  }
  const unique = new Map(pairs.map((pair) => [pair.uuid, pair]))
  try {
    const pictures = [...unique.values()].map(async (pair) => [pair.uuid, await picturesOf(pair)] as const)
    return new Map(await Promise.all(pictures))
  } finally {
    current.close()
    earlier.close()
  }
}

async function pictureOf(asset: AssetRecord, files: Files, strict: boolean): Promise<SmallPicture | undefined> {
  if (isData(asset)) return undefined
  // Leave out the listed size, because a file of a different size would be downloaded several times. The hash is enough
  // to recognize a wrong file.
  const expected = strict && asset.fileHash !== undefined ? { ...asset, size: undefined } : asset
  try {
    const { src } = planAsset(expected, asset.type.toLowerCase() === 'svg' ? drawing : preview, 'sanitize')
    if (src === undefined) return undefined
    return await embedded(await files.bytes(src))
  } catch (error) {
    return withoutPicture(error)
  }
}

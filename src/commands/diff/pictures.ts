import { ignoreCodes } from '../../errors.js'
import { createFiles, type Files } from '../../files/files.js'
import { planAsset } from '../../files/plan.js'
import type { ResolvedOptions } from '../../config/options.js'
import { parseQuery } from '../../request/query.js'
import { isData } from '../../space/asset-type.js'
import type { AssetRecord, Space } from '../../space/space.js'
import { isChanged, type Pair } from './compare.js'
import type { ComparedKit, Pictures } from './report.js'

export interface PictureContext {
  options: ResolvedOptions
  space: Space
}

/** At most this large either way, so that a page of hundreds stays small. */
const preview = parseQuery('w=320&h=320&fit=inside&format=webp')

/** What keeps one picture from being made, and none of the others. */
const pictureless = ignoreCodes(
  'offline',
  'truncated',
  'assetNotFound',
  'objectNotFound',
  'fileCutUnavailable',
  'contentMismatch',
  'integrity',
  'conversionFailed',
  'unsafeSvg',
)

/** What makes pictures of one side or of both. */
interface Studio {
  today: Files
  past: Files
  /**
   * Whether what is shown is a version that the draft may have left behind: a service then gives the file of the draft,
   * which its hash tells.
   */
  strict: boolean
}

/**
 * Small pictures of both sides of each pair, by uuid of the asset.
 * A download has no version, so what a service had before is in the cache or gone; a folder has all of its versions.
 */
export async function drawKit(
  { pairs, before, after }: ComparedKit,
  { options, space }: PictureContext,
): Promise<Map<string, Pictures>> {
  const strict = after.version !== 0
  const common = { cacheDir: options.cacheDir, space, strict, frozen: false, warn: () => {}, onFile: () => {} }
  const today = createFiles({ ...common, offline: options.offline, locked: () => undefined })
  const past = createFiles({
    ...common,
    offline: options.offline || !('folder' in options.space),
    locked: (asset, cut = 'original') => before.assets.get(asset)?.files?.[cut],
  })
  const all = new Map(
    Object.values(pairs)
      .flat()
      .map((pair) => [pair.uuid, pair]),
  )
  try {
    const drawn = [...all.values()].map(
      async (pair) => [pair.uuid, await drawPair(pair, { today, past, strict })] as const,
    )
    return new Map(await Promise.all(drawn))
  } finally {
    today.close()
    past.close()
  }
}

async function drawPair({ before, after }: Pair, { today, past, strict }: Studio): Promise<Pictures> {
  const replaced = before !== undefined && after !== undefined && isChanged(before, after)
  // the lock knows a file by its hash alone: what else is to be known is as it is now
  const was = before && (before.record ?? (after?.record && { ...after.record, fileHash: before.hash }))
  const [one, other] = await Promise.all([
    was && draw(was, replaced ? past : today, strict),
    after?.record && draw(after.record, today, strict),
  ])
  return { before: one, after: other }
}

async function draw(asset: AssetRecord, files: Files, strict: boolean): Promise<string | undefined> {
  if (isData(asset)) return undefined
  // a file of another size would be tried for again and again; its hash tells as well
  const known = strict && asset.fileHash !== undefined ? { ...asset, size: undefined } : asset
  try {
    const { src } = planAsset(known, preview, 'sanitize')
    return src && (await files.value({ file: src, as: 'inline' }))
  } catch (error) {
    return pictureless(error)
  }
}

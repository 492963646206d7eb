import { join } from 'node:path'
import { eachLimit } from '../../../async/each-limit.js'
import { memoize } from '../../../async/memoize.js'
import type { Engine } from '../../../engine/engine.js'
import { groupBy } from '../../../text/group-by.js'
import { withShownFiles } from '../pictures.js'
import { withoutPicture } from '../changes/pictures.js'
import { embedded, type SmallPicture } from '../page/picture.js'
import { readContents } from './contents.js'
import { sourceOfAsset, type Used } from './known.js'
import { openPicture } from './look.js'
import { hasPictureBytes } from './match.js'
import type { Finding } from './report.js'

interface PicturesContext {
  /** The assets in use, by uuid. */
  used: ReadonlyMap<string, Used>
  /** The positions of pictures in their files. */
  places: ReadonlyMap<Finding, number>
  download: boolean
  signal: AbortSignal
}

/** The longer side in pixels. */
const size = 256

/** Adds small pictures to findings. Sends only requests that the comparison of an audit would also send. */
export async function withPictures(
  findings: readonly Finding[],
  engine: Engine,
  { used, places, download, signal }: PicturesContext,
): Promise<Finding[]> {
  const { root, concurrency, offline } = engine.options
  const isReachable = download && !offline
  const inFiles = groupBy(findings, ({ file }) => file)
  const shown = new Map<Finding, Finding['pictures']>()
  await withShownFiles(engine, async (files, pictures) => {
    const assets = memoize(async (uuid: string): Promise<SmallPicture | undefined> => {
      const one = used.get(uuid)
      const source = one && (await sourceOfAsset(one.record, engine, { files, pictures, size }))
      if (source === undefined || !(source.isHere || isReachable)) return undefined
      const bytes = await source.read(signal).catch(withoutPicture)
      return bytes && thumbnail(bytes)
    })
    await eachLimit([...inFiles], concurrency, signal, async ([file, own]) => {
      const contents = own.some((finding) => places.has(finding)) ? await readContents(join(root, file)) : undefined
      for (const finding of own) {
        const bytes = contents?.pictures[places.get(finding) ?? -1]?.bytes
        const [found, asset] = [bytes && (await thumbnail(bytes)), await assets.get(finding.asset.uuid)]
        shown.set(finding, { ...(found && { found }), ...(asset && { asset }) })
      }
    })
  })
  return findings.map((finding) => ({ ...finding, pictures: shown.get(finding) }))
}

/** Makes a thumbnail. Renders an SVG as pixels, so that nothing in it can run. */
async function thumbnail(bytes: Uint8Array): Promise<SmallPicture | undefined> {
  if (!hasPictureBytes(bytes)) return undefined
  const picture = await openPicture(bytes, size)
    .then((opened) => opened.autoOrient().webp().toBuffer())
    .catch(() => undefined)
  return picture && embedded(picture)
}

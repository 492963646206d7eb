import { createHash } from 'node:crypto'
import { eachLimit } from '../../async/each-limit.js'
import type { FolderWriter } from '../../disk/write-folder.js'
import { ContentSpaceError, type ErrorCode } from '../../errors.js'
import type { NamedKit } from '../../kit/named-kit.js'
import type { ProgressEvent } from '../../progress.js'
import { isFont } from '../../space/font-record.js'
import { isData, mediaType } from '../../space/asset-type.js'
import type { AssetRecord } from '../../space/space.js'
import { compareStrings } from '../../text/compare.js'
import type { AssetAddresses } from '../shared/asset-data.js'
import { hasPreview } from '../shared/choose-preview.js'
import type { Picture, Pictures } from '../shared/pictures.js'
import type { AssetPlace } from './routes.js'

export interface MissingPicture extends AssetPlace {
  name: string
  reason: string
}

export interface SitePicturesContext {
  pictures: Pictures
  folder: FolderWriter
  /** The sizes of written files in bytes, by path. Versions of a kit share files. */
  written: Map<string, number>
  signal: AbortSignal
  onProgress: (event: ProgressEvent) => void
}

const concurrency = 16

/** Errors that concern the run or this machine rather than the pictures. */
const fatal: readonly ErrorCode[] = ['aborted', 'fileSystem']

/** Errors that the next picture will probably have, too. Each may take a long time, so stop after many in a row. */
const lasting: readonly ErrorCode[] = ['unreachable', 'rateLimited']
const maxLasting = 32

/** Extensions, by which a static host determines the type of a file. */
const extensions = ['png', 'jpg', 'gif', 'webp', 'avif', 'svg', 'woff2', 'woff', 'otf', 'ttf']

/**
 * Writes previews in two sizes, and fonts. Names files by their content, so that identical files are shared. If a
 * picture can't be fetched, the site displays a plain tile.
 * @throws ContentSpaceError `aborted`, `fileSystem`
 */
export async function writePictures(
  { kit }: NamedKit,
  { pictures, folder, written, signal, onProgress }: SitePicturesContext,
): Promise<{ addresses: AssetAddresses; missing: MissingPicture[] }> {
  const small = new Map<string, string>()
  const large = new Map<string, string>()
  const missing: MissingPicture[] = []
  const assets = Object.values(kit.assets).filter((asset) => hasPreview(asset) || isFontFile(asset))
  const { name: label, version } = kit
  let done = 0
  let bytes = 0
  let failed: { inRow: number; last?: ContentSpaceError } = { inRow: 0 }
  onProgress({ type: 'plan', kit: label, version, files: assets.length, bytes: 0, downloads: 0, reused: 0 })

  async function add(asset: AssetRecord, paths: Map<string, string>, read: () => Promise<Picture>): Promise<void> {
    if (failed.last && failed.inRow >= maxLasting) throw failed.last
    const picture = await read()
    failed = { inRow: 0 }
    const path = pathOfPicture(picture)
    paths.set(asset.uuid, path)
    bytes += picture.bytes.byteLength
    if (written.has(path)) return
    written.set(path, picture.bytes.byteLength)
    await folder.put(path, picture.bytes)
  }

  await eachLimit(assets, concurrency, signal, async (asset, ended) => {
    try {
      if (isFontFile(asset)) await add(asset, large, () => pictures.original(asset, ended))
      if (hasPreview(asset)) {
        await add(asset, small, () => pictures.preview(asset, ended))
        if (!isFontFile(asset)) await add(asset, large, () => pictures.preview(asset, ended, 'large'))
      }
    } catch (error) {
      if (!(error instanceof ContentSpaceError) || fatal.includes(error.code)) throw error
      if (lasting.includes(error.code)) failed = { inRow: failed.inRow + 1, last: error }
      missing.push({ kit: kit.uuid, version, asset: asset.uuid, name: asset.name, reason: error.summary })
    }
    done++
    onProgress({ type: 'file', kit: label, name: asset.name, done, total: assets.length, bytes, totalBytes: bytes })
  })
  return {
    addresses: {
      preview: ({ uuid }) => small.get(uuid),
      original: ({ uuid }) => large.get(uuid),
    },
    missing: missing.toSorted((a, b) => compareStrings(a.name, b.name) || compareStrings(a.asset, b.asset)),
  }
}

function isFontFile(asset: AssetRecord): boolean {
  return isFont(asset) && !isData(asset)
}

function pathOfPicture({ bytes, mediaType: type }: Picture): string {
  const extension = type === 'image/apng' ? 'png' : extensions.find((one) => mediaType(one) === type)
  if (extension === undefined) throw new ContentSpaceError('contentMismatch', `${type} isn't a type of pictures.`)
  return `files/${createHash('sha256').update(bytes).digest('hex').slice(0, 24)}.${extension}`
}

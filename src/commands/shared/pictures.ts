import PQueue from 'p-queue'
import { previewKey } from '../../disk/cache-layout.js'
import { contentOf, readContent, type Content } from '../../disk/content.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError } from '../../errors.js'
import { openViewedFiles, type Files } from '../../files/files.js'
import type { FileDescriptor } from '../../files/plan.js'
import { mediaType } from '../../space/asset-type.js'
import { readUpTo } from '../../space/http/body.js'
import { spaceOf, type AssetRecord } from '../../space/space.js'
import { sizeText } from '../../text/quantities.js'
import { choosePreview, largeThumbnail, originalFile, type PreviewSize } from './choose-preview.js'

export interface Picture {
  bytes: Uint8Array
  mediaType: string
}

/** A picture that the service has for an asset or a kit. */
export interface Thumbnail {
  /** Identifies the asset or the kit. */
  uuid: string
  name: string
  url: string
  /** Changes when the picture changes. */
  revision: string | undefined
  /** The uuid of the kit whose space has the picture. */
  kit?: string | undefined
}

export type Pictures = ReturnType<typeof openPictures>

/** Opens the files and pictures of all versions, and closes them after the work. */
export async function withShownFiles<T>(
  engine: Engine,
  work: (files: Files, pictures: Pictures) => Promise<T>,
): Promise<T> {
  const files = openViewedFiles(engine)
  return work(files, openPictures({ ...engine, files })).finally(() => files.close())
}

/**
 * The number of files to load or make at once. It is low, so that visible files arrive first, and files that were
 * scrolled past can be cancelled.
 */
const concurrency = 8

/** The number of files to make for queries at once. */
const queries = 2

/** The maximum sizes in bytes. A thumbnail takes a few thousand; other files are kept in memory while they are sent. */
const limits = { thumbnail: 4 * 1024 * 1024, file: 128 * 1024 * 1024 }

/** The media types of allowed thumbnails. We detect a thumbnail's type from its signature. */
const pictureTypes = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

export function openPictures({ space, store, files }: Pick<Engine, 'space' | 'store'> & { files: Pick<Files, 'use'> }) {
  const queue = new PQueue({ concurrency })
  const queryQueue = new PQueue({ concurrency: queries })
  const inTurn = <T>(signal: AbortSignal, work: () => Promise<T>, turns = queue): Promise<T> =>
    turns.add(work, { signal })

  async function fileOf(file: FileDescriptor, signal: AbortSignal): Promise<Picture> {
    // Don't download files that can't be displayed.
    if (file.recipe === undefined && file.cut === undefined) checkSize(file.size ?? 0, file.label)
    const bytes = await files.use(file, (content) => readSmall(content, file.label), { signal })
    return { bytes, mediaType: mediaType(file.ext) }
  }

  async function fetchThumbnail(picture: Thumbnail, signal: AbortSignal): Promise<Picture> {
    const { uuid, name, url, revision, kit } = picture
    const own = spaceOf(space, kit)
    const key = previewKey({ space: own.key, asset: uuid, revision, url })
    const fetch = async (): Promise<Content> => {
      if (!own.preview) throw noPreview(name)
      const receive = async (body: AsyncIterable<Uint8Array>) =>
        contentOf(await checkedThumbnail(await readBody(body), name))
      return own.preview(url, receive, { signal })
    }
    const bytes = await store.use({ key, signal }, fetch, readContent)
    return { bytes, mediaType: (await pictureTypeOf(bytes)) ?? mediaType('svg') }
  }

  const thumbnail = ({ uuid, name, fileHash, fileUpdated, from }: AssetRecord, url: string, signal: AbortSignal) =>
    fetchThumbnail({ uuid, name, url, revision: fileHash ?? fileUpdated, kit: from?.kit }, signal)

  async function preview(asset: AssetRecord, signal: AbortSignal, size: PreviewSize): Promise<Picture> {
    const source = choosePreview(asset, size)
    if (source === undefined) throw noPreview(asset.name)
    return 'file' in source ? fileOf(source.file, signal) : thumbnail(asset, source.thumbnail, signal)
  }

  async function original(asset: AssetRecord, signal: AbortSignal): Promise<Picture> {
    // Prefer a thumbnail, so that opening one asset after another doesn't use up the download limit.
    const large = largeThumbnail(asset)
    if (large !== undefined) return thumbnail(asset, large, signal)
    const file = originalFile(asset)
    if (file === undefined) throw noPreview(asset.name)
    return fileOf(file, signal)
  }

  return {
    /**
     * Returns the preview of an asset.
     * @throws ContentSpaceError `assetNotFound` if the asset doesn't have one; any error of the space or a conversion
     */
    preview: (asset: AssetRecord, signal: AbortSignal, size: PreviewSize = 'small') =>
      inTurn(signal, () => preview(asset, signal, size)),
    /** Returns the cover of a kit. Throws any error of the space. */
    cover: (picture: Thumbnail, signal: AbortSignal) => inTurn(signal, () => fetchThumbnail(picture, signal)),
    /** Returns the large thumbnail, or otherwise the original; for a font, its file. Throws any error of the space. */
    original: (asset: AssetRecord, signal: AbortSignal) => inTurn(signal, () => original(asset, signal)),
    /** Returns a planned file. Previews don't wait for it. Throws any error of a download or a conversion. */
    file: (file: FileDescriptor, signal: AbortSignal) => inTurn(signal, () => fileOf(file, signal), queryQueue),
  }
}

async function readSmall(content: Content, label: string): Promise<Uint8Array> {
  checkSize(content.size, label)
  return readContent(content)
}

function checkSize(size: number, label: string): void {
  if (size <= limits.file) return
  throw new ContentSpaceError('contentMismatch', `${label} is too large to display (${sizeText(size)}).`)
}

async function readBody(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  if (await readUpTo(body[Symbol.asyncIterator](), chunks, limits.thumbnail)) return Buffer.concat(chunks)
  throw new ContentSpaceError('contentMismatch', `A preview has more than ${sizeText(limits.thumbnail)}.`)
}

/**
 * Returns a raster picture unchanged, and sanitizes an SVG. Throws an error for anything else that the service sends.
 */
async function checkedThumbnail(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  if ((await pictureTypeOf(bytes)) !== undefined) return bytes
  const { findTypeMismatch } = await import('../../files/file-signature.js')
  const { cleanFile } = await import('../../files/svg/clean.js')
  const isDrawing = bytes.length > 0 && (await findTypeMismatch(contentOf(bytes), 'SVG')) === undefined
  if (isDrawing && bytes.length <= maxDrawing) return cleanFile(bytes)
  throw new ContentSpaceError('contentMismatch', `The preview of ${name} is not a picture.`)
}

/** The maximum size in bytes of an SVG that is sanitized in this process. */
const maxDrawing = 64 * 1024

async function pictureTypeOf(bytes: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  const mime = (await fileTypeFromBuffer(bytes))?.mime
  return mime !== undefined && pictureTypes.has(mime) ? mime : undefined
}

function noPreview(name: string): ContentSpaceError {
  return new ContentSpaceError('assetNotFound', `${name} has no picture.`)
}

import PQueue from 'p-queue'
import { previewKey } from '../../disk/cache-layout.js'
import { readContent, type Content } from '../../disk/content.js'
import { ContentSpaceError } from '../../errors.js'
import type { Files } from '../../files/files.js'
import type { FileDescriptor } from '../../files/plan.js'
import { contentOf, type Store } from '../../files/store.js'
import { mediaType } from '../../space/asset-type.js'
import type { AssetRecord, Space } from '../../space/space.js'
import { sizeText } from '../../text/quantities.js'
import { choosePreview, originalFile, type PreviewSize } from './choose-preview.js'

/** Bytes for the page, with their media type. */
export interface Picture {
  bytes: Uint8Array
  mediaType: string
}

/** A picture of the service for an asset, or for a kit. */
export interface Thumbnail {
  /** Of the asset or the kit. */
  uuid: string
  name: string
  url: string
  /** Changes when the picture changes. */
  revision: string | undefined
}

/** Previews, originals and files of queries. */
export interface Pictures {
  /**
   * Returns the preview of an asset.
   * @throws ContentSpaceError `assetNotFound` if the asset has none; what the space and conversions throw
   */
  preview(this: void, asset: AssetRecord, signal: AbortSignal, size?: PreviewSize): Promise<Picture>
  /** Returns the cover of a kit. Throws what the space throws. */
  cover(this: void, thumbnail: Thumbnail, signal: AbortSignal): Promise<Picture>
  /** Returns the original. Throws what downloads throw. */
  original(this: void, asset: AssetRecord, signal: AbortSignal): Promise<Picture>
  /** Returns a file of a plan. Throws what downloads and conversions throw. */
  file(this: void, file: FileDescriptor, signal: AbortSignal): Promise<Picture>
}

export interface PicturesContext {
  space: Space
  store: Store
  files: Pick<Files, 'use'>
}

/** Files that are loaded or made at once: what is visible arrives, and what was scrolled past is cancelled. */
const concurrency = 8

/** Bytes. A thumbnail has a few thousand; other files are held in memory to send them. */
const limits = { thumbnail: 4 * 1024 * 1024, file: 128 * 1024 * 1024 }

/** Media types that a thumbnail may have by its signature. */
const pictureTypes = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

export function openPictures({ space, store, files }: PicturesContext): Pictures {
  const queue = new PQueue({ concurrency })
  const inTurn = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => queue.add(work, { signal })

  async function fileOf(file: FileDescriptor, signal: AbortSignal): Promise<Picture> {
    const bytes = await files.use(file, (content) => readSmall(content, file.label), { signal })
    return { bytes, mediaType: mediaType(file.ext) }
  }

  async function fetchThumbnail({ uuid, name, url, revision }: Thumbnail, signal: AbortSignal): Promise<Picture> {
    const key = previewKey({ space: space.key, asset: uuid, revision: revision ?? 'unhashed', url })
    const fetch = async (): Promise<Content> => {
      if (!space.preview) throw noPreview(name)
      const receive = async (body: AsyncIterable<Uint8Array>) =>
        contentOf(await checkedThumbnail(await read(body), name))
      return space.preview(url, receive, { signal })
    }
    const bytes = await store.use({ key, signal }, fetch, readContent)
    return { bytes, mediaType: (await pictureTypeOf(bytes)) ?? mediaType('svg') }
  }

  async function preview(asset: AssetRecord, signal: AbortSignal, size: PreviewSize): Promise<Picture> {
    const source = choosePreview(asset, size)
    if (source === undefined) throw noPreview(asset.name)
    if ('file' in source) return fileOf(source.file, signal)
    const { uuid, name, fileHash, fileUpdated } = asset
    return fetchThumbnail({ uuid, name, url: source.thumbnail, revision: fileHash ?? fileUpdated }, signal)
  }

  return {
    preview: (asset, signal, size = 'small') =>
      inTurn(signal, () => repeatForOthers(signal, () => preview(asset, signal, size))),
    cover: (thumbnail, signal) =>
      inTurn(signal, () => repeatForOthers(signal, () => fetchThumbnail(thumbnail, signal))),
    async original(asset, signal) {
      const file = originalFile(asset)
      if (file === undefined) throw noPreview(asset.name)
      return inTurn(signal, () => repeatForOthers(signal, () => fileOf(file, signal)))
    },
    file: (file, signal) => inTurn(signal, () => repeatForOthers(signal, () => fileOf(file, signal))),
  }
}

/** Concurrent requests share their work. If the one that started it is cancelled, the others start again. */
async function repeatForOthers<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    const isCancelled =
      error instanceof Error && (error.name === 'AbortError' || Reflect.get(error, 'code') === 'aborted')
    if (!isCancelled) throw error
    return work()
  }
}

async function readSmall(content: Content, label: string): Promise<Uint8Array> {
  if (content.size <= limits.file) return readContent(content)
  throw new ContentSpaceError('contentMismatch', `${label} is too large to show (${sizeText(content.size)}).`)
}

async function read(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limits.thumbnail) {
      const message = `A preview has more than ${sizeText(limits.thumbnail)}.`
      throw new ContentSpaceError('contentMismatch', message)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns a picture unchanged, and a drawing sanitized. Anything else of the service is not passed on. */
async function checkedThumbnail(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  if ((await pictureTypeOf(bytes)) !== undefined) return bytes
  const [{ findTypeMismatch }, { makeSvg }] = await Promise.all([
    import('../../files/file-signature.js'),
    import('../../files/svg/svg.js'),
  ])
  const isDrawing = bytes.length > 0 && (await findTypeMismatch(contentOf(bytes), 'SVG')) === undefined
  if (isDrawing && bytes.length <= maxDrawing) return makeSvg(bytes, { kind: 'svg', policy: 'sanitize' })
  throw new ContentSpaceError('contentMismatch', `The preview of ${name} is not a picture.`)
}

/** Bytes of a drawing that is sanitized in this process. */
const maxDrawing = 64 * 1024

async function pictureTypeOf(bytes: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  const mime = (await fileTypeFromBuffer(bytes))?.mime
  return mime !== undefined && pictureTypes.has(mime) ? mime : undefined
}

function noPreview(name: string): ContentSpaceError {
  return new ContentSpaceError('assetNotFound', `${name} has no picture.`)
}

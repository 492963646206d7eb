import { createHmac } from 'node:crypto'
import { posix } from 'node:path'
import { memoizeWeak } from '../../async/memoize.js'
import { ContentSpaceError } from '../../errors.js'
import { decodeOrKeep } from '../../space/http/credentials.js'
import { cutsMadeHere, makeThumbnail, type SourcePicture } from '../../space/folder/make-cut.js'
import { assetsIn, type FolderContent, type StoredAsset, type StoredFile } from '../../space/folder/model.js'
import { readAssetBytes, readInside } from '../../space/folder/bytes.js'
import type { FolderReader } from '../../space/folder/cached-read.js'
import { findKit, shortIdOf, type ServedFields } from '../../space/folder/to-wire.js'
import { equalInConstantTime } from './auth.js'
import { file, type Response } from './response.js'

/** The sizes in pixels of the REST interface's thumbnails. */
const thumbnailSizes = [292, 480, 1232]

/**
 * Creates the signed URLs of a space, which don't require credentials, because each contains a signature of its path.
 * @param origin of the URLs
 * @param token of the space. The key is derived from it, so signatures stay valid if the server restarts.
 */
export function createPublicFiles(origin: string, token: string) {
  const key = createHmac('sha256', token).update('content-space signed addresses').digest()
  const sign = (path: string) => createHmac('sha256', key).update(path).digest('base64url')
  const signed = (...parts: string[]) => {
    const path = `/${parts.map(encodeURIComponent).join('/')}`
    return `${origin}${path}?signature=${sign(path)}`
  }
  const ofFile = (kind: string, { uuid, file: stored }: StoredAsset, ...detail: string[]) =>
    signed(kind, uuid, stored?.hash ?? '', ...detail)
  const bySize = (kind: string, asset: StoredAsset) =>
    Object.fromEntries(thumbnailSizes.map((size) => [size, ofFile(kind, asset, String(size))]))
  const fileUrl = (asset: StoredAsset, cut: string) => ofFile('files', asset, cut, posix.basename(asset.path))

  const served: ServedFields = {
    ids: (of) => ({ short_id: shortIdOf(of) }),
    kit: ({ uuid, cover }) => ({ images: { cover: typeof cover === 'string' ? cover : signed('covers', uuid) } }),
    // Memoize, because seven signatures for each asset of a page take longer than the rest of the response.
    asset: memoizeWeak((asset) =>
      asset.file
        ? {
            permalink: fileUrl(asset, asset.file.type),
            thumbnails: bySize('thumbnails', asset),
            thumbnail_placeholders: bySize('placeholders', asset),
          }
        : {},
    ),
  }
  return {
    fileUrl,
    served,
    /**
     * Responds to a request for a signed URL.
     * @returns undefined for any other path
     * @throws ContentSpaceError `permissionDenied` for an invalid signature
     */
    respond(url: URL, reader: FolderReader): Promise<Response> | undefined {
      const [, kind = '', uuid = '', hash = '', detail = ''] = url.pathname.split('/').map(decodeOrKeep)
      const serve = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
      if (!serve) return undefined
      if (!equalInConstantTime(url.searchParams.get('signature') ?? '', sign(url.pathname))) {
        throw new ContentSpaceError('permissionDenied', 'The signature of this URL is invalid.')
      }
      return serve(reader, uuid, hash, detail)
    },
  }
}

type Serve = (reader: FolderReader, uuid: string, hash: string, detail: string) => Promise<Response>

const kinds: Readonly<Record<string, Serve>> = {
  async files(reader, uuid, hash, cut) {
    const { content, asset } = await reader.asset(uuid, hash)
    const found = await readAssetBytes(content, asset, cut)
    return file(found.format, found.bytes)
  },
  async thumbnails(reader, uuid, hash, size) {
    const { content, asset } = await reader.asset(uuid, hash)
    return preview(content, asset, Number(size))
  },
  async placeholders(reader, uuid, hash) {
    const { asset } = await reader.asset(uuid, hash)
    return placeholder(asset.file)
  },
  async covers(reader, uuid) {
    const content = await reader.now()
    const kit = findKit(content, uuid)
    if (typeof kit.cover === 'object') return file(kit.cover.type, await readInside(content, kit.cover.path))
    const assets = kit.versions.flatMap(({ sections }) => sections.flatMap(({ items }) => assetsIn(items)))
    const shown = assets.find((asset) => asset.file?.dimensions !== undefined)
    return shown ? preview(content, shown, 1232) : placeholder(undefined)
  },
}

/**
 * Responds with a thumbnail of the original, otherwise with a PNG next to the original, otherwise with a placeholder.
 */
async function preview(content: FolderContent, asset: StoredAsset, size: number): Promise<Response> {
  const picture = await pictureOf(content, asset)
  return picture ? file('PNG', await makeThumbnail(picture, size)) : placeholder(asset.file)
}

async function pictureOf(
  content: FolderContent,
  { file: original, beside }: StoredAsset,
): Promise<SourcePicture | undefined> {
  if (original?.dimensions !== undefined && cutsMadeHere.has(original.type)) {
    return { ...original, bytes: await readInside(content, original.path) }
  }
  const cut = beside.get('PNG')
  return cut === undefined ? undefined : { type: 'PNG', bytes: await readInside(content, cut) }
}

/** Responds with a plain area in the asset's proportions, which a page displays while the thumbnail loads. */
function placeholder(original: StoredFile | undefined): Response {
  const [width = 4, height = 3] = (original?.dimensions ?? '4x3').split('x').map(Number)
  const area = '<rect width="100%" height="100%" fill="#e5e7eb"/>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${area}</svg>`
  return file('SVG', Buffer.from(svg))
}

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import {
  startServer,
  type RunningServer,
  type ServedRequest,
  type ServerOptions,
} from '../../src/commands/serve/server.js'

/** Files by path. Objects are written as JSON. */
export type Files = Record<string, string | Uint8Array | object>

export interface SpaceFolder {
  folder: string
  /** Adds and overwrites files. */
  write(files: Files): Promise<void>
  delete(...paths: string[]): Promise<void>
  remove(): Promise<void>
}

/** Writes a space to a new temporary folder. */
export async function writeSpace(files: Files): Promise<SpaceFolder> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'content-space-folder-')))
  const write = async (more: Files) => {
    for (const [path, content] of Object.entries(more)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), toBytes(content))
    }
  }
  await write(files)
  const remove = async (...paths: string[]) => void (await Promise.all(paths.map((path) => rm(join(folder, path)))))
  return { folder, write, delete: remove, remove: () => rm(folder, { recursive: true, force: true }) }
}

export interface ServedSpace extends RunningServer {
  /** All requests so far, in order. */
  requests: ServedRequest[]
  /** Returns all requests for files, including failed ones. */
  downloads(): ServedRequest[]
  /** The plugin's options for this service. */
  options: { space: string; spaceId: number; token: string }
  /** The same options as environment variables. */
  env: { CONTENT_SPACE_URL: string; CONTENT_SPACE_ID: string; CONTENT_SPACE_TOKEN: string }
}

/** Serves a folder on a free loopback port and records the requests. */
export async function serveSpace(folder: string, options: Omit<ServerOptions, 'folder'> = {}): Promise<ServedSpace> {
  const requests: ServedRequest[] = []
  const server = await startServer({
    folder,
    ...options,
    onRequest(request) {
      requests.push(request)
      return options.onRequest?.(request)
    },
  })
  return {
    ...server,
    requests,
    downloads: () => requests.filter(({ route }) => route === 'download'),
    options: { space: server.url, spaceId: server.spaceId, token: server.token },
    env: {
      CONTENT_SPACE_URL: server.url,
      CONTENT_SPACE_ID: String(server.spaceId),
      CONTENT_SPACE_TOKEN: server.token,
    },
  }
}

export const brand = {
  uuid: '3BD9A8C0-1111-4222-8333-444455556666',
  logo: '237C41F2-AAAA-4BBB-8CCC-000000000001',
  documents: '237C41F2-AAAA-4BBB-8CCC-0000000000D0',
}

/** Returns an SVG that is unique within its space if the text is. */
export function svg(text: string, width = 24, height = 24): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${text}</title><path d="M0 0h${width}v${height}z"/></svg>\n`
}

/** Returns a drawing with one path. Commands that search for copies distinguish such drawings by their pixels. */
const pathDrawing = (path: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><path fill="#e5603f" d="${path}"/></svg>\n`
export const drawings = {
  logo: pathDrawing('M2 2h20v6H8v6h10v8H2z'),
  star: pathDrawing('M12 2l3 7h7l-6 5 3 8-7-5-7 5 3-8-6-5h7z'),
}

/**
 * Writes a small space that covers the features: two versions, headings as items and as folders, generated and supplied
 * cuts, several types, data without a file, an asset in two items, unusual names, and a second kit that consists of
 * plain folders.
 */
export async function richSpace(): Promise<SpaceFolder> {
  const photo = sharp({ create: { width: 64, height: 48, channels: 3, background: '#336699' } })
  const [jpg, png, gif, tiff] = await Promise.all([
    photo.clone().jpeg().toBuffer(),
    photo.clone().png().toBuffer(),
    photo.clone().gif().toBuffer(),
    photo.clone().tiff().toBuffer(),
  ])
  return writeSpace({
    'space.json': { space_id: 7, name: 'Test' },
    'brand/kit.json': {
      uuid: brand.uuid,
      name: 'Acme Brand',
      use_version: 1,
      cover: '02 Photos/hero-photo.jpg',
      versions: [{ version: 1, version_identifier: '1.0', notes: 'First', folder: 'versions/1' }],
    },
    'brand/01 Logos/section.json': {
      items: [{ heading: 'Primary' }, 'acme-logo.svg', { heading: 'Documents', uuid: brand.documents }],
    },
    'brand/01 Logos/acme-logo.svg': svg('draft', 120, 40),
    'brand/01 Logos/acme-logo.json': {
      uuid: brand.logo,
      notes: 'The logo',
      keywords: ['logo', 'main'],
      colors: [{ hex: '#336699' }],
      legacy_id: 12,
    },
    'brand/01 Logos/acme-logo@cut.eps': '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 120 40\n%%EOF\n',
    'brand/01 Logos/Documents/guide.pdf': '%PDF-1.4\n%%EOF\n',
    'brand/02 Photos/hero-photo.jpg': jpg,
    'brand/02 Photos/badge.png': png,
    'brand/02 Photos/spinner.gif': gif,
    'brand/02 Photos/scan.tiff': tiff,
    'brand/03 More/section.json': { items: ['../01 Logos/acme-logo.svg', 'brand-red.json'] },
    'brand/03 More/brand-red.json': { type: 'Color', meta: { value: '#FF0000' } },
    'brand/03 More/100% größe #1 🎉.svg': svg('odd'),
    'brand/versions/1/01 Logos/acme-logo.svg': svg('one', 120, 40),
    'brand/versions/1/01 Logos/acme-logo.json': { uuid: brand.logo, notes: 'The logo, first edition' },
    'icons/Arrows/arrow-left.svg': svg('left'),
    'icons/Arrows/arrow-right.svg': svg('right'),
  })
}

/** Returns a kit `large` with many different small SVGs, named from `asset-00000`, in sections with headings. */
export function largeSpace(count = 1000, sections = 4): Promise<SpaceFolder> {
  const perSection = Math.ceil(count / sections)
  const files = Array.from({ length: count }, (_, index): [string, string] => {
    const section = Math.floor(index / perSection) + 1
    const heading = index % perSection < perSection / 2 ? 'First half' : 'Second half'
    const name = `asset-${String(index).padStart(5, '0')}`
    return [`large/0${section} Section ${section}/${heading}/${name}.svg`, svg(name)]
  })
  return writeSpace(Object.fromEntries(files))
}

function toBytes(content: Files[string]): string | Uint8Array {
  return typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content, null, 2)
}

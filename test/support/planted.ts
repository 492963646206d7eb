import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastGlob from 'fast-glob'
import sharp, { type Sharp } from 'sharp'
import { optimize } from 'svgo'

/** The space of the playground. */
export const playgroundSpace = fileURLToPath(new URL('../../playground/space', import.meta.url))

const kit = join(playgroundSpace, 'solvane/versions/1')

/** A file that contains an asset's picture. */
export interface Planted {
  /** The path relative to the project. */
  path: string
  content: string | Uint8Array
  /** The base name of the asset's file, without extension. */
  asset: string
  /** How the file was made from the asset. */
  way: string
}

/** The name of a photo according to its description. Its file is named `northern-night`. */
const described = 'night-camp'

type Original = { asset: string; path: string; bytes: Buffer; isDrawing: boolean }

/** Returns the pictures of the version in use. */
export async function originals(): Promise<Original[]> {
  const files = (await fastGlob('**/*.{svg,png,jpg}', { cwd: kit, ignore: ['**/*@*'] })).toSorted()
  return Promise.all(
    files.map(async (path) => ({
      asset: assetOf(path),
      path: join(kit, path),
      bytes: await readFile(join(kit, path)),
      isDrawing: path.endsWith('.svg'),
    })),
  )
}

function assetOf(path: string): string {
  return path
    .replace(/^.*\//, '')
    .replace(/\.\w+$/, '')
    .replace('northern-night', described)
}

/** The ways in which people change pictures, by name. */
export const pictureWays: Readonly<Record<string, { size: number; ext: string; make: (picture: Sharp) => Sharp }>> = {
  png: { size: 256, ext: 'png', make: (picture) => picture.png() },
  png128: { size: 128, ext: 'png', make: (picture) => picture.png() },
  palette: { size: 200, ext: 'png', make: (picture) => picture.png({ palette: true, colours: 32 }) },
  webp: { size: 256, ext: 'webp', make: (picture) => picture.webp({ quality: 60 }) },
  webp128: { size: 128, ext: 'webp', make: (picture) => picture.webp({ quality: 75 }) },
  avif: { size: 256, ext: 'avif', make: (picture) => picture.avif({ quality: 50, effort: 2 }) },
  jpegOnWhite: {
    size: 256,
    ext: 'jpg',
    make: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 80 }),
  },
  onGray: { size: 256, ext: 'png', make: (picture) => picture.flatten({ background: '#8899aa' }).png() },
  padded: { size: 256, ext: 'png', make: (picture) => bordered(picture, '#0000').png() },
  paddedJpeg: {
    size: 256,
    ext: 'jpg',
    make: (picture) => bordered(picture.flatten({ background: '#fff' }), '#fff').jpeg(),
  },
  favicon: { size: 32, ext: 'png', make: (picture) => picture.png() },
}

function bordered(picture: Sharp, background: string): Sharp {
  return picture.extend({ top: 26, bottom: 26, left: 26, right: 26, background })
}

export async function plantPicture({ asset, bytes, isDrawing }: Original, name: string): Promise<Planted> {
  const way = pictureWays[name]
  if (way === undefined) throw new Error(name)
  const large = sharp(bytes, isDrawing ? { density: 400 } : {}).resize(way.size, way.size, { fit: 'inside' })
  // Run this in two steps, because sharp applies operations in an order of its own.
  const content = await way.make(sharp(await large.png().toBuffer())).toBuffer()
  return { path: `public/${name}/${asset}.${way.ext}`, content, asset, way: name }
}

/** The ways in which people rewrite drawings, by name. */
export const drawingWays: Readonly<Record<string, (svg: string) => { ext: string; text: string }>> = {
  optimized: (svg) => ({ ext: 'svg', text: optimize(svg, { multipass: true }).data }),
  rounded: (svg) => ({ ext: 'svg', text: optimize(svg, { floatPrecision: 2 }).data }),
  reformatted: (svg) => ({
    ext: 'svg',
    text: `<?xml version="1.0"?>\n<!-- Exported -->\n${optimize(svg, { plugins: [], js2svg: { pretty: true } }).data}`,
  }),
  renamed: (svg) => ({
    ext: 'svg',
    text: optimize(svg, { plugins: [{ name: 'prefixIds', params: { prefix: 'export' } }] }).data,
  }),
  html: (svg) => ({
    ext: 'html',
    text: `<!doctype html>\n<p>\n${optimize(svg).data.replace(/ xmlns="[^"]+"/, '')}\n</p>`,
  }),
  jsx: (svg) => ({ ext: 'jsx', text: `export const Icon = (props) => (\n  ${jsxOf(optimize(svg).data)}\n)\n` }),
  dataUri: (svg) => ({ ext: 'css', text: `.a { background: url("${optimize(svg, { datauri: 'enc' }).data}") }\n` }),
  base64: (svg) => ({ ext: 'js', text: `export default '${optimize(svg, { datauri: 'base64' }).data}'\n` }),
}

/** Renames attributes as in React. */
function jsxOf(svg: string): string {
  return svg
    .replace('<svg', '<svg className={names(props)} {...props}')
    .replaceAll(/ ([a-z]+)-([a-z]+)(?:-([a-z]+))?=/g, (_, ...[first, ...rest]: string[]) => {
      const others = rest.filter((word) => typeof word === 'string' && /^[a-z]+$/.test(word))
      return ` ${first}${others.map((word) => (word[0] ?? '').toUpperCase() + word.slice(1)).join('')}=`
    })
    .replaceAll(/ (strokeWidth|width|height)="([\d.]+)"/g, ' $1={$2}')
}

export function plantDrawing({ asset, bytes }: Original, name: string): Planted {
  const { ext, text } = drawingWays[name]?.(bytes.toString()) ?? { ext: 'svg', text: '' }
  return { path: `src/${name}/${asset}.${ext}`, content: text, asset, way: name }
}

interface IconSet {
  width?: number
  height?: number
  icons: Record<string, { body: string; width?: number; height?: number }>
}

/**
 * Returns icons of an Iconify set as files that don't contain any asset.
 * @param path by default, Simple Icons
 */
export async function foreignIcons(limit: number, path?: string): Promise<{ path: string; content: string }[]> {
  const file = path ?? createRequire(import.meta.url).resolve('@iconify-json/simple-icons/icons.json')
  const set: IconSet = JSON.parse(await readFile(file, 'utf8'))
  return Object.entries(set.icons)
    .slice(0, limit)
    .map(([name, { body, width = set.width ?? 16, height = set.height ?? 16 }]) => ({
      path: `foreign/${name}.svg`,
      content: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${body}</svg>`,
    }))
}

/** Writes files to a project. */
export async function plant(root: string, files: readonly Pick<Planted, 'path' | 'content'>[]): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
}

/** Returns unchanged copies of files from any version of the kit, of any type. */
export async function copies(): Promise<Planted[]> {
  const files = (await fastGlob('**/*.{svg,png,jpg,gif,tiff,woff2,pdf}', { cwd: kit, ignore: ['**/*@*'] })).toSorted()
  return Promise.all(
    files.map(async (path) => {
      const asset = assetOf(path)
      const content = await readFile(join(kit, path))
      return { path: `copied/${asset}${extname(path)}`, content, asset, way: 'copy' }
    }),
  )
}

import { createHash } from 'node:crypto'
import type { ResolvedOptions } from '../../config/options.js'
import { readRegularFile } from '../../disk/read-file.js'
import { ignoreOwnErrors } from '../../errors.js'
import { openViewedFiles, type Files } from '../../files/files.js'
import type { FileDescriptor } from '../../files/plan.js'
import { writeRecipe, type Recipe } from '../../files/recipe.js'
import { isRaster, mediaType } from '../../space/asset-type.js'
import type { Space } from '../../space/space.js'
import type { WrittenDeclarations } from './declared.js'
import type { ResolvedImports } from './resolve-imports.js'

/** @internal */
export interface PicturesContext {
  options: ResolvedOptions
  space: Space
}

/** The maximum length of a data URI in characters. */
const longest = 2048

/** Pixels of the longer side, in the order in which sizes are tried. At the last size, even noise fits. */
const sides = [96, 64, 48, 32, 16] as const

/** The formats for SVGs and for other pictures, in the order in which they are tried. */
const recipes: { svg: readonly Recipe[]; raster: readonly Recipe[] } = {
  // Try the SVG without svgo first, because checking svgo's result needs sharp, which takes longer to load than the
  // rest of the work.
  svg: [
    { kind: 'svg', policy: 'sanitize', preview: sides[0] },
    { kind: 'svg', policy: 'sanitize', svgo: true, preview: sides[0] },
  ],
  raster: sides.map((side) => ({
    kind: 'raster',
    format: 'webp',
    fit: 'inside',
    width: side,
    height: side,
    quality: 60,
  })),
}

/**
 * Adds to the declarations a picture of each asset that the source names, because editors display these pictures. Keeps
 * an existing picture while its source is the same, because another version of sharp produces different bytes. Doesn't
 * download anything.
 */
export async function withPictures(
  { declarations, specifiers, pictured }: ResolvedImports,
  { options, space }: PicturesContext,
): Promise<WrittenDeclarations> {
  const { types, previews } = options
  if (types === false || !previews) return { declarations: declarations(), specifiers }
  const written = writtenPictures((await readRegularFile(types).catch(() => undefined))?.toString() ?? '')
  const files = openViewedFiles({ options, space })
  try {
    const pictures = new Map<string, string>()
    const shown = [...pictured].map(async ([revision, file]) => {
      const source = digestOfSource(file)
      const picture = written.get(source) ?? (await makePicture(file, files))
      if (picture !== undefined) pictures.set(revision, `${picture}#${source}`)
    })
    await Promise.all(shown)
    return { declarations: declarations(pictures), specifiers }
  } finally {
    files.close()
  }
}

/** Returns a digest of a picture's source. It is stored in the fragment of the data URI, where it has no effect. */
function digestOfSource({ asset, hash, updated, cut }: FileDescriptor): string {
  const text = JSON.stringify([asset, hash, updated, cut])
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** Finds pictures in declarations. @returns by `digestOfSource` */
function writtenPictures(text: string): Map<string, string> {
  const found = text.matchAll(/!\[\]\((data:image\/[a-z+]+;base64,[\w+/=]+)#([\da-f]{12})\)/g)
  const pictures = [...found].filter(([, picture = '']) => fits(picture))
  return new Map(pictures.map(([, picture = '', source = '']) => [source, picture]))
}

/** Returns whether a data URI is short enough, including `#` and the digest. */
function fits(picture: string): boolean {
  return picture.length + 13 <= longest
}

/** @returns undefined if the file isn't a picture or isn't in the cache, or if the result is too long */
async function makePicture(file: FileDescriptor, files: Files): Promise<string | undefined> {
  const type = (file.cut ?? file.type).replace(/@.*/, '')
  if ((type !== 'SVG' && !isRaster(type)) || !(await files.has(file))) return undefined
  for (const recipe of [...(type === 'SVG' ? recipes.svg : []), ...recipes.raster]) {
    const ext = recipe.kind === 'svg' ? 'svg' : recipe.format
    const bytes = await files.bytes({ ...file, ext, recipe: writeRecipe(recipe) }).catch(ignoreOwnErrors)
    const picture = bytes && `data:${mediaType(ext)};base64,${Buffer.from(bytes).toString('base64')}`
    if (picture !== undefined && fits(picture)) return picture
  }
  return undefined
}

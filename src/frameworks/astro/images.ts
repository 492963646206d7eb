import type { KnownAsset } from '../../asset.js'
import { ignoreCodes } from '../../errors.js'
import type { Engine } from '../../engine/engine.js'

/**
 * The prefix of field values. Astro treats the rest of such values as paths, and replaces them with the imported
 * values.
 */
const IMPORTED_FIELD = '__ASTRO_IMAGE_'

/** A path that looks like a picture's path, because Astro imports only pictures. The name is the id in base64url. */
const PATH = /^\/@content-space\/([\w-]+)\.\w+$/

const formats = new Set(['avif', 'gif', 'jpeg', 'jpg', 'png', 'svg', 'tiff', 'webp'])

/**
 * Returns the value of an entry's `image` field, which Astro replaces with the imported asset.
 * @param query as in ids
 * @returns undefined for an asset that isn't a picture or whose size is unknown
 */
export async function imageOf(
  asset: KnownAsset,
  kit: string,
  query: string,
  engine: Engine,
): Promise<string | undefined> {
  const id = `content-space:asset/${kit}/${asset.slug}${query === '' ? '' : `?${query}`}`
  const { planAddress } = await import('../../bundlers/session/content.js')
  const { src, width, height } = (await planAddress(engine, id).catch(ignoreCodes('fileCutUnavailable'))) ?? {}
  if (src === undefined || width === undefined || height === undefined || !formats.has(src.ext)) return undefined
  return `${IMPORTED_FIELD}/@content-space/${Buffer.from(id).toString('base64url')}.${src.ext}`
}

/**
 * The id of a module that exports an imported asset. It doesn't have an extension, because Astro would otherwise read a
 * file.
 */
const MODULE = /^\0astro-content-space\/([\w-]+)(?:\?.*)?$/

/** A Vite plugin that imports the pictures of entries. */
export const imagePlugin = {
  name: 'content-space:astro-images',
  enforce: 'pre' as const,
  resolveId: {
    filter: { id: PATH },
    handler: (path: string): string | undefined => {
      const name = PATH.exec(path)?.[1]
      return name && `\0astro-content-space/${name}`
    },
  },
  load: {
    filter: { id: MODULE },
    handler: (module: string): string | undefined => {
      const name = MODULE.exec(module)?.[1]
      return name && `export { default } from ${JSON.stringify(Buffer.from(name, 'base64url').toString())}\n`
    },
  },
}

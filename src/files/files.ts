import { checkContent, type Content, readContent } from '../disk/content.js'
import { type Derived, noDerived } from '../disk/derived.js'
import { explainTooManyFiles } from '../disk/file-error.js'
import { ContentSpaceError } from '../errors.js'
import { noRemote } from '../remote/remote.js'
import { mediaType } from '../space/asset-type.js'
import type { Call } from '../space/space.js'
import { sizeText } from '../text/quantities.js'
import { openConversions } from './conversions.js'
import { openPool } from './convert/pool.js'
import { openOriginals, type OriginalsContext } from './originals.js'
import type { FileDescriptor, ValueDescriptor } from './plan.js'
import { isAlwaysRewritten, readRecipe, withLowestEffort } from './recipe.js'
import { openStore, type StoredContent } from './store.js'
import { openSvgFiles } from './svg-files.js'

export interface FilesContext extends OriginalsContext {
  cacheDir: string
  /** The results of earlier runs. By default, every SVG is checked. */
  derived?: Derived
  /** Whether to encode pictures with the lowest `effort` if their query doesn't set one. @default false */
  isQuick?: boolean
  /**
   * Called each time a file is read, with the original or cut that it is made from. `remote` is true if the result came
   * from the remote cache.
   */
  onFile: (file: FileDescriptor, source: { integrity: string; size: number; cached: boolean; remote?: boolean }) => void
  /** Called for each conversion that runs. */
  onConversion?: () => void
}

export type Files = ReturnType<typeof createFiles>

/**
 * Opens files, and gets their content from the cache or makes it. `originals.ts` downloads and verifies the service's
 * files, `conversions.ts` and `svg-files.ts` convert them, and `store.ts` stores the results.
 */
export function createFiles(context: FilesContext) {
  const { cacheDir, warn, onFile, onConversion = () => {}, remote = noRemote, locked } = context
  const { derived = noDerived, isQuick = false } = context
  const store = openStore(cacheDir, warn)
  const pool = openPool()
  const originals = openOriginals(store, context, pool)
  const conversions = openConversions({ store, pool, originals, remote, onFile, onConversion, warn })
  const recipeOf = ({ recipe }: FileDescriptor) => {
    const read = recipe === undefined ? undefined : readRecipe(recipe)
    return isQuick && read?.kind === 'raster' ? withLowestEffort(read) : read
  }
  const useSvg = openSvgFiles({ originals, conversions, derived, locked, onFile, warn })

  /**
   * Passes the content of a file to `consume`. Concurrent calls share the work.
   * @param consume called again if the cached content turns out to be damaged
   * @throws ContentSpaceError any error of the download; `contentMismatch`, `truncated`, `integrity`, `offline`,
   *   `conversionFailed`, `conversionStopped`, `unsafeSvg`
   */
  const use: Use = async (file, consume, call) => {
    const recipe = recipeOf(file)
    try {
      if (recipe?.kind === 'icon' || recipe?.kind === 'manifest') {
        const { composeText } = await import('./app-icons.js')
        return await consume(await composeText(recipe, (value) => readTextValue(value, use, call)))
      }
      if (recipe?.kind === 'svg') return await useSvg(file, recipe, consume, call)
      if (recipe) return await conversions.use(file, recipe, consume, call)
      const reported = async (content: StoredContent) => {
        onFile(file, content)
        return consume(content)
      }
      return await originals.use(file, reported, call)
    } catch (error) {
      throw explainTooManyFiles(error)
    }
  }

  return {
    use,
    bytes: (file: FileDescriptor, call?: Call) => use(file, readContent, call),
    /**
     * Makes sure that a file is in the cache, and verifies it without reading it into memory. Throws the errors of
     * `use`.
     */
    ensure: (file: FileDescriptor) => use(file, checkContent),
    /**
     * Returns the text of a file, or its data URI.
     * @throws ContentSpaceError any error of `use`; `invalidQuery` if the file is too large for a module
     */
    value: (value: ValueDescriptor, call?: Call) => readTextValue(value, use, call),
    /** Checks whether the cache contains the original or cut that a file is made from. */
    has: originals.has,
    /** Returns the size of a file in bytes if it can be determined without downloading or making the file. */
    async size(this: void, file: FileDescriptor): Promise<number | undefined> {
      const source = await originals.peek(file)
      const listed = source?.size ?? (file.cut === undefined ? file.size : undefined)
      const recipe = recipeOf(file)
      if (recipe === undefined) return listed
      if (recipe.kind === 'icon' || recipe.kind === 'manifest') return undefined
      const made = source && (await conversions.size(recipe, source.integrity))
      // A safe SVG isn't rewritten unless its recipe asks for a change.
      const isUnchanged = recipe.kind === 'svg' && !isAlwaysRewritten(recipe)
      return made ?? (isUnchanged ? listed : undefined)
    },
    close: () => pool.close(),
  }
}

const maxSize = 32 * 1024 * 1024

type Use = <T>(file: FileDescriptor, consume: (content: Content) => Promise<T>, call?: Call) => Promise<T>

/** Returns the text of a file, its data URI, or its SVG for a component. */
async function readTextValue(value: ValueDescriptor, use: Use, call: Call | undefined): Promise<string> {
  const { file, as } = value
  const isListedSize = file.recipe === undefined && file.cut === undefined
  if (isListedSize) checkSize(file, file.size)
  const read = async (content: Content): Promise<Uint8Array> => {
    checkSize(file, content.size)
    return readContent(content)
  }
  const bytes = await use(file, read, call)
  if (as === 'raw') return decodeText(file, bytes)
  if (as === 'component') {
    const { componentText } = await import('./svg/component-text.js')
    const text = componentText(decodeText(file, bytes), prefixIn(file), value.framework)
    if (text === undefined) throw notInline(file)
    return text
  }
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  return `data:${mediaType(file.ext)};base64,${base64}`
}

function notInline({ asset, label }: FileDescriptor): ContentSpaceError {
  return new ContentSpaceError('conversionFailed', `${label} does not begin with <svg>, so it cannot be inlined.`, {
    asset,
    hint: "Write its elements without a namespace prefix, or set option svg to 'sanitize'.",
  })
}

function prefixIn({ recipe }: FileDescriptor): string {
  const read = recipe === undefined ? undefined : readRecipe(recipe)
  return read?.kind === 'svg' ? (read.prefix ?? '') : ''
}

function checkSize({ asset, label }: FileDescriptor, size = 0): void {
  if (size <= maxSize) return
  const limit = sizeText(maxSize)
  const message = `${label} (${sizeText(size)}) is too large to be part of a module: the limit is ${limit}.`
  throw new ContentSpaceError('invalidQuery', message, {
    asset,
    hint: 'Import its address, without as=raw or as=inline.',
  })
}

function decodeText({ asset, label, ext }: FileDescriptor, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ContentSpaceError('contentMismatch', `${label} (${ext}) is not UTF-8 text.`, {
      asset,
      hint: 'Import it with as=inline instead of as=raw.',
      cause,
    })
  }
}

interface ViewContext extends Pick<FilesContext, 'space'> {
  options: Pick<FilesContext, 'cacheDir' | 'offline' | 'strict'>
  locked?: FilesContext['locked']
}

/**
 * Opens files of any version for viewing. Viewed files aren't recorded in the lockfile, which contains hashes of only
 * one version, and don't count in a build's summary.
 */
export function openViewedFiles({ options, space, locked = () => undefined }: ViewContext): Files {
  const { cacheDir, offline, strict } = options
  return createFiles({ cacheDir, space, offline, strict, locked, frozen: false, onFile: () => {}, warn: () => {} })
}

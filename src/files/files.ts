import { checkContent, readContent } from '../disk/content.js'
import { noDerived, type Derived } from '../disk/derived.js'
import { explainTooManyFiles } from '../disk/too-many-files.js'
import { noRemote } from '../remote/remote.js'
import type { Call } from '../space/space.js'
import { openConversions } from './conversions.js'
import { openPool } from './convert/pool.js'
import { openOriginals, type OriginalsContext } from './originals.js'
import type { FileDescriptor, ValueDescriptor } from './plan.js'
import { readRecipe } from './recipe.js'
import { openStore, type StoredContent } from './store.js'
import { openSvgFiles } from './svg-files.js'
import { readValue, type Use } from './value.js'

export interface FilesContext extends OriginalsContext {
  cacheDir: string
  /** What earlier runs have derived. @default every SVG is checked */
  derived?: Derived
  /**
   * Called each time a file is read, with the original or cut that it is made from. `remote`: its result came from the
   * remote cache instead.
   */
  onFile: (file: FileDescriptor, source: { integrity: string; size: number; cached: boolean; remote?: boolean }) => void
}

export type Files = ReturnType<typeof createFiles>

/**
 * The bytes of files, from the cache or made. `originals.ts` downloads and verifies what the service has;
 * `conversions.ts` and `svg-files.ts` make other files from it; `store.ts` keeps both.
 */
export function createFiles(context: FilesContext) {
  const { cacheDir, warn, onFile, remote = noRemote, locked, derived = noDerived } = context
  const store = openStore(cacheDir, warn)
  const pool = openPool()
  const originals = openOriginals(store, context, pool)
  const conversions = openConversions({ store, pool, originals, remote, onFile })
  const useSvg = openSvgFiles({ originals, conversions, derived, locked, onFile, warn })

  /**
   * Passes the content of a file to `consume`. Concurrent calls share the work.
   * @param consume called again when the cached content turns out to be damaged
   * @throws ContentSpaceError what the download throws; `contentMismatch`, `truncated`, `integrity`, `offline`,
   *   `conversionFailed`, `unsafeSvg`
   */
  const use: Use = async (file, consume, call) => {
    const recipe = file.recipe === undefined ? undefined : readRecipe(file.recipe)
    try {
      if (recipe?.kind === 'icon' || recipe?.kind === 'manifest') {
        const { composeText } = await import('./app-icons.js')
        return await consume(await composeText(recipe, (value) => readValue(value, use, call)))
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
    /** Brings a file into the cache and verifies it, without reading it into memory. Throws what `use` throws. */
    ensure: (file: FileDescriptor) => use(file, checkContent),
    /**
     * Returns the text of a file, or its data URI.
     * @throws ContentSpaceError what `use` throws; `invalidQuery` for a file that is too large to be part of a module
     */
    value: (value: ValueDescriptor, call?: Call) => readValue(value, use, call),
    /** Whether the original or cut that a file is made from is in the cache. */
    has: originals.has,
    /** Returns the bytes of a file, if they are known without downloading or making it. */
    async size(this: void, file: FileDescriptor): Promise<number | undefined> {
      const source = await originals.peek(file)
      const listed = source?.size ?? (file.cut === undefined ? file.size : undefined)
      if (file.recipe === undefined) return listed
      const recipe = readRecipe(file.recipe)
      if (recipe.kind === 'icon' || recipe.kind === 'manifest') return undefined
      const made = source && (await conversions.size(recipe, source.integrity))
      // A drawing that is safe is not rewritten, unless its recipe asks for a change.
      const isUnchanged = recipe.kind === 'svg' && !recipe.svgo && !recipe.icon && recipe.prefix === undefined
      return made ?? (isUnchanged ? listed : undefined)
    },
    close: () => pool.close(),
  }
}

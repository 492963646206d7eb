import { conversionKey, conversionLock } from '../disk/cache-layout.js'
import { contentOf, damageError, isDamageError, type Content } from '../disk/content.js'
import { explainTooManyFiles } from '../disk/file-error.js'
import { ContentSpaceError, messageOf } from '../errors.js'
import type { Remote, SignedEntry } from '../remote/remote.js'
import type { Call } from '../space/space.js'
import type { Pool } from './convert/pool.js'
import type { Problem } from './convert/problem.js'
import { TaskError } from './convert/protocol.js'
import { openVersions } from './convert/versions.js'
import { isAnimatedPng } from './file-signature.js'
import type { Originals, SourceInfo } from './originals.js'
import type { FileDescriptor } from './plan.js'
import { keepsFrames, writeRecipe, type CheckRecipe, type Recipe, type Task } from './recipe.js'
import type { Consume, Store, StoredContent } from './store.js'

export interface ConversionsContext {
  store: Store
  pool: Pool
  originals: Originals
  remote: Remote
  onFile: (file: FileDescriptor, source: SourceInfo) => void
  /** Called for each conversion that runs. */
  onConversion: () => void
  warn: (message: string) => void
}

/** The maximum number of attempts if the source is replaced or damaged during a conversion. */
const attempts = 3

export type Conversions = ReturnType<typeof openConversions>

/** Opens the conversions of originals and cuts. The cache stores each result under the hash of its source. */
export function openConversions({ store, pool, originals, remote, onFile, onConversion, warn }: ConversionsContext) {
  const versionsOf = openVersions()
  /** The notes about results of this run, by recipe and source. */
  const made = new Map<string, readonly string[]>()
  const keyOf = (recipe: Recipe, source: string): string =>
    conversionKey({ source, recipe: writeRecipe(recipe), versions: versionsOf(recipe) })

  /** Reads the source. Fails if its hash has changed, because the hash is part of the cache key. */
  async function readSource(file: FileDescriptor, { integrity, content }: SourceInfo, call?: Call): Promise<Content> {
    const kept = content ?? (await store.findContent(integrity))
    const found = kept ?? (await originals.use(file, async (one) => one, call))
    if (found.integrity !== integrity) throw damageError(`the source of ${file.label}`)
    return found
  }

  async function run(file: FileDescriptor, task: Task, source: string, read: () => Promise<Content>) {
    try {
      const onNotes = (notes: readonly string[]) => void made.set(writeRecipe(task) + source, notes)
      return contentOf(await pool.convert({ source, recipe: task, read, onNotes }))
    } catch (cause) {
      throw isDamageError(cause) ? cause : conversionError(file, explainTooManyFiles(cause))
    }
  }

  /** The uuids of assets that we have warned about. */
  const warned = new Set<string>()

  /** Warns if a conversion drops the frames of an APNG, which browsers would play. */
  async function warnOfLostFrames(file: FileDescriptor, recipe: Recipe, read: () => Promise<Content>): Promise<void> {
    const { asset, label, type, cut = type } = file
    if (recipe.kind !== 'raster' || recipe.preview !== undefined || keepsFrames(recipe) || cut !== 'PNG') return
    if (warned.has(asset) || !(await isAnimatedPng(await read())) || warned.has(asset)) return
    warned.add(asset)
    warn(
      `${label} is an animated PNG. As ${recipe.format}, it is a still picture: format=webp or gif keeps its frames.`,
    )
  }

  async function convert(file: FileDescriptor, recipe: Recipe, source: SourceInfo, call?: Call) {
    const read = () => readSource(file, source, call)
    await warnOfLostFrames(file, recipe, read)
    onConversion()
    return run(file, recipe, source.integrity, read)
  }

  /**
   * Uses the cached result of a recipe, which may be cached even if the source isn't.
   * @param isRead whether the source itself was read, not just its hash in the lockfile
   */
  async function useMade<T>(
    file: FileDescriptor,
    recipe: Recipe,
    { source, isRead }: { source: SourceInfo; isRead: boolean },
    consume: Consume<T>,
    call?: Call,
  ): Promise<T> {
    const entry: SignedEntry = { kind: 'made', key: keyOf(recipe, source.integrity) }
    const lock = conversionLock(source.integrity)
    const make = async (): Promise<Content> => {
      const read = isRead ? source : await originals.info(file, call)
      if (!isRead) onFile(file, read)
      return convert(file, recipe, read, call)
    }
    return store.use(
      { key: entry.key, lock, signal: call?.signal, findElsewhere: (receive) => remote.find(entry, receive) },
      (receive) => remote.load(entry, receive, make),
      (content) => {
        remote.save(entry, content.integrity, () => store.findContent(content.integrity))
        // If the source was read in the meantime, it has already been reported, and this call is ignored.
        if (!isRead) onFile(file, { ...source, remote: remote.provided(content.integrity) })
        return consume(content)
      },
    )
  }

  return {
    /**
     * Passes the result of a recipe to `consume`. It comes from the cache or from a conversion.
     * @throws ContentSpaceError any error of `Originals.use`; `conversionFailed`, `conversionStopped`
     */
    async use<T>(file: FileDescriptor, recipe: Recipe, consume: Consume<T>, call?: Call): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        const expected = attempt === 1 ? await originals.expected(file) : undefined
        const source = expected ?? (await originals.info(file, call))
        if (!expected) onFile(file, source)
        try {
          return await useMade(file, recipe, { source, isRead: !expected }, consume, call)
        } catch (error) {
          if (!isDamageError(error)) throw error
          if (attempt === attempts) throw conversionError(file, error)
          await originals.forget(file, source.integrity)
        }
      }
    },
    /** Makes a result again and replaces it in the cache. Throws the errors of `use`. */
    async renew(file: FileDescriptor, recipe: Recipe, call?: Call): Promise<StoredContent> {
      const source = await originals.info(file, call)
      const { bytes } = await convert(file, recipe, source, call)
      return { ...(await store.put(keyOf(recipe, source.integrity), bytes)), kept: true }
    },
    /** Lists the active content of an SVG without using the cache. Throws the errors of `use`. */
    async check(file: FileDescriptor, content: Content, task: Omit<CheckRecipe, 'kind'>): Promise<string[]> {
      const { bytes } = await run(file, { kind: 'check', ...task }, content.integrity, async () => content)
      return JSON.parse(Buffer.from(bytes).toString())
    },
    /** Returns the user notes about a result that was made in this run. */
    notes: (recipe: Recipe, source: string) => made.get(writeRecipe(recipe) + source) ?? [],
    /**
     * Returns the size of a cached result in bytes.
     * @param source `sha256-…`
     */
    async size(recipe: Recipe, source: string): Promise<number | undefined> {
      return (await store.info(keyOf(recipe, source)))?.size
    },
  }
}

const problems: Readonly<Record<Problem, { what: string; hint: string }>> = {
  damaged: { what: 'it is damaged', hint: 'Upload the file again.' },
  'cut short': { what: 'it is cut short', hint: 'Upload the file again.' },
  unsupported: {
    what: 'sharp has no decoder for this kind of file',
    hint: 'Save it as PNG, or as RGB with a common compression. Without a size or format, it is imported unchanged.',
  },
}

/**
 * @param cause has a reason such as `it took too long` as its message. A `TaskError` is caused by the file; any other
 *   error may be temporary.
 */
export function conversionError({ asset, label }: FileDescriptor, cause: unknown): ContentSpaceError {
  if (cause instanceof ContentSpaceError) return cause
  const reason = messageOf(cause).trim()
  if (!(cause instanceof TaskError)) {
    const hint =
      'Run the build again. If this happens again, the file needs too much time or memory: simplify the file.'
    return new ContentSpaceError('conversionStopped', `${label} was not converted: ${reason}.`, { asset, hint, cause })
  }
  const [missing] = /^Could not load the "sharp" module.*/.exec(reason) ?? []
  const problem = cause.problem && problems[cause.problem]
  const text = problem ? `${problem.what} (${reason})` : (missing ?? reason)
  return new ContentSpaceError('conversionFailed', `${label} cannot be converted: ${text}.`, {
    asset,
    hint: missing
      ? 'Reinstall the packages, including optional ones: npm install --include=optional'
      : (problem?.hint ?? 'Check the size that the query asks for, and the file in the space: it may be too large.'),
    cause,
  })
}

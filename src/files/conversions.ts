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
  warn: (message: string) => void
}

/** The number of attempts if the source is replaced or damaged during the conversion. */
const attempts = 3

export type Conversions = ReturnType<typeof openConversions>

/** Opens the conversions of originals and cuts. The cache keeps their results by the hash of the source. */
export function openConversions({ store, pool, originals, remote, onFile, warn }: ConversionsContext) {
  const versionsOf = openVersions()
  /** Notes about the results of this run, by recipe and source. */
  const made = new Map<string, readonly string[]>()
  const keyOf = (recipe: Recipe, source: string): string =>
    conversionKey({ source, recipe: writeRecipe(recipe), versions: versionsOf(recipe) })

  /** Reads the source. Other bytes are an error, because the hash is part of the conversion's key. */
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

  /** Uuids of assets that a warning has named. */
  const stilled = new Set<string>()

  /** Warns if a conversion drops the frames of an APNG, which browsers would play. */
  async function warnOfLostFrames(file: FileDescriptor, recipe: Recipe, read: () => Promise<Content>): Promise<void> {
    const { asset, label, type, cut = type } = file
    if (recipe.kind !== 'raster' || recipe.preview !== undefined || keepsFrames(recipe) || cut !== 'PNG') return
    if (stilled.has(asset) || !(await isAnimatedPng(await read())) || stilled.has(asset)) return
    stilled.add(asset)
    warn(
      `${label} is an animated PNG. As ${recipe.format}, it is a still picture: format=webp or gif keeps its frames.`,
    )
  }

  async function convert(file: FileDescriptor, recipe: Recipe, source: SourceInfo, call?: Call) {
    const read = () => readSource(file, source, call)
    await warnOfLostFrames(file, recipe, read)
    return run(file, recipe, source.integrity, read)
  }

  /**
   * Uses the cached result of a recipe. A cache may contain it even without the source.
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
      { key: entry.key, lock, signal: call?.signal, look: (receive) => remote.find(entry, receive) },
      (receive) => remote.load(entry, receive, make),
      (content) => {
        remote.save(entry, content.integrity, () => store.findContent(content.integrity))
        // Ignored if the source has been read in the meantime, because that read was reported already.
        if (!isRead) onFile(file, { ...source, remote: remote.provided(content.integrity) })
        return consume(content)
      },
    )
  }

  return {
    /**
     * Passes the result of a recipe to `consume`, from the cache or after a conversion.
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
    /** Makes a result again and replaces the cached one. Throws the errors of `use`. */
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
    /** Returns notes for the user about a result that this run has made. */
    notes: (recipe: Recipe, source: string) => made.get(writeRecipe(recipe) + source) ?? [],
    /** Returns the size of a cached result in bytes. @param source `sha256-…` */
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
    hint: 'Save it as PNG, or as RGB with a common compression. Without a size or format, it is imported as it is.',
  },
}

/**
 * @param cause its message is a reason such as `it took too long`. A `TaskError` is the file's fault; any other error
 *   may be temporary.
 */
export function conversionError({ asset, label }: FileDescriptor, cause: unknown): ContentSpaceError {
  if (cause instanceof ContentSpaceError) return cause
  const reason = messageOf(cause).trim()
  if (!(cause instanceof TaskError)) {
    const hint = 'Run it again. If it ends in the same way, the file takes too much time or memory: make it simpler.'
    return new ContentSpaceError('conversionStopped', `${label} was not converted: ${reason}.`, { asset, hint, cause })
  }
  const [missing] = /^Could not load the "sharp" module.*/.exec(reason) ?? []
  const problem = cause.problem && problems[cause.problem]
  const text = problem ? `${problem.what} (${reason})` : (missing ?? reason)
  return new ContentSpaceError('conversionFailed', `${label} cannot be converted: ${text}.`, {
    asset,
    hint: missing
      ? 'Install the packages again, with optional ones: npm install --include=optional'
      : (problem?.hint ?? 'Check the size that the query asks for, and the file in the space: it may be too large.'),
    cause,
  })
}

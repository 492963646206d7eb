import { conversionKey, conversionLock } from '../disk/cache-layout.js'
import { contentOf, damageError, isDamageError, type Content } from '../disk/content.js'
import { explainTooManyFiles } from '../disk/too-many-files.js'
import { ContentSpaceError, messageOf } from '../errors.js'
import type { Remote, SignedEntry } from '../remote/remote.js'
import type { Call } from '../space/space.js'
import type { Pool } from './convert/pool.js'
import { openVersions } from './convert/versions.js'
import type { Originals, SourceInfo } from './originals.js'
import type { FileDescriptor } from './plan.js'
import { writeRecipe, type Recipe, type Task } from './recipe.js'
import type { StoredContent } from './store-entries.js'
import { type Consume, type Store } from './store.js'

/** Files that are made from originals and cuts, kept in the cache by the hash of their source. */
export interface Conversions {
  /**
   * Passes the result of a recipe to `consume`, from the cache or after a conversion.
   * @throws ContentSpaceError what `Originals.use` throws; `conversionFailed`
   */
  use<T>(file: FileDescriptor, recipe: Recipe, consume: Consume<T>, call?: Call): Promise<T>
  /** The same for a known source. Throws a damage error when the source no longer has the known hash. */
  useFrom<T>(file: FileDescriptor, task: Task, source: SourceInfo, consume: Consume<T>, call?: Call): Promise<T>
  /** Makes a result again, and replaces what the cache has. Throws what `use` throws. */
  renew(file: FileDescriptor, recipe: Recipe, call?: Call): Promise<StoredContent>
  /** Does a task with content, without a cache. */
  run(task: Task, content: Content): Promise<Uint8Array>
  /** Returns the bytes of a result, if the cache has it. @param source `sha256-…` */
  size(this: void, recipe: Recipe, source: string): Promise<number | undefined>
}

export interface ConversionsContext {
  store: Store
  pool: Pool
  originals: Originals
  remote: Remote
  /** Called with each source. */
  onFile: (file: FileDescriptor, source: SourceInfo) => void
}

/** Attempts when the source is replaced or damaged while it is converted. */
const attempts = 3

export function openConversions({ store, pool, originals, remote, onFile }: ConversionsContext): Conversions {
  const versionsOf = openVersions()

  /** Reads the source. Its hash is part of the key of the conversion, so other bytes are an error. */
  async function readSource(file: FileDescriptor, { integrity, content }: SourceInfo, call?: Call): Promise<Content> {
    const found =
      content ?? (await store.findContent(integrity)) ?? (await originals.use(file, async (one) => one, call))
    if (found.integrity !== integrity) throw damageError(`the source of ${file.label}`)
    return found
  }

  async function convert(file: FileDescriptor, task: Task, source: SourceInfo, call?: Call) {
    try {
      const read = () => readSource(file, source, call)
      return contentOf(await pool.convert({ source: source.integrity, recipe: task, read }))
    } catch (cause) {
      throw isDamageError(cause) ? cause : conversionError(file, explainTooManyFiles(cause))
    }
  }

  function useMade<T>(task: Task, source: SourceInfo, make: () => Promise<Content>, consume: Consume<T>, call?: Call) {
    const key = keyOf(task, source.integrity)
    const request = { key, lock: conversionLock(source.integrity), signal: call?.signal }
    // A check is faster than a request.
    if (task.kind === 'check') return store.use(request, make, consume)
    const entry: SignedEntry = { kind: 'made', key }
    return store.use(
      { ...request, look: (receive) => remote.find(entry, receive) },
      (receive) => remote.load(entry, receive, make),
      (content) => {
        remote.save(entry, content.integrity, () => store.findContent(content.integrity))
        return consume(content)
      },
    )
  }

  const keyOf = (task: Task, source: string): string =>
    conversionKey({ source, recipe: writeRecipe(task), versions: versionsOf(task) })

  const useFrom: Conversions['useFrom'] = (file, task, source, consume, call) =>
    useMade(task, source, () => convert(file, task, source, call), consume, call)

  /** Uses a result that a cache may have although it does not have the source, whose hash is in the lockfile. */
  async function useExpected<T>(
    file: FileDescriptor,
    recipe: Recipe,
    expected: SourceInfo,
    consume: Consume<T>,
    call?: Call,
  ): Promise<T> {
    const make = async (): Promise<Content> => {
      const source = await originals.info(file, call)
      onFile(file, source)
      return convert(file, recipe, source, call)
    }
    const reported: Consume<T> = (content) => {
      // Without effect if the source was read: it was reported before.
      onFile(file, { ...expected, remote: remote.provided(content.integrity) })
      return consume(content)
    }
    return useMade(recipe, expected, make, reported, call)
  }

  return {
    useFrom,
    async size(recipe, source) {
      return (await store.info(keyOf(recipe, source)))?.size
    },
    async renew(file, recipe, call) {
      const source = await originals.info(file, call)
      const { bytes } = await convert(file, recipe, source, call)
      return { ...(await store.put(keyOf(recipe, source.integrity), bytes)), kept: true }
    },
    run: (recipe, content) => pool.convert({ source: content.integrity, recipe, read: async () => content }),
    async use(file, recipe, consume, call) {
      for (let attempt = 1; ; attempt++) {
        const expected = attempt === 1 ? await originals.expected(file) : undefined
        const source = expected ?? (await originals.info(file, call))
        if (!expected) onFile(file, source)
        try {
          if (expected) return await useExpected(file, recipe, expected, consume, call)
          return await useFrom(file, recipe, source, consume, call)
        } catch (error) {
          if (!isDamageError(error)) throw error
          if (attempt === attempts) throw conversionError(file, error)
          await originals.forget(file, source.integrity)
        }
      }
    },
  }
}

/** @param cause its message is a reason without its subject, such as `it took too long` */
export function conversionError({ asset, label }: FileDescriptor, cause: unknown): ContentSpaceError {
  if (cause instanceof ContentSpaceError) return cause
  const reason = messageOf(cause)
  return new ContentSpaceError('conversionFailed', `${label} cannot be converted: ${reason.trim()}.`, {
    asset,
    hint: 'Check the file in the space. It may be damaged, or too large to be converted.',
    cause,
  })
}

import prettyBytes from 'pretty-bytes'
import { ContentSpaceError } from '../errors.js'
import type { Call } from '../space/space.js'
import { checkContent, damage, isDamage, readContent, type Content } from '../disk/content.js'
import { openVersions } from './convert/versions.js'
import { mediaType } from './media-type.js'
import type { FileDescriptor, ValueDescriptor } from './plan.js'
import { openPool } from './convert/pool.js'
import { readRecipe, writeRecipe, type Recipe, type SvgRecipe, type Task } from './recipe.js'
import { openOriginals, type Look, type OriginalsContext } from './originals.js'
import { contentOf, openStore, type Stored } from './store.js'
import { sayScarce } from '../disk/open-files.js'
import { limits, tooLarge } from './svg/limits.js'

export interface FilesContext extends OriginalsContext {
  /** Absolute path. */
  cacheDir: string
  /** Told of each file that is read, once per reading: what is known of the bytes of the service behind it. */
  onFile: (file: FileDescriptor, read: { integrity: string; size: number; cached: boolean }) => void
}

/** Bytes of files. */
export interface Files {
  /**
   * Downloaded, verified and converted, or from the cache; made once, however many ask.
   * @param how reads the content; called again when the cache turns out to be damaged
   * @throws ContentSpaceError what the download throws; `contentMismatch`, `truncated`, `integrity`, `offline`,
   *   `conversionFailed`, `unsafeSvg`
   */
  use<T>(this: void, file: FileDescriptor, how: (content: Content) => Promise<T>, call?: Call): Promise<T>
  /** The same as bytes in memory. */
  bytes(this: void, file: FileDescriptor, call?: Call): Promise<Uint8Array>
  /**
   * Makes sure that a file is in the cache and is what it should be, without taking it into memory. Throws what `use`
   * throws.
   */
  ensure(this: void, file: FileDescriptor, call?: Call): Promise<void>
  /**
   * A text made of the bytes: the text of the file, or a data URI.
   * @throws ContentSpaceError what `use` throws; `invalidQuery` for a file that is too large to be part of a module
   */
  value(value: ValueDescriptor, call?: Call): Promise<string>
  /** Whether what the service has to give for a file is in the cache. */
  has(this: void, file: FileDescriptor): Promise<boolean>
  /** Ends conversions under way. */
  close(): void
}

/** Bytes of a file whose text or data URI becomes part of a module. */
const largestValue = 32 * 1024 * 1024

/** Bytes of an SVG that are checked in this process. */
const checkedHere = 64 * 1024

/** Times that a source is looked for anew when it is replaced or damaged while it is converted. */
const rounds = 3

export function createFiles(context: FilesContext): Files {
  const { cacheDir, warn, onFile } = context
  const store = openStore(cacheDir, warn)
  const pool = openPool()
  const sources = openOriginals(store, context, pool)
  const versionsOf = openVersions()
  const warned = new Set<string>()

  /** The bytes that go into a conversion are those that its key names, or it fails as damaged. */
  async function readSource(
    file: FileDescriptor,
    { integrity, content }: Look,
    call: Call | undefined,
  ): Promise<Content> {
    const found = content ?? (await store.content(integrity)) ?? (await sources.use(file, async (one) => one, call))
    if (found.integrity !== integrity) throw damage(`the source of ${file.label}`)
    return found
  }

  async function convert(file: FileDescriptor, recipe: Task, source: Look, call: Call | undefined): Promise<Content> {
    try {
      return contentOf(
        await pool.convert({ source: source.integrity, recipe, read: () => readSource(file, source, call) }),
      )
    } catch (cause) {
      throw isDamage(cause) ? cause : conversionError(file, cause)
    }
  }

  /** What a process of its own makes of a source, kept under the hash of the source. */
  function useMade<T>(
    file: FileDescriptor,
    task: Task,
    source: Look,
    how: (content: Content) => Promise<T>,
    call: Call | undefined,
  ): Promise<T> {
    const turn = `made\n${source.integrity}`
    const wanted = { key: [turn, writeRecipe(task), versionsOf(task)].join('\n'), turn, signal: call?.signal }
    return store.use(wanted, () => convert(file, task, source, call), how)
  }

  async function useConverted<T>(
    file: FileDescriptor,
    recipe: Recipe,
    how: (content: Content) => Promise<T>,
    call: Call | undefined,
  ): Promise<T> {
    for (let round = 1; ; round++) {
      const source = await sources.look(file, call)
      onFile(file, source)
      try {
        return await useMade(file, recipe, source, how, call)
      } catch (error) {
        if (!isDamage(error) || round === rounds) throw isDamage(error) ? conversionError(file, error) : error
        await sources.forget(file, source.integrity)
      }
    }
  }

  /** A drawing and nothing more goes through byte for byte. */
  async function useDrawing<T>(
    file: FileDescriptor,
    recipe: SvgRecipe,
    how: (content: Content) => Promise<T>,
    call: Call | undefined,
  ): Promise<T> {
    const stored = await sources.read(file, call)
    onFile(file, stored)
    const active = recipe.policy === 'trust' || stored.bytes.length === 0 ? [] : await activeIn(file, stored, call)
    if (active.length > 0) refuseOrWarn(file, recipe, active)
    const changes = active.length > 0 || recipe.svgo === true || recipe.prefix !== undefined
    if (changes && stored.bytes.length > limits.bytes) throw conversionError(file, new Error(`it has ${tooLarge}`))
    return changes ? useConverted(file, recipe, how, call) : how(stored)
  }

  /** Checked here where it takes some milliseconds, as for icons; else in a process of its own. */
  async function activeIn(file: FileDescriptor, { bytes, cached }: Stored, call: Call | undefined): Promise<string[]> {
    if (bytes.length <= checkedHere || bytes.length > limits.bytes)
      return (await import('./svg/check.js')).findActive(bytes)
    const content = contentOf(bytes)
    const found = await useMade(file, { kind: 'check' }, { ...content, cached, content }, readContent, call)
    return JSON.parse(Buffer.from(found).toString())
  }

  function refuseOrWarn({ asset, label }: FileDescriptor, { policy }: SvgRecipe, active: string[]): void {
    const what = `${label} is an SVG that holds ${active.slice(0, 5).join(', ')}`
    if (policy === 'strict') {
      throw new ContentSpaceError('unsafeSvg', `${what}.`, {
        asset,
        hint: "Clean the file, or set option svg to 'sanitize'.",
      })
    }
    if (!warned.has(asset)) warn(`${what}: it is sanitised. Option svg: 'trust' passes it as it is.`)
    warned.add(asset)
  }

  async function useAs<T>(file: FileDescriptor, how: (content: Content) => Promise<T>, call?: Call): Promise<T> {
    const recipe = file.recipe === undefined ? undefined : readRecipe(file.recipe)
    if (recipe?.kind === 'svg') return useDrawing(file, recipe, how, call)
    if (recipe) return useConverted(file, recipe, how, call)
    return sources.use(
      file,
      async (found) => {
        onFile(file, found)
        return how(found)
      },
      call,
    )
  }

  async function use<T>(file: FileDescriptor, how: (content: Content) => Promise<T>, call?: Call): Promise<T> {
    return useAs(file, how, call).catch((error: unknown) => {
      throw sayScarce(error)
    })
  }

  const bytes: Files['bytes'] = (file, call) => use(file, readContent, call)

  return {
    use,
    bytes,
    ensure: (file, call) => use(file, checkContent, call),
    async value({ file, as }, call) {
      if (file.recipe === undefined && file.cut === undefined) refuseLarge(file, file.size)
      const read = await use(
        file,
        async (content) => {
          refuseLarge(file, content.size)
          return readContent(content)
        },
        call,
      )
      const data = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
      return as === 'raw' ? textOf(file, data) : `data:${mediaType(file.ext)};base64,${data.toString('base64')}`
    },
    has: (file) => sources.has(file),
    close: () => pool.close(),
  }
}

function refuseLarge({ asset, label }: FileDescriptor, size = 0): void {
  if (size <= largestValue) return
  throw new ContentSpaceError(
    'invalidQuery',
    `${label} has ${prettyBytes(size)}, which is too much to be part of a module.`,
    {
      asset,
      hint: `Import its address, without as=raw or as=inline: the limit is ${prettyBytes(largestValue)}.`,
    },
  )
}

function conversionError({ asset, label }: FileDescriptor, cause: unknown): ContentSpaceError {
  if (cause instanceof ContentSpaceError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ContentSpaceError('conversionFailed', `${label} cannot be converted: ${reason.trim()}.`, {
    asset,
    hint: 'Look at the file in the space; it may be damaged, or larger than what is converted here.',
    cause,
  })
}

function textOf({ asset, label, ext }: FileDescriptor, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ContentSpaceError('contentMismatch', `${label} (${ext}) is no text.`, {
      asset,
      hint: 'Import it with as=inline.',
      cause,
    })
  }
}

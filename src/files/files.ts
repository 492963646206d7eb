import { ContentSpaceError } from '../errors.js'
import type { Call } from '../space/space.js'
import { engineVersions } from './engine.js'
import { mediaType } from './media.js'
import type { FileDescriptor, ValueDescriptor } from './plan.js'
import { openPool } from './pool.js'
import { readRecipe, type Recipe, type SvgRecipe } from './recipe.js'
import { openSources, type SourceContext } from './source.js'
import { openStore, type Stored } from './store.js'

export interface FilesContext extends SourceContext {
  /** Absolute path. */
  cacheDir: string
  /** Told of each file that is read, once per reading: what is known of the bytes of the service behind it. */
  onFile: (file: FileDescriptor, read: { integrity: string; size: number; cached: boolean }) => void
}

/** Bytes of files. */
export interface Files {
  /**
   * Downloaded, verified and converted, or from the cache; made once, however many ask.
   * @throws ContentSpaceError what the download throws; `contentMismatch`, `integrity`, `offline`, `conversionFailed`, `unsafeSvg`
   */
  bytes(file: FileDescriptor, call?: Call): Promise<Uint8Array>
  /** A text made of the bytes: the text of the file, or a data URI. */
  value(value: ValueDescriptor, call?: Call): Promise<string>
  /** Whether what the service has to give for a file is in the cache. */
  has(this: void, file: FileDescriptor): Promise<boolean>
  /** Ends conversions under way. */
  close(): void
}

export function createFiles(context: FilesContext): Files {
  const { cacheDir, warn, onFile } = context
  const store = openStore(cacheDir, warn)
  const sources = openSources(store, context)
  const pool = openPool()
  const engine = engineVersions()
  const warned = new Set<string>()

  async function original(file: FileDescriptor, call: Call | undefined): Promise<Stored> {
    const stored = await sources.read(file, call)
    onFile(file, { integrity: stored.integrity, size: stored.bytes.length, cached: stored.cached })
    return stored
  }

  async function converted(file: FileDescriptor, recipe: Recipe, call: Call | undefined): Promise<Uint8Array> {
    const source = await sources.look(file, call)
    onFile(file, source)
    const family = `made\n${source.integrity}`
    const made = await store.getOnce([family, file.recipe, engine].join('\n'), family, async () => {
      try {
        return await pool.convert({ source: source.integrity, recipe, read: async () => (await sources.read(file, call)).bytes })
      } catch (cause) {
        throw conversionError(file, cause)
      }
    })
    return made.bytes
  }

  /** A drawing and nothing more goes through byte for byte. */
  async function drawing(file: FileDescriptor, recipe: SvgRecipe, call: Call | undefined): Promise<Uint8Array> {
    const stored = await original(file, call)
    const { findActive } = await import('./svg-check.js')
    const active = recipe.policy === 'trust' || stored.bytes.length === 0 ? [] : findActive(stored.bytes)
    if (active.length > 0) refuseOrWarn(file, recipe, active)
    const changes = active.length > 0 || recipe.svgo === true || recipe.prefix !== undefined
    return changes ? converted(file, recipe, call) : stored.bytes
  }

  function refuseOrWarn({ asset, label }: FileDescriptor, { policy }: SvgRecipe, active: string[]): void {
    const what = `${label} is an SVG that holds ${active.slice(0, 5).join(', ')}`
    if (policy === 'strict') {
      throw new ContentSpaceError('unsafeSvg', `${what}.`, { asset, hint: "Clean the file, or set option svg to 'sanitize'." })
    }
    if (!warned.has(asset)) warn(`${what}: it is sanitised. Option svg: 'trust' passes it as it is.`)
    warned.add(asset)
  }

  async function bytes(file: FileDescriptor, call?: Call): Promise<Uint8Array> {
    const recipe = file.recipe === undefined ? undefined : readRecipe(file.recipe)
    if (recipe === undefined) return (await original(file, call)).bytes
    return recipe.kind === 'svg' ? drawing(file, recipe, call) : converted(file, recipe, call)
  }

  return {
    bytes,
    async value({ file, as }, call) {
      const data = Buffer.from(await bytes(file, call))
      return as === 'raw' ? textOf(file, data) : `data:${mediaType(file.ext)};base64,${data.toString('base64')}`
    },
    has: (file) => sources.has(file),
    close: () => pool.close(),
  }
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
    throw new ContentSpaceError('contentMismatch', `${label} (${ext}) is no text.`, { asset, hint: 'Import it with as=inline.', cause })
  }
}

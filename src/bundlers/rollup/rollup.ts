import { dirname, resolve } from 'node:path'
import type { MagicString } from 'magic-string'
import type { PreRenderedAsset, RenderedChunk } from 'rollup'
import type { ResolvedOptions } from '../../config/options.js'
import type { FileDescriptor } from '../../files/plan.js'
import { NAME, type Adapter } from '../plugin.js'
import type { Session } from '../session/session.js'
import { rejectingHooks } from '../markup/unsupported.js'
import { rejectAddress } from '../references/dev-files.js'
import { joinUrl, nameFor } from '../references/file-names.js'
import { encodePath, scriptAddresses, type ScriptAddresses } from '../references/relative-url.js'
import { runtimeHooks, runtimeReference, shortModuleNames } from '../library-modules.js'
import { openMarks, type Marks } from '../references/marks.js'
import { isText, readableIds, TEXT_ID } from '../reports.js'

/** The output options that Rollup, Rolldown, and all versions of Vite have in common. */
interface Output {
  format: string
  dir?: string | undefined
  file?: string | undefined
  sourcemap: boolean | 'inline' | 'hidden'
  assetFileNames: string | ((asset: PreRenderedAsset & { name: string; originalFileName: string }) => string)
}

type Chunk = Pick<RenderedChunk, 'fileName'>

interface Context {
  meta: { watchMode: boolean }
  info(message: string): void
  warn(message: string): void
}

export interface Emitter {
  emitFile(file: { type: 'asset'; name?: string; fileName?: string; source: Uint8Array }): string
  getFileName(reference: string): string
}

/** Returns a JavaScript expression for the URL of an emitted file. */
export type WriteAddress = (
  file: { name: string; reference: string },
  script: ScriptAddresses,
  output: Output,
  options: ResolvedOptions,
) => string

/** Checks whether to inline a file in the scripts and style sheets that refer to it. */
export type IsSmall = (file: FileDescriptor, bytes: Uint8Array) => boolean

/**
 * Returns the hooks that emit files when chunks are rendered. At this point, Rollup and compatible bundlers have
 * already removed unused code, but still accept files.
 * @param findRule returns the check for files to inline; undefined if no files are inlined
 */
export function emissionHooks(
  session: Session,
  marks: Marks,
  writeAddress: WriteAddress,
  findRule = (): IsSmall | undefined => undefined,
) {
  const filesToOmit = new Set<string>()
  /**
   * Resolves when the preceding chunks have emitted their files. Files with the same name are numbered, so they must be
   * emitted in the order of chunks.
   */
  let turn = Promise.resolve()

  return {
    outputOptions: shortModuleNames,
    renderChunk: {
      // Run before minifiers, and before Vite replaces its own marks.
      order: 'pre' as const,
      // Without this filter, Rolldown would copy every chunk to JavaScript. Rollup ignores it.
      filter: { code: ['__CONTENT_SPACE_', '\\0content-space', '/__content-space/'] },
      async handler(this: Emitter, code: string, chunk: Chunk, output: Output) {
        if (!OURS.test(code)) return undefined
        rejectAddress(code, chunk.fileName)
        const before = turn
        const script = scriptAddresses(chunk.fileName, code, output.format)
        const replacing = marks.replace(code, output.format === 'es' ? 'module' : 'script', async (target) => {
          if ('value' in target) {
            const literal = await session.literal(target.value)
            return () => literal
          }
          const { options } = await session.engine()
          const isSmall = findRule()
          const uri = isSmall && (await session.small(target.file, (read) => isSmall(target.file, read)))
          if (uri !== undefined) return () => JSON.stringify(uri)
          const bytes = await session.file(target.file)
          await before
          return () => {
            const reference = emitBytes(this, target.file, bytes, namePattern(target.file, bytes, output))
            const name = this.getFileName(reference)
            if (!options.emitFiles) filesToOmit.add(name)
            return writeAddress({ name, reference }, script, output, options)
          }
        })
        turn = Promise.allSettled([before, replacing]).then(() => {})
        const text = await replacing
        if (text) await script.complete(text)
        const edited = await hideIds(code, text)
        // Skip the map if it isn't needed, because mapping a large chunk takes much longer than editing it.
        const map = edited && output.sourcemap !== false ? edited.generateMap({ hires: 'boundary' }) : null
        return edited && { code: edited.toString(), map }
      },
    },
    generateBundle(_output: Output, bundle: object) {
      // With `emitFiles: false`, emit files and remove them here: the bundler derives names from the bytes, and the
      // names must be the same as in the client build.
      for (const file of filesToOmit) Reflect.deleteProperty(bundle, file)
    },
  }
}

type Bundle = Record<string, { type: string; source?: string | Uint8Array }>

/**
 * Returns a hook that finds ids in chunks, and a function that warns about them and about ids in other files.
 * @param copied returns the folder whose files the bundler copies to the output, if any
 */
export function openTextIds(session: Session, copied?: () => string | undefined) {
  const chunks = new Map<string, string>()
  return {
    renderChunk: {
      // Run before minifiers. Without the filter, Rolldown would copy every chunk to JavaScript.
      order: 'pre' as const,
      filter: { code: 'content-space:' },
      handler(code: string, { fileName }: Chunk): void {
        if (TEXT_ID.test(code)) chunks.set(fileName.replace(/!~\{\w+\}~/, '[hash]'), code)
      },
    },
    async warn(context: { getModuleIds: () => Iterable<string> }, bundle: Bundle): Promise<void> {
      const texts = [...chunks]
      chunks.clear()
      if (session.host.command !== 'build') return
      for (const name of Object.keys(bundle).filter(isText)) {
        // Read the source once, because Rolldown copies it on each access.
        const { source } = bundle[name] ?? {}
        const text = source === undefined ? '' : Buffer.from(source).toString()
        if (TEXT_ID.test(text)) texts.push([name, text])
      }
      const folder = copied?.()
      if (texts.length === 0 && folder === undefined) return
      const { textsIn, warnOfTextIds } = await import('../text-ids.js')
      const files = folder === undefined ? [] : await textsIn(folder)
      await warnOfTextIds(session, [...texts, ...files], [...context.getModuleIds(), ...files.map(([path]) => path)])
    },
  }
}

/**
 * Returns the hooks that finish a build.
 * @param complete called when a build has written its files, before the session is closed
 */
export function endHooks(session: Session, complete: () => Promise<void>) {
  return {
    /** Rollup adds the id of a module to errors from its `load` hook. */
    buildEnd(error?: Error) {
      if (error) error.message = readableIds(error.message)
    },
    writeBundle: () => session.finish(),
    async closeBundle() {
      if (session.host.command === 'watch') return
      await complete()
      await session.close()
    },
    closeWatcher: () => session.close(),
  }
}

/** Matches chunks that contain marks, ids in comments, or URLs of a dev server. */
const OURS = /__CONTENT_SPACE_|\\0content-space|\/__content-space\//

/**
 * The id of a module in a comment that Rolldown writes before the module's code. The pattern begins with the literal
 * text, because that makes the search fast.
 */
const ID_IN_COMMENT = /\\0content-space(?<=^\/\/(?:#region)? \\0content-space)(?:-runtime)?:.*$/gm

/**
 * Removes ids from comments, because they are long and meaningless outside the build.
 * @param edited the edited code, if it has been edited
 * @returns undefined if nothing was edited
 */
async function hideIds(code: string, edited: MagicString | undefined): Promise<MagicString | undefined> {
  const comments = [...code.matchAll(ID_IN_COMMENT)]
  if (comments.length === 0) return edited
  const text = edited ?? new (await import('magic-string')).MagicString(code)
  for (const { index, 0: id } of comments) text.update(index, index + id.length, NAME)
  return text
}

/**
 * @param pattern `output.assetFileNames`, if known
 * @returns the bundler's reference to the emitted file
 */
export function emitBytes(
  emitter: Pick<Emitter, 'emitFile'>,
  file: FileDescriptor,
  source: Uint8Array,
  pattern?: unknown,
): string {
  const name = `${nameFor(file, pattern)}.${file.ext}`
  return emitter.emitFile({ type: 'asset', ...(file.set === undefined ? { name } : { fileName: name }), source })
}

/** Returns the pattern for the name of a file. The user's configuration may compute it with a function. */
function namePattern(file: FileDescriptor, source: Uint8Array, { assetFileNames }: Output): string {
  if (typeof assetFileNames === 'string') return assetFileNames
  const name = `${file.name}.${file.ext}`
  return assetFileNames({ type: 'asset', name, names: [name], originalFileName: '', originalFileNames: [], source })
}

export function rollupAdapter(session: Session): Adapter {
  const marks = openMarks()
  let platformIsNode = false
  let tsdown = false
  const writeAddress: WriteAddress = ({ name }, script, { format }, { publicPath }) => {
    if (publicPath !== undefined) return JSON.stringify(joinUrl(publicPath, encodePath(name)))
    if ((format === 'cjs' || platformIsNode) && !tsdown) session.warnOfFileUrls()
    return script.of(name)
  }
  const folders = new Set<string>()
  const end = endHooks(session, async () => {
    const { completeTypes } = await import('../library-types.js')
    for (const folder of folders) await completeTypes(session, folder)
  })
  const hooks = {
    ...emissionHooks(session, marks, writeAddress),
    ...end,
    async writeBundle({ dir, file = '' }: Output) {
      folders.add(resolve(session.host.root, dir ?? dirname(file)))
      await session.finish()
    },
    // Run after plugins that write declarations.
    closeBundle: { order: 'post' as const, sequential: true, handler: () => end.closeBundle() },
    /** A hook that only tsdown calls. */
    tsdownConfigResolved({ dts }: { dts: false | { eager?: boolean } }) {
      tsdown = true
      // Otherwise, tsdown reads only files that other files import, so it doesn't know the types of content.
      if (dts) dts.eager ??= true
    },
    async buildStart(this: Context, input: object) {
      session.configure({
        // Rolldown has an option `cwd`. Rollup always uses the working directory.
        root: 'cwd' in input && typeof input.cwd === 'string' ? input.cwd : process.cwd(),
        command: this.meta.watchMode ? 'watch' : 'build',
        log: { info: (message) => this.info(message), warn: (message) => this.warn(message) },
      })
      platformIsNode = 'platform' in input && input.platform === 'node'
      await session.start()
    },
  }
  const references = { ...marks.references, runtime: runtimeReference }
  const rejecting = rejectingHooks()
  const texts = openTextIds(session)
  const late = {
    ...rejecting,
    ...runtimeHooks(),
    renderChunk: texts.renderChunk,
    generateBundle: {
      order: 'post' as const,
      async handler(this: Parameters<typeof texts.warn>[0], output: unknown, bundle: Bundle) {
        await rejecting.generateBundle(output, bundle)
        await texts.warn(this, bundle)
      },
    },
  }
  return {
    prefix: '\0',
    readsFrames: true,
    leavesOut: () => true,
    references: () => references,
    options: { rollup: hooks, rolldown: hooks },
    lateOptions: { rollup: late, rolldown: late },
  }
}

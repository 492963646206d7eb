import type { BuildEnvironmentOptions, Environment, Logger, Plugin } from 'vite'
import type { FileDescriptor } from '../../files/plan.js'
import { rejectAddress, type DevFiles } from '../references/dev-files.js'
import type { Marks } from '../references/marks.js'
import { STYLE_SHEET } from '../plugin.js'
import { emitBytes, type Emitter, type IsSmall, type openTextIds } from '../rollup/rollup.js'
import type { Session } from '../session/session.js'

/** Returns a mark that Vite replaces with a URL, which depends on `base`, `renderBuiltUrl`, format, and environment. */
export function viteMark(reference: string): string {
  return `__VITE_ASSET__${reference}__`
}

/** A style sheet with one of these queries isn't compiled. For example, `?raw` imports its text. */
const UNCOMPILED = /[?&](?:raw|url|worker|sharedworker|commonjs-proxy)\b/

/** Vite's warning about a URL that this plugin replaces or rejects. */
const UNRESOLVED = /\b(?:content-space:|__CONTENT_SPACE_|__content-space\/)[^\n]*didn't resolve at build time/

/** Ids, marks of a server inside the build, and URLs of a dev server. */
export const SHEET_CODE = ['content-space:', 'content-space/', '__CONTENT_SPACE_']

/** Vite's default for `build.assetsInlineLimit`. */
const DEFAULT_LIMIT = 4096

/**
 * Returns the check for files that the configuration inlines in scripts and style sheets. With Vite's default limit, no
 * files are inlined, because most logos and icons are smaller than that, and as separate files they are loaded once.
 */
export function smallFiles({ assetsInlineLimit: limit }: BuildEnvironmentOptions): IsSmall | undefined {
  if (limit === undefined || limit === 0 || limit === DEFAULT_LIMIT) return undefined
  return ({ name, ext }, bytes) => {
    if (typeof limit === 'number') return bytes.length < limit
    return limit(`${name}.${ext}`, Buffer.from(bytes)) ?? bytes.length < DEFAULT_LIMIT
  }
}

/** The context of a hook. Vite before version 6 doesn't have environments. */
type Context = Emitter & { environment?: Environment }

function environmentOf({ environment }: Context): string {
  return environment?.name ?? ''
}

/**
 * Prevents Vite's warnings about ids in style sheets, because Vite doesn't replace them itself.
 * @param logger modified in place
 */
export function ignoreUnresolvedIds(logger: Logger): void {
  const warnOnce = logger.warnOnce.bind(logger)
  logger.warnOnce = (message, options) => {
    if (!UNRESOLVED.test(message)) warnOnce(message, options)
  }
}

/**
 * Returns hooks that replace ids in style sheets and pages: some for a plugin that runs before Vite's plugins, and some
 * for one that runs after them.
 *
 * Style sheets are changed after Vite has compiled them, because their imports and Sass files don't pass through
 * plugins.
 *
 * In builds, pages are changed before Vite reads them, and Vite keeps the marks of emitted files. In dev, they are
 * changed afterwards, because Vite adds `base` to the URLs that it finds.
 * @param marks the marks that a server inside the build has written to style sheets
 * @param inlines whether style sheets contain files as data URIs, as in libraries that Vite builds. As URLs, they would
 *   begin at the root of the site that uses the library.
 * @param texts finds ids that remain as plain text
 * @param findRule returns the check for files to inline; undefined if no files are inlined
 * @returns the hooks, and a function that returns the names of emitted files
 */
export function markupHooks(
  session: Session,
  devFiles: DevFiles,
  marks: Marks,
  inlines: () => boolean,
  texts: ReturnType<typeof openTextIds>,
  findRule: () => IsSmall | undefined,
): {
  startEnvironment: (context: Context) => void
  early: Partial<Plugin>
  late: Partial<Plugin>
  names: (context: Context) => string[]
} {
  const serving = (): boolean => session.host.command === 'serve'
  /**
   * The references of emitted files by environment. The value is true if only another build emits the file (`emitFiles:
   * false`).
   */
  const emitted = new Map<string, Map<string, boolean>>()
  /** The client environment's context, because hooks for pages can't emit files in every version of Vite. */
  let client: Context | undefined

  function startEnvironment(context: Context): void {
    emitted.set(environmentOf(context), new Map())
    if (context.environment?.config.consumer !== 'server') client = context
  }

  async function emitMark(emitter: Context | undefined, file: FileDescriptor, isAlone = false): Promise<string> {
    if (emitter === undefined) throw new Error('A page is transformed before the build has started.')
    const isSmall = isAlone ? undefined : findRule()
    const uri = isSmall && (await session.small(file, (bytes) => isSmall(file, bytes)))
    if (uri !== undefined) return uri
    const [bytes, { options }] = await Promise.all([session.file(file), session.engine()])
    const reference = emitBytes(emitter, file, bytes)
    emitted.get(environmentOf(emitter))?.set(reference, !options.emitFiles)
    return viteMark(reference)
  }

  return {
    startEnvironment,
    names: (context) =>
      [...(emitted.get(environmentOf(context))?.keys() ?? [])].map((reference) => context.getFileName(reference)),
    early: {
      transformIndexHtml: {
        order: 'pre',
        async handler(html, { filename }) {
          if (serving() || !html.includes('content-space:')) return undefined
          const { replaceIdsInPage } = await import('./html.js')
          return replaceIdsInPage(session, html, filename, (...to) => emitMark(client, ...to), 'styles')
        },
      },
    },
    late: {
      transform: {
        filter: { id: STYLE_SHEET, code: SHEET_CODE },
        async handler(given, sheet) {
          // Versions of Vite that don't support filters pass every module.
          if (!STYLE_SHEET.test(sheet) || UNCOMPILED.test(sheet)) return undefined
          if (!SHEET_CODE.some((text) => given.includes(text))) return undefined
          if (!serving()) rejectAddress(given, sheet)
          session.release(sheet)
          const { replaceIds } = await import('./style-sheet.js')
          const watched = serving() && session.isFollowed() ? undefined : await session.watchedFile()
          if (watched !== undefined) this.addWatchFile(watched)
          const addressOf = async (file: FileDescriptor, isAlone?: boolean): Promise<string> => {
            if (serving()) return devFiles.address(file)
            if (!inlines()) return emitMark(this, file, isAlone)
            const [engine, { readValue }] = await Promise.all([session.engine(), import('../session/content.js')])
            return readValue(engine, { file, as: 'inline' })
          }
          const code = await marks.replaceInText(given, '', async (target) =>
            'file' in target ? addressOf(target.file) : '',
          )
          const text = await replaceIds(session, code, sheet, addressOf)
          return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) }
        },
      },
      transformIndexHtml: {
        order: 'post',
        // Plugins such as Storybook's may add ids to a page after the first hook.
        async handler(html, { filename }) {
          if (!html.includes('content-space:')) return undefined
          const { replaceIdsInPage } = await import('./html.js')
          if (!serving()) return replaceIdsInPage(session, html, filename, (...to) => emitMark(client, ...to))
          const { makeAbsolute } = await import('./absolute.js')
          const replaced = await replaceIdsInPage(session, html, filename, (file) => devFiles.address(file))
          return makeAbsolute(session, replaced, filename)
        },
      },
      renderChunk: texts.renderChunk,
      generateBundle: {
        order: 'post',
        async handler(_, bundle) {
          for (const [reference, isOmitted] of emitted.get(environmentOf(this)) ?? [])
            if (isOmitted) Reflect.deleteProperty(bundle, this.getFileName(reference))
          for (const name of Object.keys(bundle).filter((path) => path.endsWith('.html'))) {
            // Rolldown copies a source each time it is read.
            const asset = bundle[name]
            if (asset?.type !== 'asset' || typeof asset.source !== 'string') continue
            if (!asset.source.includes('content-space')) continue
            rejectAddress(asset.source, asset.fileName)
            const { makeAbsolute } = await import('./absolute.js')
            asset.source = await makeAbsolute(session, asset.source, asset.fileName)
          }
          await texts.warn(this, bundle)
        },
      },
    },
  }
}

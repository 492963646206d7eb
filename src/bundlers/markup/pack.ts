import type { FileDescriptor } from '../../files/plan.js'
import { isText, TEXT_ID } from '../reports.js'
import type { Session } from '../session/session.js'
import type { StubNames } from '../references/file-stubs.js'
import type { Compilation, Compiler, LoaderContext } from 'webpack'
import type { LoaderOptions, Replace } from '../pack/loader.js'
import type { AddressOf } from './style-sheet.js'

/** Returns the request of the asset module for a file. */
type StubOf = (file: FileDescriptor) => string

/**
 * Returns the functions that replace ids in the style sheets and pages that css-loader, html-loader, and the bundler
 * read, and in emitted pages and style sheets that none of them has read.
 */
export function markupOf(compiler: Compiler, session: Session, stubOf: StubOf, names: StubNames) {
  const addressOf: AddressOf = async (file, isAlone) => (isAlone ? undefined : await names.small(file)) ?? stubOf(file)
  const watch = (context: LoaderContext<LoaderOptions>): Promise<void> => {
    limitCache(context, compiler.watchMode && compiler.options.cache)
    return watchContent(session, (file) => context.addDependency(file))
  }
  const replaceInSheet: Replace = async (code, sheet, context) => {
    const [{ replaceIds, requireNoFragments }] = await Promise.all([import('./style-sheet.js'), watch(context)])
    requireNoFragments(code, sheet)
    return (await replaceIds(session, code, sheet, addressOf)).toString()
  }
  const replaceInPage: Replace = async (code, page, context) => {
    const { _compiler: own } = context
    // Leave templates of plugins that emit pages unchanged and replace ids in the emitted page instead, because names
    // of files that a child compilation emits may change after the plugin has read them.
    if (own?.isChild()) return code
    const [{ replaceIdsInPage }] = await Promise.all([import('./html.js'), watch(context)])
    return replaceIdsInPage(session, code, page, addressOf, 'sources')
  }
  return {
    replaceInSheet,
    replaceInPage,
    replaceInAssets: (compilation: Compilation) => replaceInAssets(compiler, compilation, session, names),
  }
}

/**
 * Makes the bundler build again when content changes.
 * @param add makes the bundler watch a file
 */
async function watchContent(session: Session, add: (file: string) => unknown): Promise<void> {
  const watched = await session.watchedFile()
  if (watched !== undefined) add(watched)
}

/**
 * Keeps a content module out of caches, because it depends on the service and the lockfile, and the bundler doesn't
 * notice when these change. A bundler in watch mode may keep it in memory, because the module also depends on a file
 * that changes with the content.
 * @param cache the `cache` setting in watch mode, otherwise false
 */
export function limitCache(loader: Pick<LoaderContext<unknown>, 'cacheable'>, cache: unknown): void {
  if (Object(cache).type !== 'memory') loader.cacheable(false)
}

/**
 * Replaces ids in pages and style sheets of the output if no loader has replaced them: plugins may make pages from
 * templates without any loader, and some loaders for style sheets leave URLs unchanged.
 */
async function replaceInAssets(
  compiler: Compiler,
  compilation: Compilation,
  session: Session,
  names: StubNames,
): Promise<void> {
  const { sources } = compiler.webpack
  const texts: [path: string, text: string][] = []
  for (const asset of compilation.getAssets()) {
    const { name } = asset
    const [path = ''] = name.split('?')
    const isReplaced = /\.(?:html?|css)$/.test(path)
    // Only builds warn about ids in other files. Rspack copies the text of an asset each time its source is read.
    const isRead = isReplaced || (session.host.command === 'build' && isText(path))
    const text = isRead ? asset.source.buffer().toString() : ''
    if (!text.includes('content-space')) continue
    if (!isReplaced) {
      if (TEXT_ID.test(text)) texts.push([path, text])
      continue
    }
    await watchContent(session, (file) => compilation.fileDependencies.add(file))
    try {
      const { replaceInOutput } = await import('./pack-pages.js')
      const replaced = await replaceInOutput(text, path, compiler, compilation, session, names)
      if (TEXT_ID.test(replaced)) texts.push([path, replaced])
      // Hashes in names are updated afterwards only in sources that are strings.
      if (replaced !== text) compilation.updateAsset(name, new sources.RawSource(replaced), (info) => info)
    } catch (error) {
      compilation.errors.push(error instanceof Error ? error : new Error(String(error)))
      // A dev server needs the page for its error overlay.
      if (session.host.command !== 'serve') compilation.deleteAsset(name)
    }
  }
  if (texts.length === 0 || session.host.command !== 'build') return
  const { warnOfTextIds } = await import('../text-ids.js')
  await warnOfTextIds(session, texts, compilation.fileDependencies)
}

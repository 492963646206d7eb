import type { FileDescriptor } from '../../files/plan.js'
import { NAME } from '../plugin.js'
import { isText, TEXT_ID } from '../reports.js'
import type { Session } from '../session/session.js'
import type { StubNames } from '../references/file-stubs.js'
import type { Compiler, LoaderContext } from 'webpack'
import type { LoaderOptions, Replace } from '../pack/loader.js'
import type { AddressOf } from './style-sheet.js'

/** Returns the request of the asset module of a file. */
type StubOf = (file: FileDescriptor) => string

/**
 * Replaces ids in style sheets and pages: in those that css-loader, html-loader and the bundler itself read, and in
 * emitted pages and style sheets that none of them has read.
 */
export function addMarkup(compiler: Compiler, session: Session, stubOf: StubOf, names: StubNames): void {
  const addressOf: AddressOf = async (file, isAlone) => (isAlone ? undefined : await names.small(file)) ?? stubOf(file)
  const insert = (): Promise<void> => insertLoaders(compiler, session, addressOf)
  compiler.hooks.beforeRun.tapPromise(NAME, insert)
  compiler.hooks.watchRun.tapPromise(NAME, insert)
  replaceInAssets(compiler, session, names)
}

async function insertLoaders(compiler: Compiler, session: Session, addressOf: AddressOf): Promise<void> {
  const { insertLoaders: insert, addSheetRule, CSS_LOADER, HTML_LOADER } = await import('./pack-rules.js')
  const watch = (context: LoaderContext<LoaderOptions>): Promise<void> => {
    limitCache(context, compiler.watchMode && compiler.options.cache)
    return watchContent(session, (file) => context.addDependency(file))
  }
  const replaceInSheet: Replace = async (code, sheet, context) => {
    const [{ replaceIds, requireNoFragments }] = await Promise.all([import('./style-sheet.js'), watch(context)])
    requireNoFragments(code, sheet)
    return (await replaceIds(session, code, sheet, addressOf)).toString()
  }
  const { rules } = compiler.options.module
  addSheetRule(rules, replaceInSheet)
  insert(rules, [
    { loader: CSS_LOADER, replace: replaceInSheet },
    {
      loader: HTML_LOADER,
      async replace(code, page, context) {
        const { _compiler: own } = context
        // A template of a plugin that emits pages. Its ids are replaced in the page: the names of files that a child
        // compilation emits may change after the plugin has read them.
        if (own?.isChild()) return code
        const [{ replaceIdsInPage }] = await Promise.all([import('./html.js'), watch(context)])
        return replaceIdsInPage(session, code, page, addressOf, 'sources')
      },
    },
  ])
}

/** @param add lets the bundler build again when a file changes */
async function watchContent(session: Session, add: (file: string) => unknown): Promise<void> {
  const watched = await session.watchedFile()
  if (watched !== undefined) add(watched)
}

/**
 * Keeps a content module out of caches: it depends on the service and the lockfile, and the bundler doesn't notice
 * their changes. A bundler that watches may keep it in memory, because it also depends on a file that changes with the
 * content.
 * @param cache the setting of a bundler that watches, otherwise false
 */
export function limitCache(loader: Pick<LoaderContext<unknown>, 'cacheable'>, cache: unknown): void {
  if (Object(cache).type !== 'memory') loader.cacheable(false)
}

/**
 * Replaces ids in the pages and style sheets of the output that no loader has replaced: plugins make pages from
 * templates that may pass through no loader, and some loaders of style sheets leave addresses unchanged.
 */
function replaceInAssets(compiler: Compiler, session: Session, names: StubNames): void {
  const { Compilation, sources } = compiler.webpack
  compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
    // After the plugins that emit pages, and before hashes and compressed copies are made.
    const options = { name: NAME, stage: Compilation.PROCESS_ASSETS_STAGE_SUMMARIZE }
    compilation.hooks.processAssets.tapPromise(options, async () => {
      const texts: [path: string, text: string][] = []
      for (const asset of compilation.getAssets()) {
        const { name } = asset
        const [path = ''] = name.split('?')
        // Rspack copies the text of an asset when its source is read.
        const text = isText(path) ? asset.source.buffer().toString() : ''
        if (!text.includes('content-space')) continue
        if (!/\.(?:html?|css)$/.test(path)) {
          if (TEXT_ID.test(text)) texts.push([path, text])
          continue
        }
        await watchContent(session, (file) => compilation.fileDependencies.add(file))
        try {
          const { replaceInOutput } = await import('./pack-pages.js')
          const replaced = await replaceInOutput(text, path, compiler, compilation, session, names)
          if (TEXT_ID.test(replaced)) texts.push([path, replaced])
          // Only in sources that are strings, hashes in names are updated afterwards.
          if (replaced !== text) compilation.updateAsset(name, new sources.RawSource(replaced), (info) => info)
        } catch (error) {
          compilation.errors.push(error instanceof Error ? error : new Error(String(error)))
          // A dev server shows its overlay in the page.
          if (session.host.command !== 'serve') compilation.deleteAsset(name)
        }
      }
      if (texts.length === 0 || session.host.command !== 'build') return
      const { warnOfTextIds } = await import('../text-ids.js')
      await warnOfTextIds(session, texts, compilation.fileDependencies)
    })
  })
}

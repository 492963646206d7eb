import { createRspackPlugin, createWebpackPlugin } from 'unplugin'
import { contentSpace, type Adapter } from '../bundlers/plugin.js'
import { openSession, type Session } from '../bundlers/session/session.js'
import { rspackAdapter, webpackAdapter, withPictureStyles } from '../bundlers/pack/pack.js'
import type { Options } from '../config/options.js'
import { consoleLog } from '../print.js'

/** The part of Docusaurus 3's plugin interface that is used here. */
interface DocusaurusPlugin {
  name: string
  configureWebpack(
    config: { output?: { assetModuleFilename?: unknown } | undefined },
    isServer: boolean,
    utils?: { currentBundler?: { name: string } },
  ): { plugins: unknown[]; output: { assetModuleFilename?: string } }
  postBuild(site: { outDir: string }): Promise<void>
}

/** The location of Docusaurus's own pictures. Without it, webpack and Rspack name files only by their hashes. */
const assetModuleFilename = 'assets/images/[name]-[contenthash][ext]'

/**
 * A Docusaurus plugin, for both of its bundlers: `plugins: ['unplugin-content-space/docusaurus']`, or a pair of this
 * name and options.
 * @param options as for the other plugins; default to the configuration file. Docusaurus adds `id`.
 */
export function contentSpaceDocusaurus(
  _context: unknown,
  { id: _id, ...options }: Options & { id?: string } = {},
): DocusaurusPlugin {
  const opened = openSession(options)
  const session: Session = {
    ...opened,
    // The dev server's loggers print only warnings.
    configure: (known) =>
      opened.configure(known.log ? { ...known, log: { ...known.log, info: consoleLog.info } } : known),
  }
  let adapter: Adapter | undefined
  return {
    name: 'unplugin-content-space',
    configureWebpack({ output }, _isServer, { currentBundler } = {}) {
      const rspack = currentBundler?.name === 'rspack'
      // The compilers for the browser and for prerendering run at the same time. They share the adapter, which closes
      // the session after the last compiler.
      const factory = contentSpace(
        () => (adapter ??= withPictureStyles(rspack ? rspackAdapter(session) : webpackAdapter(session))),
        session,
      )
      const plugin = (rspack ? createRspackPlugin(factory) : createWebpackPlugin(factory))()
      return { plugins: [plugin], output: output?.assetModuleFilename === undefined ? { assetModuleFilename } : {} }
    },
    // Docusaurus calls this hook after it has rendered the pages with the compilers' output.
    async postBuild({ outDir }) {
      const { warnOfRenderedIds } = await import('../bundlers/text-ids.js')
      await warnOfRenderedIds(session, outDir)
    },
  }
}

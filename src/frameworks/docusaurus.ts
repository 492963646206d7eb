import { createRspackPlugin, createWebpackPlugin } from 'unplugin'
import { contentSpace } from '../bundlers/plugin.js'
import { openSession } from '../bundlers/session/session.js'
import { rspackAdapter, webpackAdapter } from '../bundlers/webpack.js'
import type { Options } from '../config/options.js'

/** The part of the plugin interface of Docusaurus 3 that is used here. */
interface DocusaurusPlugin {
  name: string
  configureWebpack(
    config: { output?: { assetModuleFilename?: unknown } | undefined },
    isServer: boolean,
    utils?: { currentBundler?: { name: string } },
  ): { plugins: unknown[]; output: { assetModuleFilename?: string } }
}

/** Where Docusaurus has its own pictures. Without it, webpack and Rspack name files by their hash alone. */
const assetModuleFilename = 'assets/images/[name]-[contenthash][ext]'

/**
 * A plugin of Docusaurus, for both of its bundlers: `plugins: ['unplugin-content-space/docusaurus']`, or a pair of this
 * name and options.
 * @param options those of the other plugins; default: the configuration file. Docusaurus adds `id`.
 */
export function contentSpaceDocusaurus(
  _context: unknown,
  { id: _id, ...options }: Options & { id?: string } = {},
): DocusaurusPlugin {
  const session = openSession(options)
  const open = () => session
  let plugin: unknown
  return {
    name: 'unplugin-content-space',
    configureWebpack({ output }, _isServer, { currentBundler } = {}) {
      // The compilers for the browser and for prerendering share the content, and have one summary.
      plugin ??=
        currentBundler?.name === 'rspack'
          ? createRspackPlugin(contentSpace(rspackAdapter, open))()
          : createWebpackPlugin(contentSpace(webpackAdapter, open))()
      return { plugins: [plugin], output: output?.assetModuleFilename === undefined ? { assetModuleFilename } : {} }
    },
  }
}

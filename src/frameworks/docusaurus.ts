import { latePlugin } from '../bundlers/pack/late.js'
import type { Bundler } from '../bundlers/pack/names.js'
import type { Pack } from '../bundlers/pack/pack.js'
import type { Options } from '../config/options.js'

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
 * @param options the same as for the other plugins; by default, from the configuration file. Docusaurus adds `id`.
 */
export function contentSpaceDocusaurus(
  _context: unknown,
  { id: _id, ...options }: Options & { id?: string } = {},
): DocusaurusPlugin {
  let pack: Promise<Pack> | undefined
  let plugin: object | undefined
  async function open(bundler: Bundler): Promise<Pack> {
    const { openPack } = await import('../bundlers/pack/pack.js')
    return openPack(bundler, options, { printsInfo: true, pictureStyles: true })
  }
  return {
    name: 'unplugin-content-space',
    configureWebpack({ output }, _isServer, { currentBundler } = {}) {
      const bundler = currentBundler?.name === 'rspack' ? 'rspack' : 'webpack'
      // The compilers for the browser and for prerendering run at the same time. They share the plugin, which closes
      // the session after the last compiler.
      plugin ??= latePlugin(bundler, options, () => (pack ??= open(bundler)))
      return { plugins: [plugin], output: output?.assetModuleFilename === undefined ? { assetModuleFilename } : {} }
    },
    // Docusaurus calls this hook after it has rendered the pages with the compilers' output.
    async postBuild({ outDir }) {
      const { checkPages } = await (pack ??= open('webpack'))
      await checkPages(outDir)
    },
  }
}

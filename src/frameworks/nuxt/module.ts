import { copyFile, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { addVitePlugin, defineNuxtModule } from '@nuxt/kit'
import type { Nuxt, TypesPayload } from '@nuxt/schema'
import { createRollupPlugin, createVitePlugin } from 'unplugin'
import { messageOf } from '../../errors.js'
import { contentSpace } from '../../bundlers/plugin.js'
import { devFiles } from '../../bundlers/references/dev-files.js'
import { joinUrl } from '../../bundlers/references/file-names.js'
import { openSession, type Session } from '../../bundlers/session/session.js'
import { viteAdapter } from '../../bundlers/rollup/vite.js'
import type { Options } from '../../config/options.js'
import { ownFile } from '../../disk/own-file.js'
import { nitroAdapter } from './nitro.js'

/** Nuxt declares this type in @nuxt/schema. This package can't import it with package managers that don't hoist. */
type NuxtModule = (inlineOptions: Partial<Options>, nuxt: object) => Promise<void>

/**
 * The Nuxt module, with its options under `contentSpace`. Vite builds pages and Nitro builds server routes. Both share
 * one session, rooted at Nuxt's `rootDir`, and the same files.
 */
export const nuxtModule: NuxtModule = defineNuxtModule<Options>({
  meta: { name: 'unplugin-content-space', configKey: 'contentSpace', compatibility: { nuxt: '>=3.17.0' } },
  setup(options, nuxt) {
    const { rootDir, buildDir, dev, app } = nuxt.options
    const session = openSession(options, { root: rootDir })
    session.configure({ command: dev ? 'serve' : 'build', mode: dev ? 'development' : 'production' })
    const files = devFiles(session)
    const assetsDir = app.buildAssetsDir.replace(/^\//, '')
    files.serveFrom({ base: joinUrl(app.baseURL, assetsDir), origin: '' })
    const names = new Set<string>()
    const client = join(buildDir, 'dist/client')
    const plugin = contentSpace(() => viteAdapter(session, { files, addressOf, names, output: client }), session)
    addVitePlugin(() => createVitePlugin(plugin)(options))

    let publicDir = ''
    nuxt.hook('nitro:init', (nitro) => {
      publicDir = nitro.options.output.publicDir
      nitro.hooks.hook('prerender:done', async () => {
        const { warnOfRenderedIds } = await import('../../bundlers/text-ids.js')
        await warnOfRenderedIds(session, publicDir)
      })
    })
    const folders = () => ({ public: join(publicDir, assetsDir), built: join(client, assetsDir) })
    // Application icons are at the root of Vite's output, but Nuxt copies only the folder with the other files.
    nuxt.hook('nitro:build:public-assets', async () => {
      for (const name of await readdir(client))
        if (names.has(name)) await copyFile(join(client, name), join(publicDir, name))
    })
    const serverPlugin = contentSpace(() => nitroAdapter(session, files, folders), session)
    nuxt.hook('nitro:config', (config) => {
      config.rollupConfig = {
        ...config.rollupConfig,
        plugins: [...(config.rollupConfig?.plugins ?? []), createRollupPlugin(serverPlugin)(options)],
      }
    })
    addDeclarations(nuxt, session)
    addImageProvider(nuxt)
    nuxt.hook('close', () => session.close())
  },
})

/**
 * Writes code that computes the address of a file with Nuxt's own function, which returns the same address in scripts
 * of the server and the browser. By default, Nuxt makes Vite write addresses relative to the script for the browser, so
 * the browser would load pictures again after hydration.
 */
function addressOf(name: string): string {
  return `globalThis.__publicAssetsURL(${JSON.stringify(name)})`
}

/** Adds the declarations to the tsconfigs of the app, the server and `shared`. `nuxt prepare` writes them. */
function addDeclarations(nuxt: Nuxt, session: Session): void {
  const { buildDir, _prepare: preparing } = nuxt.options
  async function include(...configs: TypesPayload['sharedTsConfig'][]): Promise<void> {
    // The import of content and `writeDeclarations` report errors, so ignore them here.
    const types = (await session.engine().catch(() => undefined))?.options.types
    if (!types) return
    const path = relative(buildDir, types).replaceAll('\\', '/')
    for (const config of configs) if (config) config.include = [...(config.include ?? []), path]
  }
  nuxt.hook('nitro:init', ({ hooks }) => hooks.hook('types:extend', ({ tsConfig }) => include(tsConfig)))
  nuxt.hook('prepare:types', async ({ tsConfig, sharedTsConfig }) => {
    if (preparing) await writeDeclarations(session)
    await include(tsConfig, sharedTsConfig)
  })
}

/**
 * Adds `<NuxtImg provider="contentSpace">`. Nuxt Image reads its options during its setup, which runs after this
 * module.
 */
function addImageProvider({ options }: Nuxt): void {
  const provider = ownFile('frameworks/nuxt/image-provider.js')
  options.image = { ...options.image, providers: { contentSpace: { provider }, ...options.image?.providers } }
}

/**
 * Writes declarations. `nuxt prepare` succeeds even without access to the space, because it runs when packages are
 * installed.
 */
async function writeDeclarations(session: Session): Promise<void> {
  try {
    const [engine, { finish }] = await Promise.all([session.engine(), import('../../bundlers/session/content.js')])
    const { warnings } = await finish(engine)
    for (const warning of warnings) session.host.log.warn(`content-space: ${warning}`)
  } catch (error) {
    session.host.log.warn(`content-space: No types were written. ${messageOf(error)}`)
  }
}

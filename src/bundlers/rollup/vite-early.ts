import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ResolvedConfig, ViteBuilder, ViteDevServer } from 'vite'
import type { Options } from '../../config/options.js'
import { ignoreUnresolvedIds } from '../markup/vite.js'
import { mayWriteTokens } from '../may-write-tokens.js'
import type { Middleware } from '../references/dev-files.js'
import { COPIED } from '../reports.js'
import { hasId, hasIds, outputOptions, type EarlyHooks, type Open } from './late.js'
import { hotUpdate, removeHtmlHooks } from './vite.js'
import { folderOfPages } from './vite-app.js'
import { printAddress } from './vite-kit-browser.js'
import { librarySettings } from './vite-library.js'
import { addShortcut } from './vite-live.js'

/** Matches the URLs of the kit browser and of content. */
const URLS = /\/__content-space(?:$|[/?])/

/**
 * Milliseconds after which a dev server loads the plugins, so that declarations are written before a page is requested.
 */
const startMilliseconds = 500

/** Returns the hooks that run until the first id is seen. `late-vite.ts` loads this file when Vite runs. */
export function viteEarly(options: Options | undefined, open: Open): EarlyHooks {
  let config: ResolvedConfig | undefined
  let timer: NodeJS.Timeout | undefined
  /** Whether one command builds all environments, so that the build ends after the last one. */
  let isApp = false

  const buildsOnce = (): boolean => config?.command === 'build' && !config.build.watch

  /** Checks whether a page that a framework has written contains an id. */
  async function pagesHaveIds(): Promise<boolean> {
    const folder = config && folderOfPages(config)
    return folder !== undefined && buildsOnce() && hasIdIn(folder)
  }

  return [
    {
      config: ([user, env]) => librarySettings(Object(user), Object(env)),
      configResolved([given]) {
        const resolved: ResolvedConfig = Object(given)
        // A build may start a dev server with the same plugins.
        if (resolved.command === 'build' || config?.command !== 'build') config = resolved
        removeHtmlHooks(resolved.plugins)
        ignoreUnresolvedIds(resolved.logger)
        // Load the real plugins now, because VitePress writes pages after Vite has ended, and then calls only a hook
        // that the real plugins set. The types of a library may refer to content even if its scripts contain no id.
        return resolved.command === 'build' && ('vitepress' in resolved || Boolean(resolved.build.lib))
      },
      configureServer(given) {
        given[0] = prepareServer(Object(given[0]), open)
        timer = setTimeout(() => void open().catch(() => {}), startMilliseconds).unref()
      },
      buildApp: () => void (isApp = true),
      buildStart: () => config && mayWriteTokens(options, config.root),
      hotUpdate: ([change]) => hotUpdate(Object(change)),
      outputOptions,
      transformIndexHtml: hasId,
      closeBundle: () => clearTimeout(timer),
    },
    {},
    {
      transformIndexHtml: hasId,
      async generateBundle(given) {
        if (hasIds(given)) return true
        const folder = config?.build.copyPublicDir === true && config.publicDir
        return folder && buildsOnce() ? hasIdIn(folder) : false
      },
      closeBundle: () => !isApp && pagesHaveIds(),
      async buildApp([app]) {
        const builder: ViteBuilder = Object(app)
        isApp = false
        return Object.values(builder.environments).some(({ isBuilt }) => isBuilt) && pagesHaveIds()
      },
    },
  ]
}

/** Checks whether a text file in a folder contains an id. */
async function hasIdIn(folder: string): Promise<boolean> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  for (const name of names)
    if (COPIED.test(name) && hasId([await readFile(join(folder, name), 'utf8').catch(() => '')])) return true
  return false
}

/**
 * Prints the address of the kit browser, adds the shortcut, and loads the plugins at the first request for the kit
 * browser or for content.
 * @returns the server to pass to the plugins, which adds their middleware at the current position
 */
function prepareServer(server: ViteDevServer, open: Open): ViteDevServer {
  const added: Middleware[] = []
  printAddress(server)
  addShortcut(server)
  server.middlewares.use((request, response, next) => {
    if (!URLS.test(request.url ?? '')) return next()
    const run = (at: number): unknown => {
      const handler = added[at]
      return handler ? handler(request, response, () => run(at + 1)) : next()
    }
    open().then(() => run(0), next)
  })
  return Object.create(server, {
    middlewares: { value: { use: (handler: Middleware) => added.push(handler) } },
    // The plugins set these again. The given server is a proxy, which would set them on the server itself.
    printUrls: { value: () => {}, writable: true },
    bindCLIShortcuts: { value: () => {}, writable: true },
  })
}

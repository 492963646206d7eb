import type { Plugin } from 'vite'
import { fillStyles, refuseInTags } from './css-and-html.js'
import { devFiles } from './dev-files.js'
import { isSource, type Adapter } from './plugin.js'
import { emission, emitBytes } from './rollup.js'
import type { Session } from './session.js'
import { openTokens } from './tokens.js'
import { createMarker } from './content-watch.js'

const STYLES = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss)(?:$|\?)/

/** Vite puts in its place what `base`, `renderBuiltUrl`, the format and the environment ask for. */
function viteToken(reference: string): string {
  return `__VITE_ASSET__${reference}__`
}

/**
 * The family of Vite: builds emit as Rollup does and Vite makes the addresses; its dev server serves the files itself.
 */
export function viteAdapter(session: Session): Adapter {
  const files = devFiles(session)
  const tokens = openTokens()
  const vite: Partial<Plugin> = {
    ...emission(session, tokens, ({ reference }) => JSON.stringify(viteToken(reference))),
    transform: {
      filter: { id: STYLES, code: 'content-space:' },
      async handler(code, sheet) {
        const serving = session.host.command === 'serve'
        const text = await fillStyles(session, code, sheet, async (file) => {
          return serving ? files.address(file) : viteToken(emitBytes(this, file, await session.file(file)))
        })
        return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) }
      },
    },
    transformIndexHtml: { order: 'pre', handler: (html, { filename }) => refuseInTags(html, filename) },
    configResolved({ root, mode, envDir, command, base, build, server, logger }) {
      const building = build.watch ? 'watch' : 'build'
      session.configure({
        root,
        mode,
        envDir,
        command: command === 'serve' ? 'serve' : building,
        log: { info: (message) => logger.info(message), warn: (message) => logger.warn(message) },
      })
      files.serveFrom({ base, origin: server.origin ?? '' })
    },
    configureServer({ config, middlewares, watcher }) {
      // Before a module asks to watch it: a file that appears later would reload the page.
      createMarker(config.root)
      session.sourceChanged()
      watcher.on('all', (_, file) => isSource(file) && session.sourceChanged())
      // Here it stands behind Vite's host check and CORS, and before `base` is taken off.
      middlewares.use(files.middleware((error) => config.logger.error(error.message, { error })))
    },
  }
  return {
    prefix: '\0',
    references: () => (session.host.command === 'serve' ? files.references : tokens.references),
    options: { vite },
  }
}

import type { Plugin } from 'vite'
import { devFiles } from './references/dev-files.js'
import { mayImport, type Adapter } from './plugin.js'
import { emissionHooks, emitBytes } from './rollup.js'
import type { Session } from './session/session.js'
import { openTokens } from './references/tokens.js'

const STYLE_SHEET = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss)(?:$|\?)/

/** Vite replaces this token with an address. `base`, `renderBuiltUrl`, format and environment determine it. */
function viteToken(reference: string): string {
  return `__VITE_ASSET__${reference}__`
}

/** Builds emit files as Rollup does, and Vite makes the addresses. The dev server serves the files itself. */
export function viteAdapter(session: Session): Adapter {
  const files = devFiles(session)
  const tokens = openTokens()
  const serving = (): boolean => session.host.command === 'serve'
  const vite: Partial<Plugin> = {
    ...emissionHooks(session, tokens, ({ reference }) => JSON.stringify(viteToken(reference))),
    transform: {
      filter: { id: STYLE_SHEET, code: 'content-space:' },
      async handler(code, sheet) {
        const { replaceIds } = await import('./style-sheet.js')
        const text = await replaceIds(session, code, sheet, async (file) =>
          serving() ? files.address(file) : viteToken(emitBytes(this, file, await session.file(file))),
        )
        return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) }
      },
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { filename }) {
        const { rejectIdsInTags } = await import('./html.js')
        rejectIdsInTags(html, filename)
      },
    },
    configResolved({ root, mode, envDir, command, base, build, server, logger }) {
      const buildCommand = build.watch ? 'watch' : 'build'
      session.configure({
        root,
        mode,
        envDir,
        command: command === 'serve' ? 'serve' : buildCommand,
        log: { info: (message) => logger.info(message), warn: (message) => logger.warn(message) },
      })
      files.serveFrom({ base, origin: server.origin ?? '' })
    },
    async configureServer({ config, middlewares, watcher }) {
      const { createMarker } = await import('./session/content-watch.js')
      // Created before the first module is loaded and watches it: a file that is created later would reload the page.
      createMarker(config.root)
      session.sourceChanged()
      watcher.on('all', (_, file) => mayImport(file) && session.sourceChanged())
      // At this position it runs after Vite's host check and CORS, and before `base` is removed from paths.
      middlewares.use(files.middleware((error) => config.logger.error(error.message, { error })))
    },
  }
  return {
    prefix: '\0',
    references: () => (serving() ? files.references : tokens.references),
    options: { vite },
  }
}

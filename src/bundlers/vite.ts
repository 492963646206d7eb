import type { Plugin } from 'vite'
import { devFiles } from './dev-files.js'
import type { Family } from './plugin.js'
import { emission } from './rollup.js'
import type { Session } from './session.js'
import { tokenReferences } from './tokens.js'

/** The family of Vite: builds emit as Rollup does and Vite makes the addresses; its dev server serves the files itself. */
export function viteFamily(session: Session): Family {
  const files = devFiles(session)
  const vite: Partial<Plugin> = {
    // Vite replaces its own token by what `base`, `renderBuiltUrl`, the format and the environment ask for.
    ...emission(session, (_emitter, reference) => JSON.stringify(`__VITE_ASSET__${reference}__`)),
    configResolved({ root, mode, command, base, build, server, logger }) {
      const building = build.watch ? 'watch' : 'build'
      session.configure({
        root,
        mode,
        command: command === 'serve' ? 'serve' : building,
        log: { info: (message) => logger.info(message), warn: (message) => logger.warn(message) },
      })
      files.serveFrom({ base, origin: server.origin ?? '' })
      if (command === 'build' && build.ssr && (base === '' || base === './')) session.warnOfFileAddresses()
    },
    configureServer({ config, middlewares, httpServer }) {
      // Here it stands behind Vite's host check and CORS, and before `base` is taken off.
      middlewares.use(files.middleware((error) => config.logger.error(error.message, { error })))
      httpServer?.once('close', () => void session.close())
    },
  }
  return {
    prefix: '\0',
    references: () => (session.host.command === 'serve' ? files.references : tokenReferences),
    options: { vite },
  }
}

import { existsSync } from 'node:fs'
import type { HotUpdateOptions, Plugin } from 'vite'
import { devFiles, type DevFiles } from '../references/dev-files.js'
import { mayContainIds, NAME, type Adapter } from '../plugin.js'
import { ignoreUnresolvedIds, markupHooks, smallFiles, viteMark } from '../markup/vite.js'
import { emissionHooks, openTextIds, type IsSmall, type WriteAddress } from './rollup.js'
import type { Session } from '../session/session.js'
import { openMarks } from '../references/marks.js'
import { runtimeHooks, runtimeReference } from '../library-modules.js'
import { appBuild, isKit, nesting, renderedPages } from './vite-app.js'
import { viteLibrary } from './vite-library.js'

/**
 * Matches declarations, lockfiles, the temporary files that replace them, and the files in `.content-space`. Vite would
 * mistake them for a missing file that has just been added.
 */
const REPLACING = /\.(?:d\.ts|lock\.json)(?:\.\d+)?$|\.content-space\/[\w.-]+$/

export const hotUpdate = ({ type, file }: Pick<HotUpdateOptions, 'type' | 'file'>): [] | undefined =>
  type === 'create' && REPLACING.test(file) ? [] : undefined

/** The parts that a framework's integration may replace. */
interface ViteParts {
  /** The files that the dev server serves. */
  files: DevFiles
  /** Returns an expression for the URL of an emitted file in scripts. By default, Vite writes the URL. */
  addressOf: (name: string) => string
  /** Receives the names of emitted files. */
  names: Set<string>
  /** As in `appBuild`. */
  output: string
}

/** In builds, emits files as with Rollup and lets Vite write their URLs. In dev, serves the files itself. */
export function viteAdapter(session: Session, parts: Partial<ViteParts> = {}): Adapter {
  const { files = devFiles(session), addressOf, names, output } = parts
  const marks = openMarks()
  const serving = (): boolean => session.host.command === 'serve'
  const library = viteLibrary(session)
  const nested = nesting()
  let all: readonly Plugin[] = []
  let publicDir: string | undefined
  const texts = openTextIds(session, () => publicDir)
  const markup = markupHooks(session, files, marks, library.isRelocatable, texts, () => isSmall)
  const complete = (): Promise<void> => {
    nested.stop()
    return library.complete()
  }
  const pages = renderedPages(session)
  const app = appBuild(session, complete, pages.check, names, output)
  const ofLibrary = { ...marks.references, runtime: runtimeReference }
  let readsFiles = false
  let runsTests = false
  let isSmall: IsSmall | undefined
  let unfollow: (() => void) | undefined
  const writeAddress: WriteAddress = ({ name, reference }, script) => {
    app.add(name)
    if (addressOf !== undefined) return addressOf(name)
    const relative = readsFiles || library.isRelocatable()
    return relative ? script.of(name) : JSON.stringify(viteMark(reference))
  }
  const emission = emissionHooks(session, marks, writeAddress, () => isSmall)
  const vite: Partial<Plugin<Session>> & { checkContent: () => Promise<void> } = {
    // Used by the Astro integration.
    api: session,
    /** Called by the shortcut of the dev server. */
    checkContent: () => session.check(),
    ...emission,
    ...markup.early,
    ...app.hooks,
    config: library.config,
    async buildStart() {
      if (nested.isInside(this)) return
      const { references } = serving() ? files : marks
      nested.start({ builds: !serving(), address: (file) => references.address(file) })
      markup.startEnvironment(this)
      session.configure({ together: app.together(all) })
      await session.start()
    },
    buildEnd(error) {
      if (error) nested.stop()
      app.hooks.buildEnd(error)
    },
    async closeBundle() {
      if (!nested.isInside(this)) await app.hooks.closeBundle()
    },
    generateBundle(options, bundle) {
      emission.generateBundle(options, bundle)
      markup.names(this).forEach(app.add)
      app.keepFiles(this.environment, bundle)
    },
    configResolved(config) {
      const { root, mode, envDir, command, base, build, server, logger, plugins } = config
      nested.configure(config)
      if (nested.isOwn()) return
      publicDir = build.copyPublicDir && existsSync(config.publicDir) ? config.publicDir : undefined
      all = plugins
      removeHtmlHooks(plugins)
      pages.configure(config)
      // Electron processes that run in Node read files and don't have a base URL. electron-vite has a plugin for each.
      readsFiles = plugins.some(({ name }) => /^vite:electron-(?:main|preload)-/.test(name))
      runsTests = plugins.some(({ name }) => name === 'vitest')
      const buildCommand = build.watch ? 'watch' : 'build'
      session.configure({
        root,
        mode,
        envDir,
        command: command === 'serve' ? 'serve' : buildCommand,
        watches: server.watch !== null && server.ws !== false,
        watchesEnv: command === 'serve',
        isChild:
          nested.outer()?.builds === true ||
          // React Router's child compiler removes this hook and doesn't load modules.
          (command === 'serve' && !plugins.some(({ name, configureServer }) => name === NAME && configureServer)),
        log: {
          info: (message) => logger.info(message, { timestamp: command === 'serve' }),
          warn: (message) => logger.warn(message),
          error: (message) => logger.error(message),
        },
      })
      ignoreUnresolvedIds(logger)
      isSmall = smallFiles(build)
      files.serveFrom({ base, origin: server.origin ?? '' })
    },
    hotUpdate,
    async configureServer(server) {
      if (nested.isOwn()) return
      const { config, middlewares, watcher } = server
      const [{ createMarker }, { findProject }, { followContent }, { reportOnce }, { kitBrowser, printAddress }] =
        await Promise.all([
          import('../session/markers.js'),
          import('../../config/project.js'),
          import('./vite-live.js'),
          import('./vite-log.js'),
          import('./vite-kit-browser.js'),
        ])
      const forgetReports = reportOnce(config.logger)
      if (session.host.watches) {
        // Create the marker before the first module is loaded and watches it, because creating it later would reload
        // the page.
        await createMarker(findProject(session.host.root).root).catch(() => {})
        // A server may keep the same instance of the plugin when it restarts.
        unfollow?.()
        unfollow = followContent(server, session, forgetReports)
      }
      session.sourceChanged()
      watcher.on('all', (_, file) => {
        if (!mayContainIds(file)) return
        forgetReports()
        session.sourceChanged(file)
      })
      printAddress(server)
      // Here, the middleware runs after Vite's host check and CORS, and before `base` is removed from paths.
      middlewares.use(kitBrowser(session, config))
      middlewares.use(files.middleware((error) => config.logger.error(error.message, { error })))
    },
  }
  return {
    prefix: '\0',
    readsFrames: true,
    leavesOut: () => !serving(),
    runsTests: () => runsTests,
    references() {
      if (!serving() && library.isLibrary()) return ofLibrary
      const { address } = nested.outer() ?? {}
      return { ...(serving() ? files : marks).references, ...(address && { address }), pictureStyles: true }
    },
    options: { vite },
    lateOptions: { vite: { ...markup.late, ...app.lateHooks, ...runtimeHooks() } },
  }
}

/** SvelteKit doesn't build HTML files, and warns about plugins that have a hook for them. */
export function removeHtmlHooks(plugins: readonly Plugin[]): void {
  if (!isKit(plugins)) return
  for (const plugin of plugins) if (plugin.name.startsWith(NAME)) delete plugin.transformIndexHtml
}

import { existsSync } from 'node:fs'
import type { Plugin } from 'vite'
import { devFiles, type DevFiles } from '../references/dev-files.js'
import { mayContainIds, NAME, type Adapter } from '../plugin.js'
import { ignoreUnresolvedIds, markupHooks, smallFiles, viteMark } from '../markup/vite.js'
import { emissionHooks, openTextIds, type IsSmall, type WriteAddress } from './rollup.js'
import type { Session } from '../session/session.js'
import { openMarks } from '../references/marks.js'
import { runtimeHooks, runtimeReference } from '../library-modules.js'
import { appBuild, nesting, renderedPages } from './vite-app.js'
import { viteLibrary } from './vite-library.js'

/** New files that take the place of declarations and of the lockfile. Vite takes them for what an import lacks. */
const REPLACING = /\.(?:d\.ts|lock\.json)\.\d+$/

/** The parts that a framework replaces. */
interface ViteParts {
  /** The files that the dev server serves. */
  files: DevFiles
  /** Returns an expression for the address of an emitted file, for scripts. Default: Vite's address. */
  addressOf: (name: string) => string
  /** Where the names of emitted files are added. */
  names: Set<string>
  /** As for `appBuild`. */
  output: string
}

/** Builds emit files as Rollup does, and Vite makes the addresses. The dev server serves the files itself. */
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
  const vite: Partial<Plugin<Session>> = {
    // For the integration of Astro.
    api: session,
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
      // The processes of Electron that run in Node read files, and know no base. electron-vite has a plugin for each.
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
          // The child compiler of React Router removes this hook, and loads no modules.
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
    hotUpdate: ({ type, file }) => (type === 'create' && REPLACING.test(file) ? [] : undefined),
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
        // Created before the first module is loaded and watches it: a file that is created later would reload the page.
        await createMarker(findProject(session.host.root).root).catch(() => {})
        // A server that restarts may have the same instance of the plugin.
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
      // At this position they run after Vite's host check and CORS, and before `base` is removed from paths.
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

/** SvelteKit doesn't build HTML files, and warns about plugins with a hook for them. */
function removeHtmlHooks(plugins: readonly Plugin[]): void {
  if (!plugins.some(({ name }) => name.startsWith('vite-plugin-sveltekit'))) return
  for (const plugin of plugins) if (plugin.name.startsWith(NAME)) delete plugin.transformIndexHtml
}

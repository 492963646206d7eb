import type { EnvironmentModuleNode, ViteDevServer } from 'vite'
import { messageOf } from '../../errors.js'
import { NAME } from '../plugin.js'
import type { TextChanges } from '../session/live-texts.js'
import type { Session } from '../session/session.js'

/**
 * Replaces modules of a dev server when content changes. Vite determines which of their importers accept the new
 * module, and reloads the page if none does.
 * @param beforeChange called before modules are replaced
 * @returns a function that stops following
 */
export function followContent(server: ViteDevServer, session: Session, beforeChange: () => void): () => void {
  const { ws, config } = server
  session.configure({ connected: () => ws.clients.size > 0 })
  ws.on('connection', session.wake)
  addShortcut(server)
  // In bundled dev, the module graph is empty.
  if (Reflect.get(config.experimental, 'bundledDev')) return () => {}
  return session.onChange((changes) => {
    if (changes.modules.size > 0 || changes.files.size > 0) beforeChange()
    replaceModules(server, changes).catch((error: unknown) => session.host.log.error(messageOf(error)))
  })
}

/**
 * Modules in which Astro collects the style sheets of a page. They don't import the style sheets, so Vite doesn't
 * invalidate them.
 */
const COPIED_STYLES = /^\0virtual:astro:dev-css:/

async function replaceModules(server: ViteDevServer, { modules, files }: TextChanges): Promise<void> {
  const changed = new Set<string>()
  let hasFailed = false
  // Vite before version 6 has a single module graph, and if a base is configured, it loses the files that modules
  // watch.
  for (const environment of 'environments' in server ? Object.values(server.environments) : [server]) {
    const { moduleGraph } = environment
    const sources = [...files].flatMap((file) => modulesOfFile(environment, file))
    const generated = [...modules].flatMap((id) => moduleGraph.getModuleById(id) ?? [])
    // Vite keeps the code of importers and replaces only their URLs. Invalidate importers too, because their imports
    // may have become invalid or valid.
    for (const module of [...sources, ...generated]) moduleGraph.invalidateModule(module)
    for (const [id, module] of sources.length > 0 ? moduleGraph.idToModuleMap : [])
      if (COPIED_STYLES.test(id)) moduleGraph.invalidateModule(module)
    const reached = new Set(generated.flatMap(({ importers }) => [...importers]))
    const first = [...generated, ...sources.filter((module) => !reached.has(module))]
    for (const module of first) await environment.reloadModule(module)
    const name = 'name' in environment ? environment.name : 'client'
    if (first.length > 0) changed.add(name)
    // A server doesn't analyze modules that only the browser loads.
    hasFailed ||= name === 'client' && first.some(({ isSelfAccepting }) => isSelfAccepting === undefined)
  }
  // Vite doesn't notify pages of a change if only the server has the module, such as SvelteKit's `+page.server.ts`, or
  // if it hasn't analyzed the module because the first request failed. Reload the page in these cases.
  const isOnServer = changed.size > 0 && !changed.has('client')
  if (isOnServer || hasFailed || [...files].some((file) => /\.html?$/.test(file)))
    server.ws.send({ type: 'full-reload' })
}

type Environment = ViteDevServer['environments'][string]

/** @param file the id of a module, which may have a query, or the path of a file */
function modulesOfFile({ moduleGraph }: Environment, file: string): EnvironmentModuleNode[] {
  const module = moduleGraph.getModuleById(file)
  return module ? [module] : [...(moduleGraph.getModulesByFile(file) ?? [])]
}

/**
 * Extends Vite's shortcut `c` + Enter, which clears the console, to check for new content too. Vite handles shortcuts
 * only if the program that starts the server calls `bindCLIShortcuts`.
 */
export function addShortcut(server: ViteDevServer): void {
  const bind = server.bindCLIShortcuts.bind(server)
  server.bindCLIShortcuts = (options) => {
    const shortcut = {
      key: 'c',
      description: 'clear console and check for new content',
      async action({ config }: ViteDevServer): Promise<void> {
        config.logger.clearScreen('error')
        // After a restart, the server has another instance of the plugin.
        const plugin = config.plugins.find(({ name }) => name === NAME)
        await Object(plugin).checkContent?.()
      },
    }
    bind({ ...options, customShortcuts: [shortcut, ...(options?.customShortcuts ?? [])] })
  }
}

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Environment, Plugin, ResolvedConfig, Rolldown, ViteBuilder } from 'vite'
import type { References } from '../../modules/references.js'
import { endHooks } from './rollup.js'
import type { BuildsTogether } from '../session/host.js'
import type { Session } from '../session/session.js'

interface Ends {
  buildEnd(this: void, error?: Error): void
  closeBundle(this: void): Promise<void>
}

/** A Vite build of one or more environments. */
export interface AppBuild {
  /** Adds the name of a file that an environment has emitted. */
  add(this: void, name: string): void
  /** Keeps the files that an environment has emitted, if Vite doesn't write them. */
  keepFiles(this: void, environment: Environment, bundle: Rolldown.OutputBundle): void
  /**
   * If a framework runs several builds with one command, returns the state that these builds share. Returns undefined
   * for other builds.
   * @param plugins the plugins of the build that is starting
   */
  together(this: void, plugins: readonly Plugin[]): BuildsTogether | undefined
  /** Hooks for the first plugin. */
  hooks: Partial<Omit<Plugin, keyof Ends>> & Ends
  /** Hooks for a plugin that runs after the plugins of frameworks. */
  lateHooks: Partial<Plugin>
}

/**
 * Returns the hooks that finish builds.
 *
 * Frameworks build several environments with one command, some of them concurrently. The environments share one
 * instance of this plugin, and we write the lockfile, the declarations, and the summary once, after the last
 * environment. Other builds finish with their bundle. Vite before version 7 lacks the `buildApp` hook, so each
 * environment finishes on its own.
 * @param complete as in `endHooks`
 * @param check checks the pages that a framework has rendered
 * @param names receives the names of emitted files
 * @param output the folder of the client's output, if a framework builds the environments one by one and finishes the
 *   build itself
 */
export function appBuild(
  session: Session,
  complete: () => Promise<void>,
  check: () => Promise<void>,
  names = new Set<string>(),
  output?: string,
): AppBuild {
  const end = endHooks(session, complete)
  /** The files of server environments whose files Vite doesn't write. */
  const files = new Map<string, string | Uint8Array>()
  let builder: ViteBuilder | undefined
  let isWritten = false

  /**
   * Copies files that only server environments refer to into the client's output, because files are served from there.
   */
  async function writeFiles(folder = clientFolder(builder)): Promise<void> {
    if (folder === undefined) return
    const { makeFolder } = await import('../../disk/make-folder.js')
    for (const [name, source] of files) {
      const file = resolve(folder, name)
      if (existsSync(file)) continue
      makeFolder(dirname(file))
      await writeFile(file, source)
    }
    files.clear()
  }

  /** Ends the build after one environment, unless `buildApp` or the framework ends it after the last one. */
  async function finishOne(hook: 'writeBundle' | 'closeBundle'): Promise<void> {
    if (builder === undefined && output === undefined) await end[hook]()
  }

  return {
    add: (name) => names.add(name),
    keepFiles(environment, bundle) {
      if ((builder ?? output) === undefined || environment.config.build.emitAssets) return
      for (const name of names) {
        const file = bundle[name]
        if (file?.type === 'asset') files.set(name, file.source)
      }
    },
    together(plugins) {
      const isOne = session.host.command === 'build' && builder === undefined
      if (!isOne || !plugins.some(({ name }) => SEVERAL.test(name))) return undefined
      const together = commands.get(process.cwd()) ?? openTogether()
      commands.set(process.cwd(), together)
      return together
    },
    hooks: {
      ...end,
      sharedDuringBuild: true,
      buildApp: {
        order: 'pre',
        handler(app) {
          if (session.host.command === 'build') builder = app
          return Promise.resolve()
        },
      },
      async writeBundle() {
        isWritten = true
        await writeFiles(output)
        await finishOne('writeBundle')
      },
      closeBundle: () => finishOne('closeBundle'),
    },
    lateHooks: {
      sharedDuringBuild: true,
      closeBundle: {
        // Run after frameworks that render pages in this hook.
        order: 'post',
        sequential: true,
        async handler() {
          const isInner = 'environment' in this && this.environment?.mode === 'dev'
          if (!isInner && isWritten && builder === undefined && output === undefined) await check()
        },
      },
      buildApp: {
        order: 'post',
        async handler() {
          if (builder === undefined) return
          await writeFiles(output)
          builder = undefined
          await end.writeBundle()
          await end.closeBundle()
          await check()
        },
      },
    },
  }
}

/** Returns the folder of the client's output, if it has been built. */
function clientFolder(builder: ViteBuilder | undefined): string | undefined {
  const client = builder?.environments['client']
  return client?.isBuilt === true ? resolve(client.config.root, client.config.build.outDir) : undefined
}

/** Matches plugins of frameworks that run several builds, unless one Vite build has all of them as environments. */
const SEVERAL = /^(?:vite:electron-|vite-plugin-sveltekit-|react-router$|remix$)/

/** The builds of these frameworks by working directory. Each build has its own instance of this plugin. */
const commands = new Map<string, BuildsTogether>()

/** Only the framework knows which of its builds is the last one, so we finish when the process is about to exit. */
function openTogether(): BuildsTogether {
  let log: (() => void) | undefined
  const end = (code: number): void => {
    if (code === 0) log?.()
    log = undefined
  }
  // The first event doesn't occur if a process calls `exit`. During the second one, some consoles no longer print.
  process.once('beforeExit', end)
  process.once('exit', end)
  return { logged: new Set(), atEnd: (next) => void (log = next) }
}

/** A build or a dev server in this process. */
interface RunningVite {
  builds: boolean
  /** How its modules refer to a file. */
  address: References['address']
}

/**
 * Builds and dev servers by root. Some plugins, such as vanilla-extract's compiler, start a second server inside a
 * build or server, and copy the exports of its modules to the output. The inner server may read the configuration
 * again, and then it has its own instance of this plugin, which shares nothing with the first one except the process.
 */
const running = new Map<string, RunningVite>()

/** Tracks whether a plugin instance belongs to a server inside another build or server. */
export function nesting() {
  let own: RunningVite | undefined
  let root = ''
  let mayBeInner = false
  let isOwn = false
  const outer = (): RunningVite | undefined => (mayBeInner ? running.get(root) : undefined)

  return {
    configure({ command, root: given, server }: ResolvedConfig): void {
      // Unlike an inner server, a server for browsers updates their modules.
      const mayBe = command === 'serve' && (server.hmr === false || server.watch === null)
      isOwn = mayBe && own !== undefined && running.get(given) === own
      if (isOwn) return
      mayBeInner = mayBe
      root = given
    },
    /** Whether the last configuration belongs to an inner server that reuses the plugins of this instance. */
    isOwn: (): boolean => isOwn,
    /** Returns the build or server that contains this instance. */
    outer,
    /** Checks whether a hook is called for a server inside this instance's build. */
    isInside: ({ environment }: { environment?: Environment }) => own?.builds === true && environment?.mode === 'dev',
    start(vite: RunningVite): void {
      if (outer()) return
      own = vite
      // A dev server may run builds, for example of a service worker.
      if (!vite.builds || !running.has(root)) running.set(root, vite)
    },
    stop(): void {
      if (running.get(root) === own) running.delete(root)
      own = undefined
    },
  }
}

/** The properties of VitePress's configuration that we use. */
interface VitePress {
  outDir: string
  buildEnd?: ((site: unknown) => unknown) | undefined
}

/** Searches for ids in the pages that frameworks render with Vite's output, because no bundler sees these pages. */
export function renderedPages(session: Session) {
  let folder: string | undefined
  let known: VitePress | undefined

  async function check(): Promise<void> {
    if (folder === undefined) return
    const { warnOfRenderedIds } = await import('../text-ids.js')
    await warnOfRenderedIds(session, folder)
  }

  return {
    check,
    configure(config: ResolvedConfig): void {
      const site = 'vitepress' in config && isVitePress(config.vitepress) ? config.vitepress : undefined
      if (site !== undefined && site !== known) {
        // VitePress renders pages after Vite has ended, and uses the same configuration for its client and server
        // builds.
        const { buildEnd } = (known = site)
        site.buildEnd = async (given) => {
          await buildEnd?.(given)
          await check()
        }
      }
      const pages = folderOfPages(config)
      folder = pages && (site?.outDir ?? pages)
    },
  }
}

export const isKit = (plugins: readonly Plugin[]): boolean =>
  plugins.some(({ name }) => name.startsWith('vite-plugin-sveltekit'))

/** Returns the folder of the pages that a framework renders in a build; undefined if the build writes nothing. */
export function folderOfPages({ root, build, environments, plugins }: ResolvedConfig): string | undefined {
  // Vite before version 6 doesn't have environments.
  const { outDir } = Object(environments).client?.build ?? build
  return build.write ? resolve(root, outDir, isKit(plugins) ? '../prerendered' : '') : undefined
}

function isVitePress(value: unknown): value is VitePress {
  return typeof value === 'object' && value !== null && 'outDir' in value && typeof value.outDir === 'string'
}

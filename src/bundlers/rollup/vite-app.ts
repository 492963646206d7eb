import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Environment, Plugin, ResolvedConfig, Rolldown, ViteBuilder } from 'vite'
import type { References } from '../../modules/references.js'
import { endHooks } from './rollup.js'
import type { Session } from '../session/session.js'

interface Ends {
  buildEnd(this: void, error?: Error): void
  closeBundle(this: void): Promise<void>
}

/** A Vite build of one or several environments. */
export interface AppBuild {
  /** Tells the name of a file that an environment has emitted. */
  add(this: void, name: string): void
  /** Keeps the files that an environment has emitted, if Vite does not write them. */
  keepFiles(this: void, environment: Environment, bundle: Rolldown.OutputBundle): void
  /** Hooks of the first plugin. */
  hooks: Partial<Omit<Plugin, keyof Ends>> & Ends
  /** Hooks of a plugin that runs after those of frameworks. */
  lateHooks: Partial<Plugin>
}

/**
 * Returns the hooks that finish builds.
 *
 * Frameworks build several environments with one command, some at the same time. The environments share one instance of
 * this plugin, and lockfile, declarations and summary are written once, after the last environment. Other builds finish
 * with their bundle. Vite before version 7 lacks the hook `buildApp`, so each environment finishes on its own.
 * @param complete as for `endHooks`
 * @param names receives the names of emitted files
 * @param output the folder of the client's output, if a framework builds the environments one by one, and finishes
 */
export function appBuild(
  session: Session,
  complete: () => Promise<void>,
  names = new Set<string>(),
  output?: string,
): AppBuild {
  const end = endHooks(session, complete)
  /** Files of server environments that emit none. */
  const files = new Map<string, string | Uint8Array>()
  let builder: ViteBuilder | undefined

  /** Adds the files that only a server refers to, to those that are served: the output of the client. */
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

  /** Ends the build of one environment, unless others are built after it. */
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
        await writeFiles(output)
        await finishOne('writeBundle')
      },
      closeBundle: () => finishOne('closeBundle'),
    },
    lateHooks: {
      sharedDuringBuild: true,
      buildApp: {
        order: 'post',
        async handler() {
          if (builder === undefined) return
          await writeFiles(output)
          builder = undefined
          await end.writeBundle()
          await end.closeBundle()
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

/** A build or a dev server of this process. */
interface RunningVite {
  builds: boolean
  /** How its modules refer to a file. */
  address: References['address']
}

/**
 * Builds and dev servers by their root. Some plugins start a second server inside them, as the compiler of
 * vanilla-extract does, and copy what its modules export into the output. That server may read the configuration again,
 * and then has its own instance of this plugin, which only the process connects with the first one.
 */
const running = new Map<string, RunningVite>()

/** Finds out whether a plugin instance belongs to a server inside another build or server. */
export function nesting() {
  let own: RunningVite | undefined
  let root = ''
  let mayBeInner = false
  let isOwn = false
  const outer = (): RunningVite | undefined => (mayBeInner ? running.get(root) : undefined)

  return {
    configure({ command, root: given, server }: ResolvedConfig): void {
      // A server for browsers updates their modules.
      const mayBe = command === 'serve' && (server.hmr === false || server.watch === null)
      isOwn = mayBe && own !== undefined && running.get(given) === own
      if (isOwn) return
      mayBeInner = mayBe
      root = given
    },
    /** Whether the last configuration is that of a server inside, which has got the plugins of this instance. */
    isOwn: (): boolean => isOwn,
    /** Returns the build or the server that this instance is inside of. */
    outer,
    /** Whether a hook is called for a server inside the build of this instance. */
    isInside: ({ environment }: { environment?: Environment }) => own?.builds === true && environment?.mode === 'dev',
    start(vite: RunningVite): void {
      if (outer()) return
      own = vite
      // A dev server may run builds, for a service worker for example.
      if (!vite.builds || !running.has(root)) running.set(root, vite)
    },
    stop(): void {
      if (running.get(root) === own) running.delete(root)
      own = undefined
    },
  }
}

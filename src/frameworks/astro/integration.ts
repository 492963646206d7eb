import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createVitePlugin } from 'unplugin'
import { messageOf } from '../../errors.js'
import { contentSpace } from '../../bundlers/plugin.js'
import { viteAdapter } from '../../bundlers/rollup/vite.js'
import type { Session } from '../../bundlers/session/session.js'
import type { Options } from '../../config/options.js'
import { NAME, typesFolder } from './field-names.js'
import { imagePlugin } from './images.js'
import { stylesPlugin } from './styles.js'

/** An Astro integration, with the parts of its hooks that are used here. */
interface Integration {
  name: string
  hooks: {
    'astro:config:setup': (setup: Setup) => Promise<void>
    'astro:config:done': (done: Done) => Promise<void>
    'astro:build:done': (done: { dir: URL }) => Promise<void>
    'astro:server:setup': (server: { server: { watcher: { add(path: string): unknown } } }) => void
  }
}

interface Setup {
  config: { root: URL }
  command: 'dev' | 'build' | 'preview' | 'sync'
  updateConfig(this: void, config: object): unknown
  addWatchFile(this: void, path: string): void
}

interface Done {
  config: { root: URL }
  buildOutput: 'static' | 'server'
  injectTypes(this: void, types: { filename: string; content: string }): URL
  logger: { warn(message: string): void }
}

/**
 * The Astro integration. It adds the Vite plugin, tells Astro about the declarations that `astro sync` writes, restarts
 * the dev server when the configuration file changes, removes files that no page of a static build uses, and warns
 * about ids in pages.
 * @param options as in `content-space.config.*`; they override the file and the environment
 * @example export default defineConfig({ integrations: [contentSpace()] })
 */
export function contentSpaceIntegration(options: Options = {}): Integration {
  let command: Setup['command'] = 'build'
  let configFile: string | undefined
  let isStatic = false
  /** Names of the emitted files. */
  const names = new Set<string>()
  let session: Session | undefined
  const createPlugins = createVitePlugin(
    contentSpace((opened) => {
      session = opened
      return viteAdapter(opened, { names })
    }),
  )
  return {
    name: NAME,
    hooks: {
      async 'astro:config:setup'({ config, command: current, updateConfig, addWatchFile }) {
        const { findProject } = await import('../../config/project.js')
        command = current
        configFile = findProject(fileURLToPath(config.root)).configFile
        if (configFile !== undefined) addWatchFile(configFile)
        updateConfig({ vite: { plugins: [createPlugins(options), imagePlugin, stylesPlugin] } })
      },
      async 'astro:config:done'({ config, buildOutput, injectTypes, logger }) {
        isStatic = buildOutput === 'static'
        if (command === 'preview') return
        const root = fileURLToPath(config.root)
        const file = await declarations(options, root, command === 'sync').catch((error: unknown) => {
          // Types from an earlier run are still useful, for example in a job without credentials.
          logger.warn(messageOf(error))
        })
        injectTypes({ filename: 'types.d.ts', content: references(root, file || undefined) })
      },
      async 'astro:build:done'({ dir }) {
        const folder = fileURLToPath(dir)
        const { warnOfRenderedIds } = await import('../../bundlers/text-ids.js')
        if (session !== undefined) await warnOfRenderedIds(session, folder)
        // Server code may refer to any file.
        if (!isStatic || names.size === 0) return
        const { removeUnusedFiles } = await import('./unused-files.js')
        await removeUnusedFiles(folder, names)
      },
      'astro:server:setup'({ server }) {
        // Astro restarts when this file changes, but watches only the project's own folder.
        if (configFile !== undefined) server.watcher.add(configFile)
      },
    },
  }
}

/**
 * Returns the path of the declarations.
 * @param write whether to write them first, together with the lockfile
 */
async function declarations(options: Options, root: string, write: boolean): Promise<string | false> {
  const { openEngine } = await import('../../engine/engine.js')
  const { finish } = await import('../../engine/build.js')
  const engine = await openEngine(options, { root })
  try {
    if (write) await finish(engine)
    return engine.options.types
  } finally {
    await engine.close()
  }
}

function references(root: string, file: string | undefined): string {
  const known = `/// <reference types="${NAME}/client" />\n`
  if (file === undefined || !existsSync(file)) return known
  const path = relative(`${root}/${typesFolder}`, file).replaceAll('\\', '/')
  return `${known}/// <reference path="${path}" />\n`
}

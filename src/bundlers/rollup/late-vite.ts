import type { Options } from '../../config/options.js'
import { PACKAGE, RUNTIME_ID } from '../library-modules.js'
import { SHEET_CODE } from '../markup/vite.js'
import { NAME, RESOLVED_ID, SCRIPT, STYLE_SHEET } from '../plugin.js'
import type { Builds, EarlyHooks, LatePlugin, Open } from './late.js'

/** The placeholder plugins of Vite. */
export const vitePlugins: LatePlugin[] = [
  [
    NAME,
    { enforce: 'pre', sharedDuringBuild: true },
    {
      resolveId: { filter: { id: RESOLVED_ID } },
      load: { filter: { id: RESOLVED_ID } },
      renderChunk: { order: 'pre', filter: { code: ['__CONTENT_SPACE_', '\\0content-space', '/__content-space/'] } },
      config: { keep: 'each' },
      configResolved: { keep: 'each' },
      configureServer: { keep: 'each' },
      buildApp: { order: 'pre', keep: 'each' },
      buildStart: { keep: 'last' },
      watchChange: {},
      hotUpdate: {},
      outputOptions: {},
      generateBundle: {},
      transformIndexHtml: { order: 'pre' },
      buildEnd: {},
      writeBundle: { keep: 'last' },
      closeBundle: {},
      closeWatcher: {},
      checkContent: {},
    },
  ],
  [
    `${NAME}:narrow`,
    { enforce: 'post', sharedDuringBuild: true },
    { transform: { filter: { id: SCRIPT, code: 'content-space:' } } },
  ],
  [
    `${NAME}:last`,
    { sharedDuringBuild: true },
    {
      transform: { filter: { id: STYLE_SHEET, code: SHEET_CODE } },
      transformIndexHtml: { order: 'post' },
      generateBundle: { order: 'post' },
      resolveId: { order: 'pre', filter: { id: [RUNTIME_ID, PACKAGE] } },
      load: { filter: { id: RUNTIME_ID } },
      onLog: {},
      renderChunk: { order: 'pre', filter: { code: 'content-space:' } },
      closeBundle: { order: 'post', sequential: true },
      // If no framework builds the environments, Vite calls this hook before it builds them itself. This call replaces
      // the call of the first plugin's `buildApp`.
      buildApp: { order: 'post', keep: 'each' },
    },
  ],
]

/**
 * Creates the early hooks of Vite. Vite calls `config` first, which loads the other hooks.
 * @param load loads the function of `vite-early.ts`
 */
export const viteHooks =
  (load: () => Promise<(options: Options | undefined, open: Open) => EarlyHooks>) =>
  (options: Options | undefined, open: Open): EarlyHooks => {
    const hooks: EarlyHooks = [
      {
        async config(given, real) {
          hooks.splice(0, hooks.length, ...(await load())(options, open))
          return hooks[0]?.['config']?.(given, real)
        },
      },
    ]
    return hooks
  }

/**
 * A build may start another build, which then sees the ids first, so the first id loads the plugins of all running
 * builds, in the order of their first hooks: an outer build before the builds inside it, because they depend on its
 * state.
 */
export function nestedBuilds(): Builds {
  /** Functions that load the plugins. The value is false until the build starts. */
  const running = new Map<Open, boolean>()
  return {
    called(openOne, hook) {
      if (hook.startsWith('close')) running.delete(openOne)
      else if (!running.get(openOne)) running.set(openOne, hook === 'buildStart')
    },
    async open(openOne) {
      for (const [one, isRunning] of new Map(running).set(openOne, true))
        if (isRunning) await one().finally(() => running.delete(one))
    },
  }
}

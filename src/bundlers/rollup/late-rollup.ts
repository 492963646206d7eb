import { PACKAGE, RUNTIME_ID } from '../library-modules.js'
import { mayWriteTokens } from '../may-write-tokens.js'
import { NAME, RESOLVED_ID, SCRIPT, STYLE_SHEET } from '../plugin.js'
import type { Options } from '../../config/options.js'
import { hasIds, outputOptions, type EarlyHooks, type LatePlugin } from './late.js'

/** The placeholder plugins of Rollup and Rolldown. */
export const rollupPlugins: LatePlugin[] = [
  [
    NAME,
    { enforce: 'pre' },
    {
      resolveId: { filter: { id: RESOLVED_ID } },
      load: { filter: { id: RESOLVED_ID } },
      renderChunk: { order: 'pre', filter: { code: ['__CONTENT_SPACE_', '\\0content-space', '/__content-space/'] } },
      buildStart: { keep: 'last' },
      watchChange: {},
      outputOptions: {},
      generateBundle: {},
      buildEnd: {},
      writeBundle: {},
      closeBundle: { order: 'post', sequential: true },
      closeWatcher: {},
      tsdownConfigResolved: {},
    },
  ],
  [`${NAME}:narrow`, { enforce: 'post' }, { transform: { filter: { id: SCRIPT, code: 'content-space:' } } }],
  [
    `${NAME}:last`,
    {},
    {
      transform: { order: 'pre', filter: { id: STYLE_SHEET, code: 'content-space:' } },
      generateBundle: { order: 'post' },
      resolveId: { order: 'pre', filter: { id: [RUNTIME_ID, PACKAGE] } },
      load: { filter: { id: RUNTIME_ID } },
      onLog: {},
      renderChunk: { order: 'pre', filter: { code: 'content-space:' } },
    },
  ],
]

export const rollupHooks = (options: Options | undefined): EarlyHooks => [
  {
    buildStart: ([input]) => mayWriteTokens(options, Object(input).cwd ?? process.cwd()),
    outputOptions,
    // tsdown calls this hook before the build and awaits it.
    tsdownConfigResolved: () => true,
  },
  {},
  { generateBundle: hasIds },
]

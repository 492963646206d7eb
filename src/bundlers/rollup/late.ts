import type { Options } from '../../config/options.js'
import { PACKAGE, RUNTIME_ID, sanitizeName, type NamingOptions } from '../library-modules.js'
import { mayWriteTokens } from '../may-write-tokens.js'
import { NAME, RESOLVED_ID, SCRIPT, STYLE_SHEET } from '../plugin.js'
import { isText } from '../reports.js'

/*
 * The plugins that the entries of Rollup and Rolldown export. They consist of filters, and load the real plugins when a
 * hook concerns an id for the first time, because many builds never see an id. `late.test.ts` checks that the hooks of
 * both are the same.
 */

type Handler = (this: unknown, ...given: unknown[]) => unknown

interface Hook {
  order?: 'pre' | 'post'
  sequential?: boolean
  filter?: { id?: RegExp | RegExp[]; code?: string | string[] }
}

interface RollupPlugin {
  name: string
  [hook: string]: unknown
}

/** The hooks of each plugin. A hook without a filter does nothing until another one has loaded the real plugins. */
const plugins: [name: string, enforce: string | undefined, hooks: Record<string, Hook>][] = [
  [
    NAME,
    'pre',
    {
      resolveId: { filter: { id: RESOLVED_ID } },
      load: { filter: { id: RESOLVED_ID } },
      renderChunk: { order: 'pre', filter: { code: ['__CONTENT_SPACE_', '\\0content-space', '/__content-space/'] } },
      buildStart: {},
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
  [`${NAME}:narrow`, 'post', { transform: { filter: { id: SCRIPT, code: 'content-space:' } } }],
  [
    `${NAME}:last`,
    undefined,
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

/**
 * Returns a function that makes plugins without code.
 * @param load loads the function that makes the real plugins
 */
export function latePlugins(load: () => Promise<(options?: Options) => unknown>) {
  return (options?: Options): RollupPlugin[] => {
    let real: RollupPlugin[] | undefined
    /** Resolves when the real plugins have started the current build. */
    let starting: Promise<unknown> | undefined
    let start: { context: unknown; given: unknown[] } = { context: undefined, given: [] }

    const open = async (): Promise<unknown> => (real ??= [(await load())(options)].flat().map(Object))
    const begin = async (): Promise<unknown> => open().then(() => call(0, 'buildStart', start.context, start.given))
    function call(at: number, name: string, context: unknown, given: unknown[]): unknown {
      const hook = Object(real?.[at]?.[name])
      return Reflect.apply(hook.handler ?? hook, context, given)
    }
    function handlerOf(at: number, name: string, { filter }: Hook): Handler {
      return function (...given) {
        if (name === 'buildStart') {
          start = { context: this, given }
          starting =
            real !== undefined || mayWriteTokens(options, Object(given[0]).cwd ?? process.cwd()) ? begin() : undefined
          return starting
        }
        // tsdown calls this hook before the build, and waits for it.
        if (name === 'tsdownConfigResolved') return open().then(() => call(at, name, this, given))
        if (name === 'outputOptions')
          return nameLate(Object(given[0]), () => real && Object(call(at, name, this, given)))
        const isFollowing = filter === undefined || Array.isArray(filter.id)
        if (real !== undefined && isFollowing) return call(at, name, this, given)
        const concerns = isFollowing ? name === 'generateBundle' && hasIds(given) : passes(name, filter, given)
        return concerns ? (starting ??= begin()).then(() => call(at, name, this, given)) : undefined
      }
    }

    return plugins.map(([name, enforce, hooks], at) => {
      const handlers = Object.entries(hooks).map(([key, hook]) => {
        const handler = handlerOf(at, key, hook)
        return [key, Object.keys(hook).length === 0 ? handler : { ...hook, handler }]
      })
      return { name, ...(enforce && { enforce }), ...Object.fromEntries(handlers) }
    })
  }
}

/**
 * Names the files of modules. Rolldown calls the hook before the first module is loaded, so we look up the real
 * plugin each time a file is named.
 */
function nameLate(options: NamingOptions, real: () => NamingOptions | undefined): NamingOptions | null {
  if (!options.preserveModules) return null
  return { ...options, sanitizeFileName: (name: string) => sanitizeName(real() ?? options, name) }
}

/** Checks a filter for versions of Rollup that ignore it. */
function passes(hook: string, { id, code = '' }: NonNullable<Hook['filter']>, [first, second]: unknown[]): boolean {
  const isId =
    id === undefined || [id].flat().some((pattern) => pattern.test(String(hook === 'transform' ? second : first)))
  return isId && [code].flat().some((text) => String(first).includes(text))
}

/** Whether an emitted text contains an id. We warn about such ids or reject them. */
function hasIds([, bundle]: unknown[]): boolean {
  return Object.entries(Object(bundle)).some(([name, file]) => {
    const { type, source } = Object(file)
    return type === 'asset' && isText(name) && Buffer.from(source).includes('content-space:')
  })
}

import type { Options } from '../../config/options.js'
import { sanitizeName, type NamingOptions } from '../library-modules.js'
import { DECLARATION } from '../plugin.js'
import { isText } from '../reports.js'

/*
 * The entries of Rollup, Rolldown, and Vite export placeholder plugins, which contain only filters. A placeholder loads
 * the real plugins when one of its hooks first receives an id, because many builds never contain an id. `late.test.ts`
 * checks that the placeholders and the real plugins have the same hooks.
 */

/** A hook, as the bundler reads it. */
interface Hook {
  order?: 'pre' | 'post'
  sequential?: boolean
  /** The hook also loads the real plugins if its filter passes and its first argument contains an id. */
  filter?: { id?: RegExp | RegExp[]; code?: string | string[] }
  /**
   * Which calls to repeat once the real plugins are loaded. `each`: every call with a different first argument. `last`:
   * the last call, or in Vite, the last call of each environment. By default, no call is repeated.
   */
  keep?: 'each' | 'last'
}

/** The name, the properties, and the hooks of a plugin. */
export type LatePlugin = [name: string, properties: object, hooks: Record<string, Hook>]

/**
 * What the hooks of each plugin do before the real plugins are loaded. By default, a hook does nothing. It receives its
 * arguments as an array. If the call is repeated later, the real hook receives the same array, including any changes.
 * `real` calls the real hook if it is loaded by then. A hook returns true to load the real plugins. Any other result,
 * except false, is passed to the bundler.
 */
export type EarlyHooks = Record<string, (given: unknown[], real: () => unknown) => unknown>[]

/** A call of a hook. */
export interface Call {
  /** The index of the plugin. */
  at: number
  name: string
  context: unknown
  given: unknown[]
  key?: unknown
}

/** Calls a hook of the real plugins. Without an argument, only repeats the earlier calls. */
type Run = (call?: Call) => unknown

/** Creates the real plugins. @param kept the calls to repeat */
export type Start = (options: Options | undefined, kept: Call[]) => Run

/** Loads the real plugins. */
export type Open = () => Promise<unknown>

/** Matches ids, and the marks, module ids, and URLs that replace them. */
const OURS = /content-space:|__CONTENT_SPACE_|\\0content-space|\/__content-space\//

export const hasId = ([code]: unknown[]): boolean => OURS.test(String(code))

/** The builds of a process that may depend on each other. */
export interface Builds {
  /** Called for each hook of a build before its plugins are loaded. */
  called(openOne: Open, hook: string): void
  /** Loads the plugins of one build, and of those that it depends on. */
  open(openOne: Open): Promise<void>
}

/** Returns a function that creates placeholder plugins, which load the real ones on demand. */
export function latePlugins(
  load: () => Promise<Start>,
  plugins: LatePlugin[],
  earlyHooks: (options: Options | undefined, open: Open) => EarlyHooks,
  builds?: Builds,
) {
  return (options?: Options) => {
    let run: Run | undefined
    let opening: Promise<unknown> | undefined
    let kept: Call[] = []

    const openOne: Open = () =>
      (opening ??= load().then((start) => {
        run = start(options, kept)
        return run()
      }))
    const open: Open = () => (builds ? builds.open(openOne) : openOne())

    const early = earlyHooks(options, open)

    return plugins.map(([plugin, properties, hooks], at) => {
      const handlers = Object.entries(hooks).map(([name, { keep, ...shape }]) => {
        function handler(this: unknown, ...given: unknown[]): unknown {
          const key = keep === 'each' ? given[0] : Object(this).environment
          const call: Call = { at, name, context: this, given, key }
          const real = (): unknown => run?.(call)
          if (run) return real()
          // A server may be closed while the plugins are loading.
          if (opening && name.startsWith('close')) return opening.then(real, real)
          builds?.called(openOne, name)
          const decide = (result: unknown): unknown => {
            if (result === true) return open().then(real)
            // Another hook may have loaded the plugins in the meantime.
            if (run) return real()
            if (keep) kept = [...kept.filter((other) => other.name !== name || other.key !== key), call]
            return result || undefined
          }
          const result = early[at]?.[name]?.(given, real) ?? passes(name, shape.filter, given)
          return result instanceof Promise ? result.then(decide) : decide(result)
        }
        return [name, Object.keys(shape).length > 0 ? { ...shape, handler } : handler]
      })
      return { name: plugin, ...properties, ...Object.fromEntries(handlers) }
    })
  }
}

/** Checks a hook's filter, because some versions of the bundlers ignore it. */
function passes(name: string, filter: Hook['filter'], given: unknown[]): boolean | undefined {
  const isId = name !== 'transform' || (filter?.id instanceof RegExp && filter.id.test(String(given[1])))
  return filter && isId && hasId(given)
}

/**
 * Sets the function that names files if modules are preserved. Rolldown calls this hook before it loads the first
 * module, so the function asks the real plugin each time it names a file.
 */
export function outputOptions([given]: unknown[], real: () => unknown): NamingOptions | undefined {
  const options: NamingOptions = Object(given)
  if (!options.preserveModules) return undefined
  return { ...options, sanitizeFileName: (name: string) => sanitizeName(Object(real() ?? options), name) }
}

/**
 * Checks whether an emitted text file contains an id or a dev server's URL, which the real plugins report, or whether a
 * declaration contains an id, whose types they add.
 */
export function hasIds([, bundle]: unknown[]): boolean {
  return Object.entries(Object(bundle)).some(([name, file]) => {
    const { source, code } = Object(file)
    const mayHaveIds = DECLARATION.test(name) || (source && isText(name))
    return mayHaveIds && hasId([code ?? Buffer.from(source)])
  })
}

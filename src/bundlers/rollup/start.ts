import type { Options } from '../../config/options.js'
import type { Call, Start } from './late.js'

/**
 * Returns a function that creates the real plugins for `latePlugins`, and repeats the earlier calls before any new
 * call.
 * @param create creates the real plugins
 */
export const startWith =
  (create: (options?: Options) => unknown): Start =>
  (options, kept) => {
    const plugins: object[] = [create(options)].flat().map(Object)
    let repeating: Promise<void> | undefined

    function run({ at, name, context, given }: Call): unknown {
      const hook = Object(Object(plugins[at])[name])
      return Reflect.apply(hook.handler ?? hook, context, given)
    }
    async function repeat(): Promise<void> {
      for (let call = kept.shift(); call; call = kept.shift()) await run(call)
    }
    return (call) => {
      const isDone = kept.length === 0 && repeating === undefined
      // Bundlers don't await `outputOptions`, so it can't wait for the repeated calls.
      if (call && (isDone || call.name === 'outputOptions')) return run(call)
      repeating ??= repeat().finally(() => (repeating = undefined))
      return repeating.then(() => call && run(call))
    }
  }

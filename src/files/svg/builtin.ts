import { builtinPlugins, type CustomPlugin } from 'svgo'

/** Returns a built-in plugin of svgo. It is in a separate module so that only code that runs svgo loads svgo. */
export function builtin(wanted: string, params: object): CustomPlugin {
  const plugin = builtinPlugins.find(({ name }) => name === wanted)
  if (!plugin) throw new Error(`svgo has no ${wanted}`)
  return { name: wanted, fn: (root, _, info) => Reflect.apply(plugin.fn, undefined, [root, params, info]) }
}

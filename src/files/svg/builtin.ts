import { builtinPlugins, type CustomPlugin } from 'svgo'

/** Returns a plugin of svgo. Only modules that import this one, or run svgo, load it. */
export function builtin(wanted: string, params: object): CustomPlugin {
  const plugin = builtinPlugins.find(({ name }) => name === wanted)
  if (!plugin) throw new Error(`svgo has no ${wanted}`)
  return { name: wanted, fn: (root, _, info) => Reflect.apply(plugin.fn, undefined, [root, params, info]) }
}

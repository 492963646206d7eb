import type { Options } from '../config/options.js'

/** The options of the addon, which Storybook merges with its own. */
interface AddonOptions {
  /** The same options as for the other plugins. By default, they come from the configuration file. */
  contentSpace?: Options
  /** Set by Storybook. */
  configType?: 'DEVELOPMENT' | 'PRODUCTION'
}

/** The part of either builder's configuration that is used here. */
interface BuilderConfig {
  plugins?: unknown
}

/** Adds the plugin to Storybook's Vite configuration, unless the project's own configuration already contains it. */
export async function viteFinal<Config extends BuilderConfig>(config: Config, options: AddonOptions): Promise<Config> {
  const plugins = await flatten(config.plugins)
  if (plugins.some(isOurs)) return config
  const { vite } = await import('../bundlers/rollup/create-vite.js')
  return { ...config, plugins: [...plugins, vite(options.contentSpace)] }
}

/** Adds the plugin to Storybook's webpack configuration. */
export async function webpackFinal<Config extends { plugins?: readonly unknown[] | undefined }>(
  config: Config,
  options: AddonOptions,
): Promise<Config> {
  const { latePlugin } = await import('../bundlers/pack/late.js')
  // In development, Storybook writes the output to disk and serves it from there.
  const plugin = latePlugin('webpack', options.contentSpace, undefined, options.configType === 'DEVELOPMENT')
  return { ...config, plugins: [...(config.plugins ?? []), plugin] }
}

/** Returns the plugins of a Vite configuration, which may be nested or promises. */
async function flatten(plugins: unknown): Promise<unknown[]> {
  const settled: unknown = await plugins
  if (!Array.isArray(settled)) return [settled]
  return (await Promise.all(settled.map(flatten))).flat()
}

function isOurs(plugin: unknown): boolean {
  return typeof plugin === 'object' && plugin !== null && 'name' in plugin && plugin.name === 'content-space'
}

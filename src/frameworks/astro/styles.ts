import { NAME } from '../../bundlers/plugin.js'

/** The parts of a resolved Vite configuration that are used here. */
interface Config {
  command: 'build' | 'serve'
  plugins: { name: string }[]
}

/**
 * A Vite plugin for the dev server. Astro collects the style sheets that Vite has compiled, and inserts them into the
 * pages that the server renders. Its plugins run before the plugins of integrations, so without this plugin, it would
 * collect ids instead of addresses.
 */
export const stylesPlugin = {
  name: 'content-space:astro-styles',
  configResolved({ command, plugins }: Config): void {
    if (command !== 'serve') return
    const from = plugins.findIndex(({ name }) => name === `${NAME}:last`)
    const compiler = plugins.findIndex(({ name }) => name === 'vite:css')
    if (compiler < from) plugins.splice(compiler + 1, 0, ...plugins.splice(from, 1))
  },
}

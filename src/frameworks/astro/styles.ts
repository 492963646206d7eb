import { NAME } from '../../bundlers/plugin.js'

/** The parts of a resolved configuration of Vite that are used here. */
interface Config {
  command: 'build' | 'serve'
  plugins: { name: string }[]
}

/**
 * A Vite plugin for the dev server. Astro keeps the style sheets that Vite has compiled, and writes them into the pages
 * that the server renders. Its plugins run before the plugins of integrations, so it would keep ids, and not addresses.
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

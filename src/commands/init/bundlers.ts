import { keysOf } from '../../text/keys.js'

export interface PluginPlace {
  /** The property names that lead to the list of plugins. */
  path: readonly string[]
  /** Whether the plugin wraps the configuration instead of being in a list. */
  wraps: boolean
}

/** How to recognize and set up a bundler, or a framework that includes one. */
export interface Tool extends Partial<PluginPlace> {
  package: string
  /** Name of the configuration file, without its extension. */
  config: string
  /** The entry of this package. Default: the entry with the same name as the tool. */
  entry?: string
  /** The export of the entry, if it isn't the default export. */
  import?: string
  /** Whether the configuration refers to the entry by name instead of importing it. */
  named?: boolean
  /** Whether projects usually lack a configuration, because it is optional. */
  isOptional?: boolean
  /** Whether Node loads the configuration, so that `type` in `package.json` determines the syntax of `.js` files. */
  loadedByNode?: boolean
  /** Whether the bundler also reads the source as CommonJS, without `import`, if `type` in `package.json` says so. */
  readsType?: boolean
  /** An extra step that only this tool requires. */
  note?: string
  /** The commands that write the types in a fresh clone. Default: `content-space sync`. */
  types?: readonly string[]
}

/** Frameworks include their bundler. Each tool precedes the tool that it is built on. */
const frameworks = {
  next: {
    package: 'next',
    config: 'next.config',
    import: 'withContentSpace',
    wraps: true,
    loadedByNode: true,
    types: ['next typegen'],
  },
  nuxt: { package: 'nuxt', config: 'nuxt.config', named: true, path: ['modules'], types: ['nuxt prepare'] },
  astro: { package: 'astro', config: 'astro.config', path: ['integrations'], types: ['astro sync'] },
  sveltekit: {
    package: '@sveltejs/kit',
    config: 'vite.config',
    entry: 'vite',
    types: ['svelte-kit sync', 'content-space sync'],
  },
  vitepress: { package: 'vitepress', config: '.vitepress/config', entry: 'vite', path: ['vite', 'plugins'] },
  'electron-vite': {
    package: 'electron-vite',
    config: 'electron.vite.config',
    entry: 'vite',
    path: ['renderer', 'plugins'],
    note:
      'This sets up only the renderer. For the main process or a preload script, add the plugin to plugins of main ' +
      'or preload, and the types to its tsconfig.',
  },
  docusaurus: { package: '@docusaurus/core', config: 'docusaurus.config', named: true },
  rslib: { package: '@rslib/core', config: 'rslib.config', entry: 'rsbuild', import: 'pluginContentSpace' },
  rsbuild: { package: '@rsbuild/core', config: 'rsbuild.config', import: 'pluginContentSpace' },
} as const satisfies Record<string, Tool>

const bundlers = {
  ...frameworks,
  vite: { package: 'vite', config: 'vite.config', isOptional: true },
  farm: {
    package: '@farmfe/core',
    config: 'farm.config',
    note:
      'If the dev server of Farm 1 answers each request with 404, add "overrides": { "koa-compose": "4.1.0" } to ' +
      'package.json.',
  },
  rspack: { package: '@rspack/core', config: 'rspack.config', loadedByNode: true, readsType: true },
  webpack: { package: 'webpack', config: 'webpack.config', loadedByNode: true, readsType: true },
  tsdown: { package: 'tsdown', config: 'tsdown.config', entry: 'rolldown', isOptional: true },
  tsup: { package: 'tsup', config: 'tsup.config', entry: 'esbuild', path: ['esbuildPlugins'] },
  rolldown: { package: 'rolldown', config: 'rolldown.config' },
  rollup: { package: 'rollup', config: 'rollup.config' },
  esbuild: { package: 'esbuild', config: 'esbuild.config', loadedByNode: true },
  vitest: { package: 'vitest', config: 'vitest.config', entry: 'vite', isOptional: true },
} as const satisfies Record<string, Tool>

export type Bundler = keyof typeof bundlers

export const bundlerNames = keysOf(bundlers)

/** Returns the description of a bundler, including its optional fields. */
export function toolOf(name: Bundler): Tool {
  return bundlers[name]
}

export function isFramework(name: Bundler): boolean {
  return Object.hasOwn(frameworks, name)
}

/** Packages of tools without plugins. They build the plain files that `content-space pull` writes. */
export const withoutPlugins = ['@angular/core', 'expo', 'react-native', '@11ty/eleventy', 'parcel']

/** Vite plugins that compile components, each with the name of its import. */
export const vitePlugins = [
  ['@vitejs/plugin-react', 'react'],
  ['@vitejs/plugin-react-swc', 'react'],
  ['@vitejs/plugin-vue', 'vue'],
  ['vite-plugin-solid', 'solid'],
] as const

const biome = (folder: string) => `"files": { "includes": ["**", "!**/content-space.lock.json", "!${folder}"] }`

const knip = '"entry": ["content-space.config.*"], "ignoreDependencies": ["content-space"],'
const unresolved = (plugin: string) => `'${plugin}/no-unresolved': ['error', { ignore: ['^content-space:'] }],`

const bunPreload =
  'preload = ["unplugin-content-space/register"]\n\n[test]\npreload = ["unplugin-content-space/register"]\n\n' +
  '[serve.static]\nplugins = ["unplugin-content-space/bun"]'

/** The step that makes the pulled files available to the pages of a framework without plugins. */
export const pullNotes: Readonly<Record<string, string>> = {
  '@11ty/eleventy':
    'Copy the files with the pages, in eleventy.config.js: ' +
    "eleventyConfig.addPassthroughCopy('src/content/!(.*)/*.{svg,webp,png,jpg}')",
}

/**
 * Tools that run beside a bundler, each with the line to add to its configuration. The line adds this package to the
 * tool, or excludes the files that this package writes. The first list is for projects with a plugin, the second for
 * projects that pull plain files. Some of the tools resolve imports without a bundler.
 */
export const companions = {
  plugin: [
    { package: '@types/bun', config: 'bunfig.toml', line: bunPreload, resolves: true },
    { package: 'bun-types', config: 'bunfig.toml', line: bunPreload, resolves: true },
    { package: 'storybook', config: '.storybook/main', line: "addons: ['unplugin-content-space/storybook']," },
    { package: 'jest', config: 'jest.config', line: "preset: 'unplugin-content-space/jest',", resolves: true },
    { package: 'eslint-config-next', config: 'eslint.config', line: "{ ignores: ['**/.content-space'] }," },
    { package: '@biomejs/biome', config: 'biome.json', line: biome('**/.content-space') },
    { package: 'knip', config: 'knip.json', line: knip },
    { package: 'eslint-plugin-import', config: 'eslint.config', line: unresolved('import') },
    { package: 'eslint-plugin-import-x', config: 'eslint.config', line: unresolved('import-x') },
    { package: 'eslint-plugin-n', config: 'eslint.config', line: "'n/no-missing-import': 'off'," },
    {
      package: 'dependency-cruiser',
      config: '.dependency-cruiser',
      line: "to: { couldNotResolve: true, pathNot: '^content-space:' },",
    },
  ],
  pull: [
    { package: 'eslint', config: 'eslint.config', line: "{ ignores: ['src/content'] }," },
    { package: '@biomejs/biome', config: 'biome.json', line: biome('src/content') },
  ],
} as const

/**
 * Files that Prettier must not format, in a project with a plugin and in a project that pulls plain files. Prettier
 * would break the entries of the lockfile, which git merges line by line, and it ignores a `.gitignore` in a subfolder.
 */
export const unformatted = {
  plugin: ['content-space.lock.json', 'content-space.d.ts', '.content-space'],
  pull: ['content-space.lock.json', 'src/content'],
}

import { basename, extname } from 'node:path'
import type { ConfigText, ObjectValue, Value } from './config-values.js'

/** The result of building the source, as far as the configuration proves it. */
export interface Proof {
  /** The scripts and pages from which a build starts, relative to the folder of the configuration. */
  entries: readonly string[]
  /** Files that are entries because of their names, such as routes. */
  entryNames?: RegExp
  /** The folder that each path prefix stands for, relative to the configuration's folder. */
  aliases: ReadonlyMap<string, string>
  /** Returns the value of a file's default import, or undefined if the configuration doesn't determine it. */
  importOf(file: string): 'address' | 'object' | undefined
  /** Returns whether `url()` in a style sheet results in the address of a file. */
  isStyleUrl(file: string): boolean
  /** The page that the bundler builds. */
  page?: string
}

/** A bundler whose configuration this package can read. */
interface Bundler {
  config: RegExp
  /** Matches commands of `scripts` in `package.json` that build, serve or test with this configuration. */
  commands: RegExp
  /** @returns the proof, or why nothing is certain */
  prove(text: ConfigText): Proof | string
}

/** Matches files whose default import is an address, in bundlers where that is the default. */
const pictures = /\.(?:svg|png|jpe?g|gif|webp|avif|ico|woff2?|[ot]tf|pdf)$/i
const isPictureFile = (file: string): boolean => pictures.test(file)
const addressOfPictures: Proof['importOf'] = (file) => (isPictureFile(file) ? 'address' : undefined)
const plainFlags =
  '(?: +--(?:host|port|open|mode|strictPort|outDir|watch|force|run|coverage|progress)(?:[ =]+[\\w.][\\w.:/-]*)?)*'
const commandPattern = (names: string, subcommands: string, flags = plainFlags): RegExp =>
  new RegExp(`^(?:${names})(?: +(?:${subcommands}))?${flags}$`)

const isOwn = (entry: string) => (value: Value) =>
  value.kind === 'export' && value.args !== undefined && value.from === `unplugin-content-space/${entry}`

/** Splits a list of names. */
const listed = (text: string): readonly string[] => text.split(' ')
const oneOf = (text: string) => (name: string) => listed(text).includes(name)

/** Plugins that leave imports of pictures to the bundler. */
const vitePlugins = oneOf(
  '@vitejs/plugin-react @vitejs/plugin-react-swc @vitejs/plugin-vue @vitejs/plugin-vue-jsx @vitejs/plugin-legacy ' +
    '@sveltejs/kit/vite @sveltejs/vite-plugin-svelte @preact/preset-vite vite-plugin-solid vite-plugin-inspect ' +
    'vite-plugin-vue-devtools @tailwindcss/vite vite-tsconfig-paths rollup-plugin-visualizer @vitejs/plugin-basic-ssl',
)

const viteKeys = listed(
  'plugins base mode define server preview build resolve css test json esbuild oxc optimizeDeps appType ' +
    'clearScreen logLevel envDir envPrefix cacheDir',
)
const viteBuildKeys = listed(
  'outDir assetsDir assetsInlineLimit sourcemap minify target emptyOutDir manifest cssCodeSplit ' +
    'cssMinify cssTarget reportCompressedSize chunkSizeWarningLimit modulePreload',
)
const vitestKeys = listed('environment globals include exclude setupFiles coverage passWithNoTests')

/** Bundlers for which this package has plugins, so not Parcel or Metro. */
export const bundlers: readonly Bundler[] = [
  {
    config: /^vite\.config\.[cm]?[jt]s$/,
    commands: commandPattern('vite|vitest', 'build|dev|serve|preview|run|watch'),
    prove({ exported, imports }) {
      const config = objectOf(exported)
      const problem =
        unknownKey(config, viteKeys) ??
        unknownKey(objectOf(config?.entries.get('build'), true), viteBuildKeys, 'build.') ??
        unknownKey(
          objectOf(config?.entries.get('css'), true),
          ['modules', 'preprocessorOptions', 'devSourcemap'],
          'css.',
        ) ??
        unknownKey(objectOf(config?.entries.get('test'), true), vitestKeys, 'test.') ??
        unknownKey(objectOf(config?.entries.get('resolve'), true), ['alias', 'extensions', 'dedupe'], 'resolve.') ??
        unknownPlugin(config?.entries.get('plugins'), 'vite', vitePlugins)
      const aliases = aliasesOf(config?.entries.get('resolve'))
      if (problem !== undefined || aliases === undefined) return problem ?? 'its option resolve.alias is not plain'
      const isSvelteKit = imports.has('@sveltejs/kit/vite')
      return {
        entries: isSvelteKit ? [] : ['index.html'],
        ...(isSvelteKit ? { entryNames: /^src\/(?:routes\/.*\+|hooks\.)[\w.@()-]+$/ } : { page: 'index.html' }),
        aliases,
        importOf: addressOfPictures,
        isStyleUrl: isPictureFile,
      }
    },
  },
  {
    config: /^rsbuild\.config\.[cm]?[jt]s$/,
    commands: commandPattern('rsbuild', 'build|dev|preview'),
    prove({ exported }) {
      const config = objectOf(exported)
      const source = objectOf(config?.entries.get('source'), true)
      const problem =
        unknownKey(config, ['plugins', 'source', 'html', 'server', 'dev', 'mode', 'resolve']) ??
        unknownKey(source, ['entry', 'define'], 'source.') ??
        unknownKey(objectOf(config?.entries.get('resolve'), true), ['alias'], 'resolve.') ??
        unknownPlugin(config?.entries.get('plugins'), 'rsbuild', (name) =>
          /^@rsbuild\/plugin-(?:react|vue|vue-jsx|svelte|preact|solid|sass|less|type-check)$/.test(name),
        )
      const aliases = aliasesOf(config?.entries.get('resolve'))
      const entries =
        entriesOf(source?.entries.get('entry')) ?? (source?.entries.has('entry') ? undefined : ['src/index'])
      if (problem !== undefined || aliases === undefined || entries === undefined)
        return problem ?? 'its entries or aliases are not plain'
      return { entries, aliases, importOf: addressOfPictures, isStyleUrl: isPictureFile }
    },
  },
  {
    config: /^webpack\.config\.[cm]?[jt]s$/,
    commands: commandPattern('webpack|webpack-cli', 'build|serve|watch'),
    prove: (text) => provePack(text, 'webpack'),
  },
  {
    config: /^rspack\.config\.[cm]?[jt]s$/,
    commands: commandPattern('rspack', 'build|serve|dev|preview'),
    prove: (text) => provePack(text, 'rspack'),
  },
  {
    config: /^(?:esbuild(?:\.config)?|build)\.[cm]?js$/,
    commands: /^node +(?:\.\/)?(?:esbuild(?:\.config)?|build)\.[cm]?js(?: +--(?:watch|serve|minify))*$/,
    prove(text) {
      const calls = text.callsOf('esbuild', ['build', 'default.build', 'buildSync', 'context', 'default.context'])
      const config = calls.length === 1 ? objectOf(calls[0]) : undefined
      const loaders = objectOf(config?.entries.get('loader'), true)
      const entries = entriesOf(config?.entries.get('entryPoints'))
      const problem =
        unknownKey(config, esbuildKeys) ??
        unknownPlugin(config?.entries.get('plugins'), 'esbuild', () => false) ??
        (literalOf(config?.entries.get('bundle')) === true ? undefined : 'it does not bundle')
      if (problem !== undefined || entries === undefined) return problem ?? 'its entries are not plain'
      const isFile = (file: string): boolean => literalOf(loaders?.entries.get(extname(file))) === 'file'
      return {
        entries,
        aliases: new Map(),
        importOf: (file) => (isFile(file) ? 'address' : undefined),
        isStyleUrl: isFile,
      }
    },
  },
  {
    config: /^next\.config\.[cm]?[jt]s$/,
    commands: commandPattern(
      'next',
      'build|dev|start',
      '(?: +(?:--turbopack|--turbo|--webpack|-p +\\d+|--port +\\d+))*',
    ),
    prove({ exported }) {
      const isWrapped = isOwn('next')(exported) && exported.kind === 'export'
      if (!isWrapped) return 'it does not use this package'
      const given = exported.args?.[0]
      const config = given ? objectOf(given) : { kind: 'object' as const, entries: new Map<string, Value>() }
      const problem =
        unknownKey(config, [
          'reactStrictMode',
          'images',
          'trailingSlash',
          'basePath',
          'assetPrefix',
          'poweredByHeader',
        ]) ??
        unknownKey(
          objectOf(config?.entries.get('images'), true),
          ['unoptimized', 'remotePatterns', 'domains'],
          'images.',
        )
      if (problem !== undefined) return problem
      return {
        entries: [],
        entryNames: /^(?:src\/)?(?:app|pages)\/.*\.[jt]sx?$/,
        aliases: new Map(),
        importOf: (file) => (/\.(?:svg|png|jpe?g|gif|webp|avif|ico)$/i.test(file) ? 'object' : undefined),
        isStyleUrl: isPictureFile,
      }
    },
  },
]

const esbuildKeys = listed(
  'entryPoints bundle outdir outfile minify sourcemap format target platform jsx publicPath assetNames ' +
    'entryNames chunkNames loader plugins define splitting logLevel metafile',
)

/** Plugins that don't affect imports of pictures. */
const packPlugins = oneOf(
  'html-webpack-plugin mini-css-extract-plugin css-minimizer-webpack-plugin terser-webpack-plugin webpack ' +
    'fork-ts-checker-webpack-plugin clean-webpack-plugin @rspack/core @rspack/plugin-react-refresh ' +
    '@pmmmwh/react-refresh-webpack-plugin',
)

const packKeys = listed(
  'mode entry output module plugins resolve devServer devtool target experiments stats optimization',
)

function provePack({ exported }: ConfigText, entry: 'webpack' | 'rspack'): Proof | string {
  const config = objectOf(exported)
  const rules = objectOf(config?.entries.get('module'), true)?.entries.get('rules')
  const all = rules?.kind === 'list' ? rules.items.map((rule) => objectOf(rule)) : []
  const resolve = objectOf(config?.entries.get('resolve'), true)
  const tests = all.map((rule) => rule?.entries.get('test'))
  const problem =
    unknownKey(config, packKeys) ??
    unknownKey(resolve, ['extensions', 'alias'], 'resolve.') ??
    unknownPlugin(config?.entries.get('plugins'), entry, packPlugins) ??
    (tests.every((test) => test?.kind === 'pattern') ? undefined : 'a rule has no plain test')
  const aliases = aliasesOf(config?.entries.get('resolve'))
  const given = config?.entries.get('entry')
  const entries = given ? entriesOf(given) : ['src/index']
  if (problem !== undefined || aliases === undefined || entries === undefined)
    return problem ?? 'its entries or aliases are not plain'
  /** Returns the only rule that applies to a file. */
  const ruleOf = (file: string): ObjectValue | undefined => {
    const own = all.filter((_, at) => {
      const test = tests[at]
      return test?.kind === 'pattern' && test.value.test(`/${basename(file)}`)
    })
    return own.length === 1 ? own[0] : undefined
  }
  const isFile = (file: string): boolean => {
    const rule = ruleOf(file)
    const isPlain = rule && unknownKey(rule, ['test', 'type', 'generator']) === undefined
    return isPlain === true && /^asset(?:\/resource)?$/.test(String(literalOf(rule.entries.get('type'))))
  }
  const style = ruleOf('style.css')
  const buildsStyles = style !== undefined && isStyleRule(style)
  return {
    entries,
    aliases,
    importOf: (file) => (isFile(file) ? 'address' : undefined),
    isStyleUrl: (file) => buildsStyles && isFile(file),
  }
}

/** Returns whether a rule builds style sheets with css-loader, or as webpack itself does. */
function isStyleRule(rule: ObjectValue): boolean {
  if (/^css(?:\/auto)?$/.test(String(literalOf(rule.entries.get('type')))))
    return unknownKey(rule, ['test', 'type']) === undefined
  const use = rule.entries.get('use')
  const loaders = use?.kind === 'list' ? use.items : []
  const names = loaders.map((one) => literalOf(one) ?? (one.kind === 'export' ? one.from : undefined))
  return (
    unknownKey(rule, ['test', 'use']) === undefined &&
    names.at(-1) === 'css-loader' &&
    names.slice(0, -1).every((name) => name === 'style-loader' || name === 'mini-css-extract-plugin')
  )
}

/** @param optional whether the value may be missing */
function objectOf(value: Value | undefined, optional = false): ObjectValue | undefined {
  if (value?.kind === 'object') return value
  return value === undefined && optional ? { kind: 'object', entries: new Map() } : undefined
}

function literalOf(value: Value | undefined): unknown {
  return value?.kind === 'literal' ? value.value : undefined
}

/** Returns the first key that may affect the value of an import. */
function unknownKey(value: ObjectValue | undefined, known: readonly string[], prefix = ''): string | undefined {
  if (value === undefined) return `${prefix === '' ? 'it' : `its option ${prefix.slice(0, -1)}`} is not a plain object`
  const key = [...value.entries.keys()].find((one) => !known.includes(one))
  return key === undefined ? undefined : `its option ${prefix}${key} may change imports`
}

function unknownPlugin(value: Value | undefined, entry: string, known: (name: string) => boolean): string | undefined {
  const plugins = flat(value)
  if (!plugins.some(isOwn(entry))) return 'it does not use this package'
  const other = plugins.find((one) => !isOwn(entry)(one) && !(one.kind === 'export' && known(one.from)))
  if (other === undefined) return undefined
  return other.kind === 'export' ? `its plugin ${other.from} may change imports` : 'a plugin in it may change imports'
}

function flat(value: Value | undefined): readonly Value[] {
  return value?.kind === 'list' ? value.items.flatMap((one) => (one.kind === 'list' ? flat(one) : [one])) : []
}

/** @returns undefined if any alias may stand for something other than a folder */
function aliasesOf(resolve: Value | undefined): Map<string, string> | undefined {
  const given = objectOf(objectOf(resolve, true)?.entries.get('alias'), true)
  if (given === undefined) return undefined
  const aliases = new Map<string, string>()
  for (const [name, value] of given.entries) {
    if (value.kind !== 'path' || !/^[@~#\w]/.test(name)) return undefined
    aliases.set(name, value.value)
  }
  return aliases
}

/** Returns the paths of entries, given as a string, a list, or an object of either. */
function entriesOf(value: Value | undefined): string[] | undefined {
  if (value?.kind === 'path') return [value.value]
  if (value?.kind === 'literal') return typeof value.value === 'string' ? [value.value] : undefined
  const inner = value?.kind === 'list' ? value.items : value?.kind === 'object' ? [...value.entries.values()] : []
  const all = inner.map((one) => entriesOf(one))
  return inner.length > 0 && all.every((some) => some !== undefined) ? all.flat() : undefined
}

import { execFileSync } from 'node:child_process'
import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { isAbsolute, join, resolve, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { writeLicenses } from './licenses.mjs'
import { removeUnneededTypes } from './needed-types.mjs'

/*
 * Builds the package: tsc compiles `src` to `build`, one file for each module, for tests of single modules. Rolldown
 * bundles `build` to `dist`, because Node takes longer to load many small modules than to run them.
 */

/** Files that are started or imported by their path, besides the exports of package.json. */
const started = ['cli/main', 'bundlers/markup/pack-loader', 'frameworks/jest/write', 'frameworks/next/loader']

/** Processes that share no chunk with the others: a conversion waits until its process has loaded its code. */
const processes = ['files/convert/watchdog', 'files/convert/worker']

/**
 * Small libraries that builds need, and those that they need. They are bundled too, without what is not used of them,
 * because Node takes longer to find them. All other libraries are dependencies.
 */
const libraries = [
  '@babel/helper-validator-identifier',
  '@jridgewell/gen-mapping',
  '@jridgewell/remapping',
  '@jridgewell/resolve-uri',
  '@jridgewell/sourcemap-codec',
  '@jridgewell/trace-mapping',
  'color-name',
  'dotenv',
  'dotenv-expand',
  'env-paths',
  'eventemitter3',
  'is-safe-filename',
  'leven',
  'magic-string',
  'p-queue',
  'p-timeout',
  'pretty-bytes',
  'unplugin',
  'valibot',
]

/** unplugin matches globs with it. All filters of this package are regular expressions. */
const unused = 'picomatch'

/** Modules with plugins of webpack and Rspack. unplugin has loaders for these, which must be files of its own. */
const withLoaders = ['bundlers/unplugin', 'frameworks/rsbuild', 'frameworks/storybook', 'rspack', 'webpack']

/**
 * Each chunk contains these modules and all that they import, except for what an earlier chunk contains, and what an
 * entry imports without the importer. Rolldown divides the other modules by what imports them.
 */
const chunks = Object.entries({
  print: ['errors', 'print'],
  plugin: ['bundlers/plugin', 'bundlers/references/file-names', 'bundlers/references/relative-url'],
  shared: ['bundlers/session/markers', 'config/project', 'disk/own-file', 'modules/asset-fields', 'space/asset-type'],
  importer: ['bundlers/session/content'],
})

/** What each module imports, directly or through others. */
const known = new Map()

for (const folder of ['build', 'dist']) await rm(folder, { recursive: true, force: true })
const compile = ['node_modules/typescript/bin/tsc', '-p', '.', '--outDir', 'build', '--declarationDir', 'dist']
execFileSync(process.execPath, compile, { stdio: 'inherit' })
// Read by the bundlers of projects: runtimes of components, and entries that are CommonJS.
await copy('src/components/runtime', 'dist/components/runtime', (path) => !path.endsWith('.ts'))
await copy('build/components/runtime', 'dist/components/runtime', () => true)
for (const name of ['webpack', 'rspack']) await cp(`build/${name}.cjs`, `dist/${name}.cjs`)

const entries = Object.values(JSON.parse(await readFile('package.json', 'utf8')).exports)
const declarations = (await readdir('dist', { recursive: true }))
  .filter((name) => /\.d\.c?ts$/.test(name))
  .map((name) => join('dist', name))
await removeUnneededTypes(declarations, [
  ...entries.flatMap(({ types }) => (types === undefined ? [] : [join(types)])),
  // Compilers of components look for declarations beside the files of the runtimes.
  ...declarations.filter((file) => file.startsWith(join('dist', 'components', 'runtime'))),
])

const exported = entries.flatMap((entry) => /^\.\/dist\/(.*)\.js$/.exec(entry.default)?.[1] ?? [])
const named = { includeDependenciesRecursively: false, groups: [{ debugName: 'chunks', name: nameChunk }] }
await bundle([...exported, ...started], named)
await bundle(processes, true)
await writeLicenses(libraries, 'dist/licenses.txt')

/**
 * @param {string[]} names the entries
 * @param {import('rolldown').OutputOptions['codeSplitting']} codeSplitting
 */
async function bundle(names, codeSplitting) {
  const bundled = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, `build/${name}.js`])),
    external: isExternal,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    // A module may be imported later by one chunk, and at once by another.
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      {
        name: 'unused',
        resolveId: (id) => (id === unused ? `\0${id}` : undefined),
        load: (id) => (id === `\0${unused}` ? 'export default undefined' : undefined),
        generateBundle: removeUnusedImports,
      },
    ],
  })
  await bundled.write({
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting,
  })
  await bundled.close()
}

/** @param {string} id a specifier, or the path of a module @param {string | undefined} importer */
function isExternal(id, importer) {
  if (id === 'unplugin' && withLoaders.some((name) => importer === fileOf(name))) return true
  const name = /^(?:@[^/]+\/)?[^./@][^/]*/.exec(id)?.[0]
  return name !== undefined && name !== unused && !isAbsolute(id) && !libraries.includes(name)
}

/**
 * Removes imports of modules of Node of which nothing is used. Rolldown keeps them. An import of `node:process` would
 * open the standard input and load what that needs.
 * @param {unknown} _options @param {import('rolldown').OutputBundle} files
 */
function removeUnusedImports(_options, files) {
  for (const file of Object.values(files))
    if (file.type === 'chunk') file.code = file.code.replaceAll(/^import "node:[\w/]+";\n/gm, '')
}

/** @param {string} from @param {string} to @param {(path: string) => boolean} filter */
function copy(from, to, filter) {
  return cp(from, to, { recursive: true, filter })
}

/**
 * Returns the chunk of a module, or null if Rolldown chooses it.
 * @param {string} id @param {import('rolldown').ChunkingContext} context
 */
function nameChunk(id, context) {
  if (id.includes('node_modules/@jridgewell/')) return 'source-maps'
  const isIn = (module) => importsOf(fileOf(module), context).has(id)
  const [name] = chunks.find(([, modules]) => modules.some(isIn)) ?? []
  if (name === undefined || exported.includes(moduleOf(id))) return null
  if (id.includes('node_modules')) return 'libraries'
  return name === 'importer' && exported.some(isIn) ? null : name
}

/** Returns a module and all that it imports, except later: `await import()`. */
function importsOf(id, context) {
  const found = known.get(id) ?? new Set([id])
  if (known.has(id)) return found
  known.set(id, found)
  for (const one of found) for (const next of context.getModuleInfo(one)?.importedIds ?? []) found.add(next)
  return found
}

function fileOf(name) {
  return resolve('build', `${name}.js`)
}

function moduleOf(file) {
  return file.slice(resolve('build').length + 1, -'.js'.length).replaceAll(sep, '/')
}

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename, isAbsolute, join, posix, resolve, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { buildBrowser } from './kit-browser.mjs'
import { librariesOf, writeLicenses, writeSbom } from './licenses.mjs'
import { writeClientTypes } from './client-types.mjs'
import { writeComponentTypes } from './component-types.mjs'
import { writeCommonJsRuntimes } from './commonjs-runtimes.mjs'
import { removeUnneededTypes } from './needed-types.mjs'
import { writeOlderTypes } from './older-types.mjs'

/*
 * Builds the package: tsc compiles `src` to `build`, one file for each module, for tests of single modules. Rolldown
 * bundles `build` to `dist`, because Node takes longer to load many small modules than to run them.
 */

/** Files that are started or imported by their path, besides the exports of package.json. */
const started = [
  'cli/bin',
  'cli/main',
  'bundlers/pack/loader',
  'frameworks/jest/write',
  'frameworks/next/loader',
  'frameworks/nuxt/image-provider',
]

/** Processes that share only libraries with the others: a conversion waits until its process has loaded its code. */
const processes = ['files/convert/watchdog', 'files/convert/worker']

/** Large libraries that processes and the others use. They are chunks of their own, so that the package has them once. */
const shared = ['css-tree', 'culori', 'parse5']

/** Libraries that stay packages of their own: users install them, and may replace them. All others are bundled. */
const { dependencies, peerDependencies, exports } = JSON.parse(await readFile('package.json', 'utf8'))
const packages = Object.keys({ ...dependencies, ...peerDependencies })

/** The paths of all modules that are bundled. */
const bundled = []

/**
 * Parts of libraries that this package never calls, with what takes their place. unplugin matches globs with picomatch,
 * but all filters of this package are regular expressions. The MCP server checks schemas in JSON with Ajv, but those of
 * this package are in zod.
 */
const unused = new Map([
  ['picomatch', 'export default undefined'],
  ['ajvProvider', 'export class n {}'],
])

/** @param {string} id as in an import */
const unusedIn = (id) => [...unused.keys()].find((name) => id === name || id.startsWith(`./${name}-`))

/** The module whose values are bundled instead of the libraries that it takes them from. */
const wordLists = 'commands/shared/word-lists'

/** Modules with plugins of webpack and Rspack. unplugin has loaders for these, which must be files of its own. */
const withLoaders = [
  'bundlers/unplugin',
  'frameworks/docusaurus',
  'frameworks/rsbuild',
  'frameworks/storybook',
  'entries/rspack',
  'entries/webpack',
]

/**
 * Each chunk contains these modules and all that they import, except for what an earlier chunk contains, and what an
 * entry imports without the importer. Rolldown divides the other modules by what imports them.
 */
const chunks = Object.entries({
  'compile-cache': ['disk/compile-cache'],
  print: ['errors', 'print'],
  plugin: ['disk/own-file', 'bundlers/plugin', 'bundlers/references/file-names', 'bundlers/references/relative-url'],
  marks: ['bundlers/references/marks'],
  shared: ['bundlers/session/markers', 'config/project', 'modules/asset-fields', 'space/asset-type'],
  importer: ['bundlers/session/content', 'disk/git'],
})

/** The imports of each module, direct or through others. */
const known = new Map()

for (const folder of ['build', 'dist']) await rm(folder, { recursive: true, force: true })
const compile = ['node_modules/typescript/bin/tsc', '-p', '.', '--outDir', 'build', '--declarationDir', 'dist']
execFileSync(process.execPath, compile, { stdio: 'inherit' })
// Read by the bundlers of projects: runtimes of components, and entries that are CommonJS.
await cp('src/components/runtime', 'dist/components/runtime', {
  recursive: true,
  filter: (path) => !path.endsWith('.ts'),
})
await cp('build/components/runtime', 'dist/components/runtime', { recursive: true })
await writeCommonJsRuntimes('build/components/runtime', 'dist/components/runtime/commonjs.json')
for (const name of ['docusaurus', 'rspack', 'webpack']) await cp(`build/entries/${name}.cjs`, `dist/entries/${name}.cjs`)

const [queries, { frameworks }] = await Promise.all(
  ['parameters', 'frameworks'].map((name) => import(`../../build/request/${name}.js`)),
)
await writeClientTypes('dist', { ...queries, frameworks })
await writeComponentTypes('dist')
const entries = Object.values(exports)
const declarations = (await readdir('dist', { recursive: true }))
  .filter((name) => /\.d\.c?ts$/.test(name))
  .map((name) => join('dist', name))
await writeOlderTypes(entries)
await removeUnneededTypes(declarations, [
  ...entries.flatMap(({ types }) => (types === undefined ? [] : [join(types)])),
  // Compilers of components look for declarations beside the files of the runtimes.
  ...declarations.filter((file) => file.startsWith(join('dist', 'components', 'runtime'))),
])

const exported = entries
  .flatMap((entry) => /^\.\/dist\/(.*)\.js$/.exec(entry.default)?.[1] ?? [])
  .filter((name) => existsSync(`build/${name}.js`))
const named = { includeDependenciesRecursively: false, groups: [{ debugName: 'chunks', name: nameChunk }] }
await bundle(shared.map((name) => [`chunks/${name}`, name]))
await bundle([...exported, ...started].map(inputOf), named)
await bundle(processes.map(inputOf))
const ofBrowser = await buildBrowser()
const ofLists = ['color-name-list', 'lucide-static'].map((name) => `node_modules/${name}`)
const libraries = librariesOf([...bundled, ...ofLists, ...ofBrowser])
await writeLicenses(librariesOf(ofBrowser), 'dist/browser/licenses.txt')
await writeLicenses(libraries, 'dist/licenses.txt')
await writeSbom(libraries, 'dist/sbom.cdx.json')

/** @param {string} name */
function inputOf(name) {
  return [name, `build/${name}.js`]
}

/**
 * @param {string[][]} inputs the entries: their names in `dist`, and their modules
 * @param {import('rolldown').OutputOptions['codeSplitting']} codeSplitting
 */
async function bundle(inputs, codeSplitting = true) {
  const build = await rolldown({
    input: Object.fromEntries(inputs),
    external: isExternal,
    platform: 'node',
    // Libraries in CommonJS use it to tell modules apart.
    transform: { define: { __filename: 'import.meta.url' } },
    preserveEntrySignatures: 'allow-extension',
    // A module may be imported later by one chunk, and at once by another.
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      {
        name: 'libraries',
        async resolveId(id, importer) {
          if (importer !== undefined && shared.includes(id) && (await isOwn(this, id, importer)))
            return { id: `shared:${id}`, external: true }
          const name = unusedIn(id)
          return name === undefined ? withoutRequire(id, importer) : `\0${name}`
        },
        load: (id) => (id === fileOf(wordLists) ? valuesOf(id) : unused.get(id.slice(1))),
        generateBundle(_options, files) {
          removeUnusedImports(files)
          placeShared(files)
          removeFacades(files)
          bundled.push(...this.getModuleIds())
        },
      },
    ],
  })
  await build.write({
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // So that a chunk has the exports of its modules, for `removeFacades`.
    minifyInternalExports: false,
    codeSplitting,
    // Documentation is in the declarations, and no file with annotations is bundled again. Commands would read both.
    comments: { jsdoc: false, annotation: false },
  })
  await build.close()
}

/**
 * Returns a module that has the values of another one.
 * @param {string} id the path of the module
 */
async function valuesOf(id) {
  const values = Object.entries(await import(id))
  const texts = values.map(([name, value]) => [name, JSON.stringify(JSON.stringify(value))])
  return texts.map(([name, json]) => `export const ${name} = JSON.parse(${json})`).join('\n')
}

/**
 * Whether a library is the one of this package: csso has its own css-tree.
 * @param {import('rolldown').PluginContext} context @param {string} id @param {string} importer
 */
async function isOwn(context, id, importer) {
  const [found, own] = await Promise.all(
    [importer, undefined].map((from) => context.resolve(id, from, { skipSelf: true })),
  )
  return found !== null && found.id === own?.id
}

/** @param {string} id a specifier, or the path of a module @param {string | undefined} importer */
function isExternal(id, importer) {
  if (isAbsolute(id)) return false
  if (id === 'unplugin') return withLoaders.some((name) => importer === fileOf(name))
  return isBuiltin(id) || packages.some((name) => id === name || id.startsWith(`${name}/`))
}

/**
 * Removes unused imports of Node's modules, which Rolldown keeps. An import of `node:process` would open the standard
 * input and load what it needs.
 * @param {import('rolldown').OutputBundle} files
 */
function removeUnusedImports(files) {
  for (const file of Object.values(files))
    if (file.type === 'chunk') file.code = file.code.replaceAll(/^import "node:[\w/]+";\n/gm, '')
}

/**
 * Replaces the ids of shared libraries by the paths of their chunks.
 * @param {import('rolldown').OutputBundle} files
 */
function placeShared(files) {
  for (const file of Object.values(files)) {
    if (file.type !== 'chunk') continue
    const folder = posix.dirname(file.fileName)
    const place = (_, name) => `"./${posix.relative(folder, `chunks/${name}.js`)}"`
    file.code = file.code.replaceAll(/"shared:([\w-]+)"/g, place)
  }
}

/**
 * Removes chunks that only export from another one. Rolldown adds them for modules that are imported later and are in a
 * chunk with others. Their importers import the other chunk.
 * @param {import('rolldown').OutputBundle} files
 */
function removeFacades(files) {
  /** The code of a chunk that only exports from another one, under the same names. */
  const facade = /^(?:export \{(?:(?! as ).)*\} from|import) "\.\/([^"]+)";\s*(?:export \{\};\s*)?$/
  const targets = new Map()
  for (const [name, { isDynamicEntry, code }] of Object.entries(files)) {
    const [, target] = (isDynamicEntry && facade.exec(code)) || []
    if (target === undefined) continue
    targets.set(basename(name), target)
    delete files[name]
  }
  for (const file of Object.values(files)) {
    if (file.type === 'chunk')
      file.code = file.code.replaceAll(
        /(?<=\bimport\("[./]*\/(?:chunks\/)?)[^"/]+/g,
        (name) => targets.get(name) ?? name,
      )
  }
}

/**
 * css-tree and csso read JSON with `require`, and have modules of the same data for browsers.
 * @param {string} id @param {string | undefined} importer
 */
function withoutRequire(id, importer) {
  const [, folder] = /^(.*[\\/](?:css-tree|csso)[\\/])lib[\\/]/.exec(importer ?? '') ?? []
  return folder !== undefined && /\/(?:data|version)\.js$/.test(id) ? join(folder, 'dist', basename(id)) : undefined
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

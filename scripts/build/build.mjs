import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { buildBrowser } from './kit-browser.mjs'
import { librariesOf, writeLicenses, writeSbom } from './licenses.mjs'
import { writeClientTypes } from './client-types.mjs'
import { writeComponentTypes } from './component-types.mjs'
import { writeCommonJsRuntimes } from './commonjs-runtimes.mjs'
import { removeUnneededTypes } from './needed-types.mjs'
import { writeOlderTypes } from './older-types.mjs'

/*
 * Builds the package. tsc compiles `src` to `build`, with one file per module, for tests of single modules. Rolldown
 * bundles `build` to `dist`, because Node takes longer to load many small modules than to run them.
 */

/** Files that are started or imported by path, in addition to the exports in package.json. */
const started = [
  'bundlers/bun/bun',
  'bundlers/esbuild/esbuild',
  'bundlers/farm/farm',
  'bundlers/rollup/create',
  'bundlers/rollup/create-vite',
  'cli/bin',
  'cli/main',
  'bundlers/pack/loader',
  'bundlers/pack/pack',
  'frameworks/jest/write',
  'frameworks/next/loader',
  'frameworks/nuxt/image-provider',
  'frameworks/register/bun',
]

/**
 * Files that contain everything they need. Entries among them import one of `started` when an id is seen, and some
 * import another one when their bundler runs.
 */
const single = [
  'bundlers/pack/start',
  'bundlers/rollup/vite-early',
  'entries/bun',
  'entries/docusaurus',
  'entries/esbuild',
  'entries/farm',
  'entries/rolldown',
  'entries/rollup',
  'entries/rsbuild',
  'entries/rspack',
  'entries/vite',
  'entries/webpack',
]

/**
 * Processes that share only libraries with the other entries, because a conversion waits until its process has loaded
 * its code.
 */
const processes = ['files/convert/watchdog', 'files/convert/worker']

/**
 * Large libraries that both processes and other entries use. They are separate chunks, so that the package contains
 * them only once.
 */
const shared = ['css-tree', 'culori', 'parse5']

/** Libraries that remain separate packages, which users install and may replace. All others are bundled. */
const { dependencies, peerDependencies, exports } = JSON.parse(await readFile('package.json', 'utf8'))
const packages = Object.keys({ ...dependencies, ...peerDependencies })

/** The paths of all modules that are bundled. */
const bundled = []

/** The modules in each file of `dist`, which minified code doesn't name. Tests read them from `build/modules.json`. */
const modulesOf = {}

/**
 * Parts of libraries that this package never calls, with their replacements. unplugin matches globs with picomatch, but
 * all filters of this package are regular expressions. The MCP server checks JSON schemas with Ajv, but this package's
 * schemas are in zod.
 */
const unused = new Map([
  ['picomatch', 'export default undefined'],
  ['ajvProvider', 'export class n {}'],
])

/** @param {string} id as in an import */
const unusedIn = (id) => [...unused.keys()].find((name) => id === name || id.startsWith(`./${name}-`))

/** The module whose values are bundled in place of the libraries from which it takes them. */
const wordLists = 'commands/shared/word-lists'

/**
 * Each chunk contains these modules and everything they import, except modules that are in an earlier chunk or that an
 * entry imports without the importer. Rolldown divides the other modules by their importers.
 */
const chunks = Object.entries({
  print: ['disk/compile-cache', 'errors', 'print'],
  program: ['cli/start', 'terminal/package'],
  plugin: ['disk/own-file', 'bundlers/plugin', 'bundlers/references/file-names', 'bundlers/references/relative-url'],
  marks: ['bundlers/references/marks'],
  shared: [
    'bundlers/session/markers',
    'config/has-token-files',
    'config/project',
    'modules/asset-fields',
    'source/import-site',
    'space/asset-type',
    'space/item-kinds',
    'text/pick',
  ],
  importer: ['bundlers/session/content', 'disk/git'],
})

/**
 * Shortens only names inside functions, and joins no statements, so stack traces and debuggers show the lines and names
 * of functions, classes and variables of modules.
 */
const readable = { compress: { joinVars: false, sequences: false }, mangle: { toplevel: false, keepNames: true } }

/** The direct and indirect imports of each module. */
const known = new Map()

const begun = new Date()
for (const folder of ['build', 'dist']) await rm(folder, { recursive: true, force: true })
const compile = ['node_modules/typescript/bin/tsc', '-p', '.', '--outDir', 'build', '--declarationDir', 'dist']
execFileSync(process.execPath, compile, { stdio: 'inherit' })
// Files that projects' bundlers read: the component runtimes, and the CommonJS entries.
await cp('src/components/runtime', 'dist/components/runtime', {
  recursive: true,
  filter: (path) => !path.endsWith('.ts'),
})
await cp('build/components/runtime', 'dist/components/runtime', { recursive: true })
await writeCommonJsRuntimes('build/components/runtime', 'dist/components/runtime/commonjs.json')
for (const name of ['docusaurus', 'rspack', 'webpack'])
  await cp(`build/entries/${name}.cjs`, `dist/entries/${name}.cjs`)

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
  // Component compilers search for declarations beside the runtime files.
  ...declarations.filter((file) => file.startsWith(join('dist', 'components', 'runtime'))),
])

const exported = entries
  .flatMap((entry) => /^\.\/dist\/(.*)\.js$/.exec(entry.default)?.[1] ?? [])
  .filter((name) => existsSync(`build/${name}.js`))
const named = { includeDependenciesRecursively: false, groups: [{ debugName: 'chunks', name: nameChunk }] }
await bundle(shared.map((name) => [`chunks/${name}`, name]))
await bundle([...exported.filter((name) => !single.includes(name)), ...started].map(inputOf), named)
for (const name of single) await bundle([inputOf(name)], true, true)
await bundle(processes.map(inputOf))
await writeFile('build/modules.json', JSON.stringify(modulesOf))
const ofBrowser = await buildBrowser()
const ofLists = ['color-name-list', 'lucide-static'].map((name) => `node_modules/${name}`)
const libraries = librariesOf([...bundled, ...ofLists, ...ofBrowser])
await writeLicenses(librariesOf(ofBrowser), 'dist/browser/licenses.txt')
await writeLicenses(libraries, 'dist/licenses.txt')
await writeSbom(libraries, 'dist/sbom.cdx.json')
// Tests compare this time with the sources: someone may have edited them since the build read them.
await utimes('dist/sbom.cdx.json', begun, begun)

/** @param {string} name */
function inputOf(name) {
  return [name, `build/${name}.js`]
}

/**
 * @param {string[][]} inputs the entries: their names in `dist`, and their modules
 * @param {import('rolldown').OutputOptions['codeSplitting']} codeSplitting
 * @param {import('rolldown').OutputOptions['minify']} minify
 */
async function bundle(inputs, codeSplitting = true, minify = readable) {
  const build = await rolldown({
    input: Object.fromEntries(inputs),
    external: isExternal,
    platform: 'node',
    // CommonJS libraries use it to distinguish modules.
    transform: { define: { __filename: 'import.meta.url' } },
    preserveEntrySignatures: 'allow-extension',
    // One chunk may import a module dynamically, and another one statically.
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      {
        name: 'libraries',
        async resolveId(id, importer) {
          if (importer !== undefined && shared.includes(id) && (await isOwn(this, id, importer)))
            return { id: `shared:${id}`, external: true }
          const file = importer === undefined ? '' : moduleOf(resolve(dirname(importer), id))
          if (single.includes(file) || (minify === true && started.includes(file)))
            return { id: `shared:../${file}`, external: true }
          const name = unusedIn(id)
          return name === undefined ? withoutRequire(id, importer) : `\0${name}`
        },
        load: (id) => (id === fileOf(wordLists) ? valuesOf(id) : unused.get(id.slice(1))),
        generateBundle(_options, files) {
          separateStatements(files)
          removeUnusedImports(files)
          placeShared(files)
          removeFacades(files)
          listModules(files)
          bundled.push(...this.getModuleIds())
        },
      },
    ],
  })
  await build.write({
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Keeps the exports of a chunk's modules under their names, for `removeFacades`.
    minifyInternalExports: false,
    codeSplitting,
    minify,
    // Declarations contain the documentation, and files with annotations aren't bundled again. Commands would have to
    // read both.
    comments: { jsdoc: false, annotation: false },
  })
  await build.close()
}

/**
 * Returns a module that contains the values of another module.
 * @param {string} id the path of the module
 */
async function valuesOf(id) {
  const values = Object.entries(await import(id))
  const texts = values.map(([name, value]) => [name, JSON.stringify(JSON.stringify(value))])
  return texts.map(([name, json]) => `export const ${name} = JSON.parse(${json})`).join('\n')
}

/**
 * Checks whether a library is this package's own dependency, because csso has another version of css-tree.
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
  // For webpack, unplugin loads a package that isn't a dependency of this one.
  if (id === 'unplugin') return importer === fileOf('bundlers/unplugin')
  return isBuiltin(id) || packages.some((name) => id === name || id.startsWith(`${name}/`))
}

/**
 * Writes each statement of a module on its own line. Stack traces tell lines apart, and Node prints the line of an
 * uncaught error.
 * @param {import('rolldown').OutputBundle} files
 */
function separateStatements(files) {
  for (const file of Object.values(files)) {
    const starts = parseAst(file.code).body.map(({ start }) => start)
    file.code = [0, ...starts]
      .map((start, index) => file.code.slice(start, starts[index]).trimEnd())
      .join('\n')
      .trimStart()
  }
}

/** @param {import('rolldown').OutputBundle} files */
function listModules(files) {
  for (const { fileName, modules } of Object.values(files)) {
    const included = Object.entries(modules).filter(([, { code }]) => code)
    modulesOf[fileName] = included.map(([id]) => relative('.', id).replaceAll(sep, '/'))
  }
}

/**
 * Removes unused imports of Node's modules, which Rolldown keeps. An import of `node:process` would open the standard
 * input and load the modules that this requires.
 * @param {import('rolldown').OutputBundle} files
 */
function removeUnusedImports(files) {
  for (const file of Object.values(files))
    if (file.type === 'chunk') file.code = file.code.replaceAll(/^import *["`]node:[\w/]+["`];\n/gm, '')
}

/**
 * Replaces the ids of shared libraries with the paths of their chunks.
 * @param {import('rolldown').OutputBundle} files
 */
function placeShared(files) {
  for (const file of Object.values(files)) {
    if (file.type !== 'chunk') continue
    const folder = posix.dirname(file.fileName)
    const place = (_, name) => `"./${posix.relative(folder, `chunks/${name}.js`)}"`
    file.code = file.code.replaceAll(/["`]shared:([\w./-]+)["`]/g, place)
  }
}

/**
 * Removes chunks that only re-export from another chunk. Rolldown adds them for dynamically imported modules that share
 * a chunk with others. Makes their importers import the other chunk.
 * @param {import('rolldown').OutputBundle} files
 */
function removeFacades(files) {
  /** Matches the code of a chunk that only re-exports from another chunk under the same names. */
  const facade = /^(?:export\{(?:(?! as ).)*\}from|import)["`]\.\/([^"`]+)["`];?\s*(?:export\{\};?\s*)?$/
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
        /(?<=\bimport\(["`][./]*\/(?:chunks\/)?)[^"`/]+/g,
        (name) => targets.get(name) ?? name,
      )
  }
}

/**
 * css-tree and csso read JSON with `require`, but also have modules with the same data for browsers.
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

/** Returns a module and everything it imports, except dynamic imports. */
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

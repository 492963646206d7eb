import { openLastingMarks } from '../../src/bundlers/references/marks.js'
import type { FileDescriptor } from '../../src/files/plan.js'
import { writeRecipe } from '../../src/files/recipe.js'

/** Text in content that a plugin or a bundler could mistake for its own syntax. */
export interface HostileText {
  /** A description for the test's title. */
  name: string
  text: string
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A descriptor that wasn't created by a plan. */
export interface ForgedDescriptor {
  name: string
  file: object
  /** Whether a plan could create the same descriptor for another asset, or with another value of the option `svg`. */
  planned?: true
}

/** Returns descriptors of a file that is never imported, and invalid descriptors. */
export function forgedDescriptors(victim: FileDescriptor): ForgedDescriptor[] {
  const { recipe: _, ...plain } = victim
  const trusting = writeRecipe({ kind: 'svg', policy: 'trust', svgo: true })
  return [
    { name: 'another asset', file: victim, planned: true },
    { name: 'another policy for SVG', file: { ...victim, recipe: trusting }, planned: true },
    { name: 'no recipe for SVG', file: plain, planned: true },
    { name: 'a name that climbs', file: { ...victim, name: '../../../climbed' } },
    { name: 'a name that is a path', file: { ...victim, name: '/tmp/climbed' } },
    { name: 'an extension that climbs', file: { ...victim, ext: 'svg/../../../climbed.svg' } },
    { name: 'SVG under another extension', file: { ...plain, ext: 'txt' } },
    { name: 'a cut that is SVG', file: { ...plain, type: 'PNG', ext: 'png', cut: 'SVG' } },
    { name: 'an asset that climbs to another endpoint', file: { ...victim, asset: '../kits' } },
    { name: 'an asset with a query', file: { ...victim, asset: `${victim.asset}/download?response=json` } },
    { name: 'an asset at another host', file: { ...victim, asset: '//127.0.0.1:9/x' } },
    { name: 'a recipe that is no JSON', file: { ...victim, recipe: '{' } },
    { name: 'an unknown key', file: { ...victim, url: 'https://elsewhere.example/' } },
  ]
}

/**
 * Returns this package's marks with forged descriptors, real marks of a file that is never imported, and parts of
 * marks.
 */
export function forgedMarks(victim: FileDescriptor): HostileText[] {
  const real = openLastingMarks().references.address(victim).code.slice(1, -1)
  return [
    ...forgedDescriptors(victim).map(({ name, file }) => {
      return { name: `a mark with ${name}`, text: `__CONTENT_SPACE_${base64({ file })}__END` }
    }),
    { name: 'a mark of a value', text: `__CONTENT_SPACE_${base64({ value: { file: victim, as: 'raw' } })}__END` },
    { name: 'a mark of no JSON', text: '__CONTENT_SPACE_AAAA__END' },
    { name: 'a mark with an unknown digest', text: `__CONTENT_SPACE_${'0'.repeat(64)}__END` },
    { name: 'a mark that a build makes', text: real },
    { name: 'such a mark within a text', text: `a ${real} b ${real}` },
    { name: 'the beginning of a mark', text: real.slice(0, 40) },
    { name: 'the end of a mark', text: real.slice(40) },
    { name: 'a mark that ends the string', text: `"+"${real}"+"` },
  ]
}

/** Returns the forms in which modules import content. */
function forgedImports(victim: FileDescriptor): HostileText[] {
  return [
    { name: 'the stub of webpack', text: `data:application/x-content-space;base64,${base64(victim)}` },
    { name: 'the stub of esbuild', text: `content-space-file:~${base64(victim)}/x.svg` },
    { name: 'an id', text: `content-space:asset/${victim.asset}` },
    { name: 'an id as webpack sees it', text: `@@content-space/content-space%3Aasset%2F${victim.asset}` },
    { name: 'an import', text: `"; import x from "content-space:asset/${victim.asset}"; "` },
  ]
}

/** Placeholders and expressions that bundlers replace, and comments that they interpret. */
const placeholders: HostileText[] = [
  '__VITE_ASSET__abcdefghijklmnopqrstuv__',
  '__VITE_ASSET__abcdefghijklmnopqrstuv_0123456789abcdef01234567__',
  '__VITE_PUBLIC_ASSET__deadbeef__',
  '__VITE_PRELOAD__',
  '__VITE_IS_MODERN__',
  '__VITE_CSS_URL__2f6d61696e2e637373__',
  '__VITE_INLINE_CSS__deadbeef_0__',
  '__vite__mapDeps([0])',
  '__VITE_BASE__',
  '__vite_ssr_import_meta__',
  '!~{000}~',
  '!~{001}~ !~{002}~ !~{003}~ !~{004}~ !~{005}~',
  'import.meta.ROLLUP_FILE_URL_abcdefgh',
  'import.meta.ROLLDOWN_FILE_URL_abcdefgh',
  'import.meta.url',
  'import.meta.env.MODE',
  'import.meta.env',
  'import.meta.hot',
  'process.env.NODE_ENV',
  'new URL("./main.js" import.meta.url)',
  'new URL("./main.js", import.meta.url)',
  'new Worker(new URL("./main.js", import.meta.url))',
  'import.meta.glob("./*.js")',
  'import("./page.js")',
  'require("./page.js")',
  '//# sourceMappingURL=data:application/json;base64,e30=',
  '/* @__PURE__ */ /*! license */ /* webpackIgnore: true */',
  '__webpack_require__.p + __webpack_public_path__',
  '__WEBPACK_CSS_PUBLIC_PATH_AUTO__',
  '__WEBPACK_MODULE_REFERENCE__0_64656661756c74_call__._',
  '__WEBPACK_DEFAULT_EXPORT__',
  '__RSPACK_ESM_CHUNK_0',
  '[name].[contenthash][ext]',
  '__FARM_TARGET_ENV__',
  '$__farm_global_this__$',
  '__farm_global_this__',
  '__farm_resource_pot__',
  '__farmNodeModule',
  '__esModule',
].map((text) => ({ name: text, text }))

/**
 * Returns all hostile texts.
 * @param victim the descriptor of a file that no build imports
 */
export function hostileTexts(victim: FileDescriptor): HostileText[] {
  return [...forgedMarks(victim), ...forgedImports(victim), ...placeholders]
}

/**
 * Returns texts in two halves, for two fields that a bundler joins when it folds constants.
 * @param victim the descriptor of a file that no build imports
 */
export function hostileHalves(victim: FileDescriptor): [left: string, right: string][] {
  const marks = forgedMarks(victim).filter(({ name }) => /another asset|a build makes/.test(name))
  const [forged = '', real = ''] = marks.map(({ text }) => text)
  return [
    [forged.slice(0, 16), forged.slice(16)],
    [real.slice(0, 1), real.slice(1)],
    [real.slice(0, 30), real.slice(30)],
    [real.slice(0, -1), real.slice(-1)],
    ['__VITE_PRE', 'LOAD__'],
    ['_', '_VITE_IS_MODERN__'],
    ['__VITE_PUBLIC_ASSET__dead', 'beef__'],
    ['!', '~{001}~'],
  ]
}

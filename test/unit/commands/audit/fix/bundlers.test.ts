import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { bundlers } from '../../../../../src/commands/audit/fix/bundlers.js'
import { readConfigText } from '../../../../../src/commands/audit/fix/config-values.js'

/**
 * Returns what a configuration proves about the import of a drawing and about `url()`, or why it doesn't prove
 * anything.
 */
function proofOf(file: string, code: string): unknown {
  const bundler = bundlers.find(({ config }) => config.test(basename(file)))
  const text = readConfigText(code, file)
  const proof = text && bundler?.prove(text)
  return typeof proof === 'object' ? [proof.importOf('logo.svg'), proof.isStyleUrl('logo.svg')] : proof
}

const vite = "import contentSpace from 'unplugin-content-space/vite'\n"
const pack = "const contentSpace = require('unplugin-content-space/webpack')\n"
const css = "{ test: /\\.css$/, use: ['style-loader', 'css-loader'] }"
const rules = (text: string): string =>
  `${pack}module.exports = { entry: './src/main.js', plugins: [contentSpace()], module: { rules: [${text}] } }`
const esbuild = "import * as esbuild from 'esbuild'\nimport contentSpace from 'unplugin-content-space/esbuild'\n"
const build = (loader: string, more = ''): string =>
  `${esbuild}await esbuild.build({ entryPoints: ['a.js'], bundle: true, loader: { '.svg': '${loader}' }, plugins: [contentSpace()${more}] })`
const next = "import { withContentSpace } from 'unplugin-content-space/next'\n"

test.each([
  ['vite.config.js', `${vite}export default { plugins: [contentSpace()] }`],
  [
    'vite.config.ts',
    `import { defineConfig } from 'vite'\nimport react from '@vitejs/plugin-react'\n${vite}export default defineConfig(({ mode }) => ({ plugins: [react(), contentSpace({ svg: 'original' })], define: { a: mode } }))`,
  ],
  [
    'vite.config.mts',
    `${vite}const config = { plugins: [contentSpace()] } satisfies UserConfig\nexport default config`,
  ],
  [
    'rsbuild.config.ts',
    "import { defineConfig } from '@rsbuild/core'\nimport { pluginContentSpace } from 'unplugin-content-space/rsbuild'\nexport default defineConfig({ plugins: [pluginContentSpace()] })",
  ],
  ['webpack.config.js', rules(`${css}, { test: /\\.svg$/, type: 'asset/resource' }`)],
  ['webpack.config.js', rules(`{ test: /\\.css$/, type: 'css' }, { test: /\\.(svg|png)$/i, type: 'asset' }`)],
  ['build.mjs', build('file')],
])('%s proves that an import gives an address', (file, code) => {
  expect(proofOf(file, code)).toEqual(['address', true])
})

test('the configuration of Next.js proves that an import gives an object', () => {
  expect(proofOf('next.config.mjs', `${next}export default withContentSpace({ reactStrictMode: true })`)).toEqual([
    'object',
    true,
  ])
})

test.each([
  ['vite.config.js', `export default { plugins: [] }`, 'it does not use this package'],
  ['vite.config.js', `${vite}export default { plugins: [on && contentSpace()] }`, 'it does not use this package'],
  ['vite.config.js', `${vite}export default { plugins: [contentSpace(), { load() {} }] }`, 'a plugin in it may change'],
  [
    'vite.config.js',
    `${vite}import svgr from 'vite-plugin-svgr'\nexport default { plugins: [contentSpace(), svgr()] }`,
    'its plugin vite-plugin-svgr may change imports',
  ],
  ['vite.config.js', `${vite}export default { ...other, plugins: [contentSpace()] }`, 'is not a plain object'],
  ['vite.config.js', `${vite}export default mergeConfig({ plugins: [contentSpace()] }, a)`, 'is not a plain object'],
  [
    'vite.config.js',
    `${vite}const a = { plugins: [contentSpace()] }\na.x = 1\nexport default a`,
    'is not a plain object',
  ],
  [
    'vite.config.js',
    `${vite}const a = { plugins: [contentSpace()] }\na.plugins.push(b)\nexport default a`,
    'is not a plain object',
  ],
  [
    'vite.config.js',
    `${vite}const plugins = [contentSpace()]\nplugins.push(b)\nexport default { plugins }`,
    'it does not use this package',
  ],
  [
    'vite.config.js',
    `${vite}export default () => { if (a) return b; return { plugins: [contentSpace()] } }`,
    'is not a plain object',
  ],
  ['vite.config.js', `${vite}export default { plugins: [contentSpace()], build: { lib: {} } }`, 'build.lib may change'],
  ['vite.config.js', `${vite}export default { plugins: [contentSpace()], assetsInclude: [] }`, 'assetsInclude may'],
  [
    'vite.config.js',
    `${vite}export default { plugins: [contentSpace()], resolve: { alias: [{ find: /svg/, replacement: 'a' }] } }`,
    'resolve.alias is not plain',
  ],
  ['build.mjs', build('file', ', other()'), 'a plugin in it may change'],
  ['next.config.mjs', 'export default {}', 'it does not use this package'],
  ['next.config.mjs', `${next}export default withContentSpace({ webpack: (a) => a })`, 'webpack may change'],
  ['webpack.config.js', rules('{ oneOf: [] }'), 'a rule has no plain test'],
])('%s: %s proves nothing', (file, code, reason) => {
  expect(proofOf(file, code)).toContain(reason)
})

test.each([
  ['webpack.config.js', rules(`${css}, { test: /\\.svg$/, type: 'asset/source' }`)],
  ['webpack.config.js', rules(`${css}, { test: /\\.svg$/, type: 'asset/inline' }`)],
  ['webpack.config.js', rules(`${css}, { test: /\\.svg$/, use: ['@svgr/webpack'] }`)],
  ['webpack.config.js', rules(`${css}, { test: /\\.svg$/, resourceQuery: /a/, type: 'asset/resource' }`)],
  ['webpack.config.js', rules(`{ test: /\\.svg$/, type: 'asset' }, { test: /svg/, use: 'svgo-loader' }`)],
  ['build.mjs', build('text')],
  ['build.mjs', build('dataurl')],
])('%s: %s says nothing about drawings', (file, code) => {
  expect(proofOf(file, code)).toEqual([undefined, false])
})

test("a style sheet that is text, or whose url() isn't resolved, doesn't contain URLs", () => {
  const drawings = "{ test: /\\.svg$/, type: 'asset/resource' }"
  const sheets = [
    "{ test: /\\.css$/, type: 'asset/source' }",
    "{ test: /\\.css$/, use: ['style-loader', { loader: 'css-loader', options: { url: false } }] }",
  ]
  for (const sheet of sheets)
    expect(proofOf('webpack.config.js', rules(`${sheet}, ${drawings}`))).toEqual(['address', false])
})

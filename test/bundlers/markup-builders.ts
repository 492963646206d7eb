import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  rspack,
  CssExtractRspackPlugin,
  HtmlRspackPlugin,
  type Configuration as RspackConfiguration,
} from '@rspack/core'
import { build as buildWithEsbuild } from 'esbuild'
import HtmlWebpackPlugin from 'html-webpack-plugin'
import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import contentSpaceEsbuild from 'unplugin-content-space/esbuild'
import contentSpaceRolldown from 'unplugin-content-space/rolldown'
import contentSpaceRollup from 'unplugin-content-space/rollup'
import contentSpaceRspack from 'unplugin-content-space/rspack'
import contentSpaceVite from 'unplugin-content-space/vite'
import contentSpaceWebpack from 'unplugin-content-space/webpack'
import { build as buildWithVite, createLogger, type InlineConfig } from 'vite'
import { webpack, type Configuration as WebpackConfiguration } from 'webpack'
import type { Options } from '../../src/config/options.js'
import { runCompiler } from './drivers/pack.js'

/** The input of a build: a project folder, options, and the base of URLs. */
interface Site {
  root: string
  options: Options
  base: string
}

/**
 * Builds a project's `main.js` and, if the name says so, `index.html` into `dist`.
 * @returns warnings
 */
export type BuildSite = (site: Site) => Promise<string[]>

function viteWith(more: (site: Site) => InlineConfig): BuildSite {
  return async (site) => {
    const warnings: string[] = []
    const say = (message: string): void => void warnings.push(message)
    const { build, ...config } = more(site)
    await buildWithVite({
      root: site.root,
      base: site.base,
      configFile: false,
      customLogger: { ...createLogger('silent'), warn: say, warnOnce: say, hasWarned: false },
      plugins: [contentSpaceVite(site.options)],
      ...config,
      build: { minify: false, cssMinify: false, ...build },
    })
    return warnings
  }
}

const scriptInVite = ({ root }: Site): InlineConfig => ({
  build: { rolldownOptions: { input: join(root, 'main.js') } },
})

function packConfiguration({ root, base }: Site) {
  return {
    mode: 'production' as const,
    context: root,
    entry: { main: './main.js' },
    optimization: { minimize: false },
    performance: false as const,
    output: {
      path: join(root, 'dist'),
      publicPath: base === './' ? 'auto' : base,
      assetModuleFilename: 'media/[name].[contenthash:8][ext]',
    },
  }
}

function webpackWith(more: (site: Site) => WebpackConfiguration): BuildSite {
  return (site) => {
    const { plugins = [], ...configuration } = more(site)
    return runCompiler(
      webpack({
        ...packConfiguration(site),
        ...configuration,
        plugins: [contentSpaceWebpack(site.options), ...plugins],
      }),
    )
  }
}

function rspackWith(more: (site: Site) => RspackConfiguration): BuildSite {
  return (site) => {
    const { plugins = [], ...configuration } = more(site)
    return runCompiler(
      rspack({
        ...packConfiguration(site),
        ...configuration,
        plugins: [contentSpaceRspack(site.options), ...plugins],
      }),
    )
  }
}

const cssLoader = fileURLToPath(import.meta.resolve('css-loader'))
const styleLoader = fileURLToPath(import.meta.resolve('style-loader'))
const htmlLoader = fileURLToPath(import.meta.resolve('html-loader'))
const css = { test: /\.css$/ }
const html = { test: /\.html$/, loader: htmlLoader }
const template = ({ root }: Site) => ({ template: join(root, 'index.html') })

const farmScript = `
  import { build } from '@farmfe/core'
  import contentSpace from 'unplugin-content-space/farm'
  const { root, options, base, input } = JSON.parse(process.argv[1])
  const output = { path: 'dist', publicPath: base, assetsFilename: 'media/[resourceName].[hash].[ext]' }
  const compilation = { input: { index: input }, output, persistentCache: false, presetEnv: false, minify: false }
  await build({ root, compilation, plugins: [contentSpace(options)] })
`

function farmWith(input: string): BuildSite {
  return async (site) => {
    const args = ['--input-type=module', '--eval', farmScript, JSON.stringify({ ...site, input })]
    const cwd = fileURLToPath(new URL('../..', import.meta.url))
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd, timeout: 110_000 }).catch(
      (error: { stdout: string; stderr: string }) => {
        throw new Error(error.stdout + error.stderr)
      },
    )
    return [stdout, stderr]
  }
}

/** Bundlers that write style sheets as files. */
export const styleSheetBuilders: Readonly<Record<string, BuildSite>> = {
  Vite: viteWith(scriptInVite),
  'Vite with Lightning CSS': viteWith((site) => ({ css: { transformer: 'lightningcss' }, ...scriptInVite(site) })),
  'webpack with css-loader': webpackWith(() => ({
    module: { rules: [{ ...css, use: [MiniCssExtractPlugin.loader, cssLoader] }] },
    plugins: [new MiniCssExtractPlugin()],
  })),
  'webpack with css-loader that ignores addresses': webpackWith(() => ({
    module: { rules: [{ ...css, use: [MiniCssExtractPlugin.loader, { loader: cssLoader, options: { url: false } }] }] },
    plugins: [new MiniCssExtractPlugin()],
  })),
  'webpack with its own CSS': webpackWith(() => ({ module: { rules: [] }, experiments: { css: true } })),
  'Rspack with css-loader': rspackWith(() => ({
    module: { rules: [{ ...css, use: [CssExtractRspackPlugin.loader, cssLoader] }] },
    plugins: [new CssExtractRspackPlugin()],
  })),
  'Rspack with its own CSS': rspackWith(() => ({ module: { rules: [{ ...css, type: 'css/auto' }] } })),
  esbuild: async ({ root, options, base }) => {
    const { warnings } = await buildWithEsbuild({
      absWorkingDir: root,
      entryPoints: ['main.js'],
      bundle: true,
      outdir: 'dist',
      assetNames: 'media/[name]-[hash]',
      logLevel: 'silent',
      plugins: [contentSpaceEsbuild(options)],
      ...(base === './' ? {} : { publicPath: base }),
    })
    return warnings.map(({ text }) => text)
  },
  Farm: farmWith('./main.js'),
}

/** Bundlers whose scripts contain the style sheets. */
export const styleScriptBuilders: Readonly<Record<string, BuildSite>> = {
  'webpack with style-loader': webpackWith(() => ({ module: { rules: [{ ...css, use: [styleLoader, cssLoader] }] } })),
  'Rspack with style-loader': rspackWith(() => ({
    module: { rules: [{ ...css, oneOf: [{ use: () => [styleLoader, cssLoader] }] }] },
  })),
}

/** Bundlers that don't build style sheets. */
export const builtWithoutStyleSheets: Readonly<Record<string, BuildSite>> = {
  Rollup: async ({ root, options }) => {
    const bundle = await rollup({ input: join(root, 'main.js'), plugins: [contentSpaceRollup(options)] })
    await bundle.write({ dir: join(root, 'dist') })
    return []
  },
  Rolldown: async ({ root, options }) => {
    const bundle = await rolldown({ input: join(root, 'main.js'), plugins: [contentSpaceRolldown(options)] })
    await bundle.write({ dir: join(root, 'dist') })
    return []
  },
}

/** Bundlers that build pages. */
export const pageBuilders: Readonly<Record<string, BuildSite>> = {
  Vite: viteWith(() => ({})),
  'webpack with html-webpack-plugin': webpackWith((site) => ({
    module: { rules: [] },
    plugins: [new HtmlWebpackPlugin(template(site))],
  })),
  'webpack with html-webpack-plugin and html-loader': webpackWith((site) => ({
    module: { rules: [html] },
    plugins: [new HtmlWebpackPlugin(template(site))],
  })),
  'Rspack with its own plugin for pages': rspackWith((site) => ({
    module: { rules: [] },
    plugins: [new HtmlRspackPlugin(template(site))],
  })),
  'Rspack with html-webpack-plugin and html-loader': rspackWith((site) => ({
    module: { rules: [html] },
    plugins: [new HtmlWebpackPlugin(template(site))],
  })),
  Farm: farmWith('./index.html'),
}

/** Bundlers whose scripts import markup. */
export const markupImporters: Readonly<Record<string, BuildSite>> = {
  'webpack with html-loader': webpackWith(() => ({ module: { rules: [html] } })),
  'Rspack with html-loader': rspackWith(() => ({ module: { rules: [html] } })),
}

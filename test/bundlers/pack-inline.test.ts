import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CssExtractRspackPlugin, rspack, type RspackOptions } from '@rspack/core'
import HtmlWebpackPlugin from 'html-webpack-plugin'
import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import rspackPlugin from 'unplugin-content-space/rspack'
import webpackPlugin from 'unplugin-content-space/webpack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webpack, type Configuration } from 'webpack'
import type { Options } from '../../src/config/options.js'
import { createProject, defaults, readTree } from './driver.js'
import { logStream, packConfiguration, runCompiler } from './drivers/pack.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'

const brand = `content-space:kit/${kits.brand}`
const logo = `content-space:asset/${kits.brand}/acme-logo`
const size = drawing('Acme').length
const uri = `data:image/svg+xml;base64,${Buffer.from(drawing('Acme')).toString('base64')}`
const main = `import { acmeLogo } from '${brand}'; console.log(acmeLogo.src)`
const cssLoader = fileURLToPath(import.meta.resolve('css-loader'))
const htmlLoader = fileURLToPath(import.meta.resolve('html-loader'))
const svg = { test: /\.svg$/ }

type Parser = { dataUrlCondition: { maxSize?: number } }
interface Rules {
  rules?: object[]
  parser?: { asset: Parser }
}

interface Bundler {
  name: string
  run: (root: string, options: Options, module: Rules, log: string[]) => Promise<string[]>
}

const configuration = (root: string, log: string[]) => {
  const { experiments: _, target: _node, ...shared } = packConfiguration(root, { ...defaults, format: 'cjs' })
  return { ...shared, infrastructureLogging: { level: 'info' as const, stream: logStream(log) } }
}
const pages = (root: string) => new HtmlWebpackPlugin({ template: join(root, 'index.html'), inject: 'body' })
const sheets = (loader: string) => ({ test: /\.css$/, use: [loader, cssLoader] })

/** The other form of a condition in webpack. */
const dataUrlCondition = (bytes: Buffer, { filename }: { filename: string }): boolean =>
  bytes.length === size && filename.endsWith('acme-logo.svg')

const bundlers: Bundler[] = [
  {
    name: 'webpack',
    run(root, options, { rules = [], ...module }, log) {
      const settings: Configuration = {
        ...configuration(root, log),
        module: { ...module, rules: [sheets(MiniCssExtractPlugin.loader), ...rules] },
        plugins: [webpackPlugin(options), new MiniCssExtractPlugin(), pages(root)],
      }
      return runCompiler(webpack(settings))
    },
  },
  {
    name: 'Rspack',
    run(root, options, { rules = [], ...module }, log) {
      const settings: RspackOptions = {
        ...configuration(root, log),
        module: { ...module, rules: [sheets(CssExtractRspackPlugin.loader), ...rules] },
        plugins: [rspackPlugin(options), new CssExtractRspackPlugin(), pages(root)],
      }
      return runCompiler(rspack(settings))
    },
  },
]

const upTo = (maxSize: number): Parser => ({ dataUrlCondition: { maxSize } })

/** Configurations that inline the logo in scripts. */
const inlining: [string, Rules][] = [
  ['a limit for all asset modules', { parser: { asset: upTo(size) } }],
  ['a rule with a limit', { rules: [{ ...svg, type: 'asset', parser: upTo(size) }] }],
  ['a rule whose condition has no limit', { rules: [{ ...svg, type: 'asset', parser: { dataUrlCondition: {} } }] }],
  ['a rule for all files of a kind', { rules: [{ ...svg, type: 'asset/inline' }] }],
  [
    'nested rules: the first that matches applies',
    {
      rules: [
        {
          test: [/\.png$/, svg.test],
          oneOf: [
            { resourceQuery: /url/, type: 'asset/resource' },
            { issuer: /\.css$/, type: 'asset/resource' },
            { exclude: { and: [/logo/, { not: /acme/ }] }, type: 'asset', parser: upTo(size) },
            { type: 'asset/resource' },
          ],
        },
      ],
    },
  ],
  [
    'a rule after another',
    {
      rules: [
        { ...svg, type: 'asset/resource' },
        { include: (path: string) => path.endsWith('.svg'), type: 'asset' },
      ],
      parser: { asset: upTo(size) },
    },
  ],
]

/** Configurations that keep the logo as a file. */
const emitting: [string, Rules][] = [
  ['no rule', {}],
  ['a rule with the limit of the bundler', { rules: [{ ...svg, type: 'asset' }] }],
  ['a limit below its size', { rules: [{ ...svg, type: 'asset', parser: upTo(size - 1) }] }],
  ['a rule for files', { rules: [{ ...svg, type: 'asset/resource' }], parser: { asset: upTo(size) } }],
  ['a rule for other files', { rules: [{ test: /\.png$/, type: 'asset/inline' }] }],
  ['a rule for a query', { rules: [{ ...svg, resourceQuery: /inline/, type: 'asset/inline' }] }],
]

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())

async function build({ run }: Bundler, module: Rules, files: Record<string, string> = {}) {
  const project = await createProject({ 'package.json': '{}', 'main.js': main, 'index.html': '<main>', ...files })
  const log: string[] = []
  space.requests()
  try {
    await run(project.root, { ...space.options(), types: false }, module, log)
    const output = await readTree(join(project.root, 'dist'))
    return {
      text: (path: string) => String(output.get(path)),
      media: [...output.keys()].filter((path) => path.startsWith('media/')).map((path) => path.slice(6)),
      downloads: space.requests().filter((path) => path.includes('/download')).length,
      summary: log.find((line) => line.includes(' from Brand')) ?? '',
    }
  } finally {
    await project.remove()
  }
}

describe.each(bundlers)('$name', (bundler) => {
  test.each(inlining)('a small file is a part of scripts: %s', async (_, module) => {
    const { text, media, summary, downloads } = await build(bundler, module)
    expect(text('main.js')).toContain(`"${uri}"`)
    expect(media).toEqual([])
    expect(summary).toContain('1 inlined file from Brand')
    expect(downloads).toBe(1)
  })

  test.each(emitting)('a file stays a file: %s', async (_, module) => {
    const { text, media, summary } = await build(bundler, module)
    expect(text('main.js')).not.toContain('data:image')
    expect(media).toHaveLength(1)
    expect(summary).toContain('1 file from Brand')
  })

  test('small files are parts of style sheets and pages', async () => {
    const page = (icon: string): string => `<!doctype html><html><head>${icon}</head><body>
      <img src="${logo}"><img src="${logo}#mark"></body></html>`
    const files = {
      'main.js': `import './main.css'; import markup from './part.html'; console.log(markup)`,
      'main.css': `a { background: url(${logo}) } b { background: url(content-space:asset/${kits.brand}/hero-photo) }`,
      'part.html': `<p><img src="${logo}"></p>`,
      'index.html': page(`<link rel="icon" href="${logo}">`),
    }
    const rules = [
      { test: /part\.html$/, loader: htmlLoader },
      { ...svg, type: 'asset', parser: upTo(size) },
    ]
    const { text, media, summary } = await build(bundler, { rules }, files)
    expect(text('main.css')).toContain(`url(${uri})`)
    expect(text('main.js')).toContain(uri)
    expect(text('index.html')).toContain(`<img src="${uri}">`)
    expect(text('index.html')).toMatch(/<img src="\/static\/media\/acme-logo\.\w+\.svg#mark">/)
    expect(text('index.html')).toMatch(/href="\/static\/media\/acme-logo\.\w+\.svg"/)
    expect(media.map((path) => path.replace(/\..*/, ''))).toEqual(['acme-logo', 'hero-photo'])
    expect(summary).toContain('2 files from Brand')
  })
})

test('a webpack function decides by bytes and name', async () => {
  const [webpackOnly = expect.fail()] = bundlers
  const parser = Object({ asset: { dataUrlCondition } })
  expect((await build(webpackOnly, { parser })).text('main.js')).toContain(`"${uri}"`)
})

test.each(bundlers)('an error of an inlined file shows its import: $name', async (bundler) => {
  const photo = '02 Photos/hero-photo.jpg'
  await space.edit(photo, 'not a photo')
  const files = { 'main.js': `import { heroPhoto } from '${brand}?w=20'\nconsole.log(heroPhoto.src)` }
  const built = build(bundler, { rules: [{ test: /\.jpg$/, type: 'asset/inline' }] }, files)
  await expect(built).rejects.toThrow(/Hero Photo[^]*main\.js:1:28[^]*1 \| import \{ heroPhoto \} from/)
  await space.edit(photo, space.original(`brand/${photo}`))
})

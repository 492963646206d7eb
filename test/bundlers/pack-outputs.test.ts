import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ProvidePlugin as RspackProvidePlugin, rspack, type RspackOptions } from '@rspack/core'
import rspackPlugin from 'unplugin-content-space/rspack'
import webpackPlugin from 'unplugin-content-space/webpack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { container, DllPlugin, EntryPlugin, ProvidePlugin, webpack, type Compiler, type Configuration } from 'webpack'
import { startServer } from '../../src/commands/serve/server.js'
import type { Options } from '../../src/config/options.js'
import { createProject, defaults, readTree } from './driver.js'
import { logStream, packConfiguration, runCompiler } from './drivers/pack.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'

const brand = `content-space:kit/${kits.brand}`
const main = `import { acmeLogo } from '${brand}'; console.log(acmeLogo.src)`
const automatic = (root: string) => ({ output: { ...base(root).output, publicPath: 'auto' } })
const base = (root: string) => packConfiguration(root, { ...defaults, format: 'cjs' })

const emitting = (emit: boolean) => () => ({
  module: { generator: { asset: { emit }, 'asset/resource': { emit } } },
})

/** @param done receives the modules as the bundler prints them */
type Run = (root: string, options: Options, extra?: object, done?: (text: string) => void) => Promise<string[]>

/** @returns a plugin that imports content into scripts that use a global variable */
type Provide = (definitions: Record<string, string[]>) => object

const bundlers: { name: string; cache: (folder: string) => object; run: Run; provide: Provide }[] = [
  {
    name: 'webpack',
    cache: (folder) => ({ type: 'filesystem', cacheDirectory: folder }),
    provide: (definitions) => new ProvidePlugin(definitions),
    run: (root, options, extra, done) => {
      const configuration: Configuration = {
        ...base(root),
        ...extra,
        plugins: [webpackPlugin({ types: false, ...options }), ...(Object(extra).plugins ?? [])],
      }
      const compiler = webpack(configuration)
      compiler.hooks.done.tap('test', (stats) => done?.(stats.toString({ all: false, modules: true })))
      return runCompiler(compiler)
    },
  },
  {
    name: 'rspack',
    cache: (folder) => ({ type: 'persistent', storage: { type: 'filesystem', directory: folder } }),
    provide: (definitions) => new RspackProvidePlugin(definitions),
    run: (root, options, extra, done) => {
      const { experiments: _none, ...shared } = base(root)
      const configuration: RspackOptions = {
        ...shared,
        ...extra,
        plugins: [rspackPlugin({ types: false, ...options }), ...(Object(extra).plugins ?? [])],
      }
      const compiler = rspack(configuration)
      compiler.hooks.done.tap('test', (stats) => done?.(stats.toString({ all: false, modules: true })))
      return runCompiler(compiler)
    },
  },
]

/** In base64, most of these contain a character that differs between the two alphabets. */
const labels = [
  'Noël',
  'Привет',
  'A > B',
  'a >b',
  'ab>',
  'Who?',
  'wh?o',
  'about ~ 50',
  '漢字',
  '🎉 party 👨‍👩‍👧',
  'ÿþý',
  '\u007f',
  'it\'s "quoted" \\ back',
  'I/O + a=b&c#d',
  'العربية',
  'é'.normalize('NFD'),
  '-_-',
  'plain',
]

describe.each(bundlers)('$name', ({ run, cache, provide }) => {
  let space: TestSpace
  beforeAll(async () => void (space = await openTestSpace()))
  afterAll(() => space.close())

  async function built(files: Record<string, string>, options: Options, extra: (root: string) => object = () => ({})) {
    const project = await createProject({ 'package.json': '{}', ...files })
    try {
      const warnings = await run(project.root, { ...space.options(), ...options }, extra(project.root))
      const output = await readTree(join(project.root, 'dist'))
      return { warnings, script: String(output.get('main.js')), names: [...output.keys()], output }
    } finally {
      await project.remove()
    }
  }

  test('names modules in its output as the source does', async () => {
    const project = await createProject({ 'package.json': '{}', 'main.js': main })
    let printed = ''
    await run(
      project.root,
      space.options(),
      { optimization: { concatenateModules: false } },
      (text) => (printed = text),
    )
    await project.remove()
    expect(printed).toContain('content-space:acme-logo.svg')
    expect(printed).toMatch(/content-space:asset\/[\dA-F-]{36} /)
    expect(printed).not.toMatch(/x-content-space|~eyJ/)
  })

  test('builds a project whose path contains a #', async () => {
    const project = await createProject({ 'a #1/package.json': '{}', 'a #1/main.js': main })
    const root = join(project.root, 'a #1')
    try {
      await run(root, space.options())
      expect([...(await readTree(join(root, 'dist'))).keys()].filter((name) => name.endsWith('.svg'))).toHaveLength(1)
    } finally {
      await project.remove()
    }
  })

  test('puts the content hash into file names', async () => {
    const { output } = await built({ 'main.js': main }, {}, (root) => ({
      output: {
        ...base(root).output,
        assetModuleFilename: '[name].[hash:8][ext][query]',
        hashFunction: 'md4',
        hashDigest: 'hex',
      },
    }))
    const [file] = [...output].filter(([name]) => name.endsWith('.svg'))
    expect(file?.[1].toString()).toBe(drawing('Acme'))
    expect(file?.[0]).toMatch(/^acme-logo\.[0-9a-f]{8}\.svg$/)
    expect(String(output.get('main.js'))).toContain(file?.[0])
  })

  test('accepts a function for `assetModuleFilename`', async () => {
    const { names } = await built({ 'main.js': main }, {}, (root) => ({
      output: { ...base(root).output, assetModuleFilename: ({ filename = '' }) => `by-function/${filename}` },
    }))
    expect(names).toContain('by-function/acme-logo.svg')
  })

  test('uses the settings for asset modules', async () => {
    const settings = { filename: 'generated/[name].[contenthash:6][ext]', outputPath: '../public/' }
    for (const generator of [{ 'asset/resource': settings }, { asset: settings }]) {
      const { script, names } = await built({ 'main.js': main }, {}, () => ({ module: { generator } }))
      expect(script).toMatch(/generated\/acme-logo\.[0-9a-f]{6}\.svg/)
      expect(names).toEqual(['main.js'])
    }
  })

  test("gives the same URLs if asset modules aren't emitted", async () => {
    const [server, browser] = [
      await built({ 'main.js': main }, {}, emitting(false)),
      await built({ 'main.js': main }, {}, emitting(true)),
    ]
    expect(server.names).toEqual(['main.js'])
    expect(server.script).toBe(browser.script)
  })

  test('uses the option `publicPath`, and emits no files with `emitFiles: false`', async () => {
    const { script, names } = await built({ 'main.js': main }, { publicPath: 'https://cdn.example/', emitFiles: false })
    expect(script).toContain('https://cdn.example/')
    expect(names).toEqual(['main.js'])
  })

  test('warns about addresses that a browser cannot load', async () => {
    expect((await built({ 'main.js': main }, {}, automatic)).warnings.join()).toMatch(/publicPath/)
    expect((await built({ 'main.js': main }, {})).warnings.join()).not.toMatch(/publicPath/)
  })

  test('rejects an unknown member of a namespace that is also used as a value', async () => {
    const code = `import * as kit from '${brand}'; globalThis.kit = kit; console.log(kit.acmeLoga)`
    await expect(built({ 'main.js': code }, {})).rejects.toThrow(/acmeLoga.*was not found/)
  })

  test('narrows the imports of a component that a loader has compiled', async () => {
    const files = {
      'main.js': `import './App.vue.js!=!./compile.cjs!./App.vue?vue&type=script'`,
      'compile.cjs': 'module.exports = (code) => /<script>([^]*)<\\/script>/.exec(code)[1]',
      'App.vue': `<script>import('${brand}').then(({ acmeLogo }) => console.log(acmeLogo.src))</script>`,
    }
    const { names } = await built(files, {}, () => ({ mode: 'development', devtool: false }))
    expect(names.filter((name) => name.endsWith('.svg'))).toHaveLength(1)
  })

  test('provides content to a script that imports other content of the same kit', async () => {
    const plugins = [provide({ dark: [brand, 'acmeLogoDark'] })]
    const { names } = await built({ 'main.js': `${main}; console.log(dark.src)` }, {}, () => ({ plugins }))
    expect(names.filter((name) => name.endsWith('.svg'))).toHaveLength(2)
  })

  test('reads an encoded id in another request as a part of it', async () => {
    const files = {
      'main.js': `import text from 'data:text/javascript,export default "content-space%3Akit"'; use(text)`,
    }
    expect((await built(files, {})).script).toContain('content-space:kit')
  })

  test('names the script that puts an id together, and no other of its folder', async () => {
    const other = `import('content-space:asset/brand/' + name)`
    const files = { 'a.js': other, 'main.js': 'import(`content-space:section/brand/${name}`)' }
    const place = /section\/brand\/\$\{…\} is built at run time[^]*main\.js/
    await expect(built(files, {})).rejects.toThrow(place)
  })

  test('emits new content despite a cache on disk', async () => {
    const project = await createProject({ 'package.json': '{}', 'main.js': main })
    const { root } = project
    try {
      const folder = join(root, 'space')
      const asset = join(folder, 'kit/Logos/acme-logo.svg')
      await cp(join(root, 'package.json'), asset)
      const options = { space: folder, cacheDir: join(root, 'content'), kits: { kit: 'kit' } }
      await writeFile(
        join(root, 'main.js'),
        `import { acmeLogo } from 'content-space:kit/kit'; console.log(acmeLogo.src)`,
      )
      for (const text of ['first', 'second', 'second']) {
        await writeFile(asset, drawing(text))
        await rm(join(root, 'dist'), { recursive: true, force: true })
        await run(root, options, { cache: cache(join(root, 'cache')) })
        const output = await readTree(join(root, 'dist'))
        const [name, bytes] = [...output].find(([path]) => path.endsWith('.svg')) ?? []
        expect(bytes?.toString()).toBe(drawing(text))
        expect(await readFile(join(root, 'dist/main.js'), 'utf8')).toContain(name)
      }
    } finally {
      await project.remove()
    }
  })

  test('accepts names with any characters', async () => {
    const printed = `import kit from 'content-space:kit/kit'; console.log(JSON.stringify(kit))`
    const project = await createProject({ 'package.json': '{}', 'main.js': printed })
    const { root } = project
    try {
      for (const [at, name] of labels.entries()) {
        const path = `space/kit/Logos/logo-${at}`
        await project.write({ [`${path}.svg`]: drawing(`logo ${at}`), [`${path}.json`]: JSON.stringify({ name }) })
      }
      const folder = cache(join(root, 'cache'))
      for (const again of [1, 2, 3]) {
        // The last build uses the bundler's cache, but not this package's cache.
        if (again === 3) await rm(join(root, 'content'), { recursive: true })
        await rm(join(root, 'dist'), { recursive: true, force: true })
        await run(root, { space: join(root, 'space'), cacheDir: join(root, 'content') }, { cache: folder })
        const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/main.js')])
        const [section]: { items: { asset: { name: string; src: string } }[] }[] = JSON.parse(stdout).sections
        const assets = section?.items.map(({ asset }) => asset) ?? []
        expect(assets.map(({ name }) => name).toSorted()).toEqual(labels.toSorted())
        const output = await readTree(join(root, 'dist'))
        for (const { name, src } of assets) {
          expect(String(output.get(src.replace('/static/', '')))).toBe(drawing(`logo ${labels.indexOf(name)}`))
          expect(src).toMatch(/^\/static\/media\/[a-z0-9-]+\.[0-9a-f]{8}\.svg$/)
        }
        expect(output.size).toBe(labels.length + 1)
      }
    } finally {
      await project.remove()
    }
  })

  test('gives the same bytes in each build, without absolute paths', async () => {
    const runs = [await built({ 'main.js': main }, {}), await built({ 'main.js': main }, {})]
    const digests = runs.map(({ output }) =>
      [...output].map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]),
    )
    expect(digests[0]).toEqual(digests[1])
    expect(runs[0]?.script).not.toContain('/tmp/')
  })
})

// Rspack isn't tested, because it would have to call JavaScript for each module.
test('webpack names modules and chunks of a development build as the source does', async () => {
  const space = await openTestSpace()

  const code = `import logo from 'content-space:asset/${kits.brand}/acme-logo?url'
    import described from 'content-space:asset/${kits.brand}/acme-logo?as=metadata'
    import lazy from 'content-space:section/${kits.brand}/logos?lazy'
    const { src } = await lazy['acme-logo']()
    console.log(JSON.stringify([logo === src, described.name]))`
  const project = await createProject({ 'package.json': '{}', 'main.mjs': code })
  const { root } = project
  try {
    for (const devtool of [false, 'eval'] as const) {
      const warnings = await runCompiler(
        webpack({
          ...base(root),
          mode: 'development',
          devtool,
          entry: join(root, 'main.mjs'),
          plugins: [webpackPlugin({ ...space.options(), types: false })],
        }),
      )
      expect(warnings.join('\n')).not.toContain('plain text')
    }
    const output = await readTree(join(root, 'dist'))
    const scripts = [...output].filter(([path]) => path.endsWith('.js'))
    expect(scripts.map(([path]) => path)).toContain('content-space_asset_acme-logo.js')
    for (const [, text] of scripts) {
      const names = String(text).match(/(?<=sourceURL=)[^\\]+/g) ?? []
      expect(names.filter((name) => /eyJ|%3A/.test(name))).toEqual([])
    }
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/main.js')])
    expect(JSON.parse(stdout)).toEqual([true, 'Acme Logo'])
  } finally {
    await project.remove()
    await space.close()
  }
})

test('webpack exposes content to other applications', async () => {
  const space = await openTestSpace()
  const project = await createProject({ 'package.json': '{}', 'main.js': main })
  const exposes = { './logo': `content-space:asset/${kits.brand}/acme-logo-dark` }
  const federation = new container.ModuleFederationPlugin({ name: 'remote', filename: 'remote.js', exposes })
  try {
    const plugins = [webpackPlugin({ types: false, ...space.options() }), federation]
    await runCompiler(webpack({ ...base(project.root), plugins }))
    const names = [...(await readTree(join(project.root, 'dist'))).keys()]
    expect(names.filter((name) => name.endsWith('.svg'))).toHaveLength(2)
  } finally {
    await Promise.all([project.remove(), space.close()])
  }
})

test('webpack gives modules of a DLL different names', async () => {
  const space = await openTestSpace()
  const id = `content-space:asset/${kits.brand}/acme-logo`
  const code = `import logo from '${id}?url'; import described from '${id}?as=metadata'; console.log(logo, described)`
  const project = await createProject({ 'package.json': '{}', 'main.js': code })
  const { root } = project
  const manifest = join(root, 'manifest.json')
  try {
    const plugins = [
      webpackPlugin({ ...space.options(), types: false }),
      new DllPlugin({ path: manifest, entryOnly: false }),
    ]
    await runCompiler(webpack({ ...base(root), mode: 'development', plugins }))
    const { content }: { content: Record<string, unknown> } = JSON.parse(await readFile(manifest, 'utf8'))
    expect(Object.keys(content).filter((name) => name.endsWith('acme-logo'))).toHaveLength(2)
  } finally {
    await project.remove()
    await space.close()
  }
})

test('webpack stores errors of style sheets in a cache on disk', async () => {
  const project = await createProject({
    'package.json': '{}',
    'space/brand/Logos/acme-logo.svg': drawing('logo'),
    'main.css': '.logo { background: url(content-space:asset/brand/none) }',
    'main.js': "import './main.css'",
  })
  const options = { types: false, space: join(project.root, 'space') } as const
  const log: string[] = []
  const codes: unknown[] = []
  const configuration: Configuration = {
    ...base(project.root),
    cache: { type: 'filesystem', cacheDirectory: join(project.root, 'cache') },
    experiments: { css: true },
    infrastructureLogging: { level: 'warn', stream: logStream(log) },
  }
  try {
    const building = () => {
      const compiler = webpack({ ...configuration, plugins: [webpackPlugin(options)] })
      compiler.hooks.done.tap('test', ({ compilation: { errors } }) => {
        for (const error of errors) codes.push(Object(Object(error).error).code)
      })
      return runCompiler(compiler)
    }
    const message = /ContentSpaceError: There is no asset none[^]*main\.css/
    await expect(building()).rejects.toThrow(message)
    expect(codes).toEqual(['assetNotFound'])
    await expect(building()).rejects.toThrow(message)
    expect(log).toEqual([])
  } finally {
    await project.remove()
  }
})

test("webpack doesn't emit anything if a file is missing in one of two child compilations", async () => {
  const uuid = '30000000-0000-4000-8000-000000000001'
  const names = ['damaged', 'whole']
  const project = await createProject({
    'package.json': '{}',
    'main.js': '',
    'space/brand/Logos/damaged.svg': 'This is text.',
    'space/brand/Logos/whole.svg': drawing('whole'),
    'space/brand/Logos/whole.json': JSON.stringify({ uuid }),
    ...Object.fromEntries(
      names.map((name) => [`${name}.js`, `export { default } from 'content-space:asset/brand/${name}?url'`]),
    ),
  })
  const { root } = project
  const codes: unknown[] = []
  let downloads = 0
  const events = new EventEmitter()
  const [asked, failed] = [once(events, 'asked'), once(events, 'failed')]
  const service = await startServer({
    folder: join(root, 'space'),
    async onRequest({ route, path }) {
      if (route !== 'download') return
      // Both files are requested before the damaged one fails, and the other one arrives afterwards.
      if (++downloads === names.length) events.emit('asked')
      await (path.toUpperCase().includes(uuid) ? failed : asked)
    },
  })
  const { url: space, spaceId, token } = service
  const children = (compiler: Compiler): void =>
    compiler.hooks.make.tapPromise('test', async (compilation) => {
      const runs = names.map((name) => {
        const child = compilation.createChildCompiler(name, { filename: `${name}.js` }, [
          new EntryPlugin(root, `./${name}.js`, { name }),
        ])
        child.hooks.compilation.tap('test', ({ errors, hooks }) =>
          hooks.processAssets.tap({ name: 'test', stage: 0 }, () => void (errors.length > 0 && events.emit('failed'))),
        )
        return new Promise<void>((resolve) => child.runAsChild(() => resolve()))
      })
      await Promise.all(runs)
    })
  try {
    const plugins = [webpackPlugin({ types: false, space, spaceId, token, cacheDir: join(root, 'cache') }), children]
    const compiler = webpack({ ...base(root), mode: 'development', plugins })
    compiler.hooks.done.tap('test', ({ compilation: { children: all } }) => {
      for (const { errors } of all) codes.push(...errors.map((error) => Object(Object(error).error ?? error).code))
    })
    await runCompiler(compiler)
    expect(codes).toEqual(['contentMismatch'])
    expect([...(await readTree(join(root, 'dist'))).keys()]).toEqual([])
  } finally {
    await Promise.all([project.remove(), service.close()])
  }
})

import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SourceMap } from 'node:module'
import { promisify } from 'node:util'
import { build as esbuild, type BuildOptions } from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { build as vite, type InlineConfig } from 'vite'
import esbuildPlugin from 'unplugin-content-space/esbuild'
import rolldownPlugin from 'unplugin-content-space/rolldown'
import rollupPlugin from 'unplugin-content-space/rollup'
import vitePlugin from 'unplugin-content-space/vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject, readTree, type Project } from './driver.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

const asset = `content-space:asset/${kits.brand}`
const main = `
  import { acmeLogo } from 'content-space:kit/${kits.brand}'
  import hero from '${asset}/hero-photo?w=20;30&format=webp'
  export { acmeLogo, hero }
  export function fail() { throw new Error('fails') }
`

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())

async function inProject(files: Record<string, string>, work: (project: Project) => Promise<void>): Promise<void> {
  const project = await createProject({ 'main.js': main, ...files })
  try {
    await work(project)
  } finally {
    await project.remove()
  }
}

const addressesIn = (code: string): string[] =>
  Array.from(code.matchAll(/new URL\(["'`](.*?)["'`], ?import\.meta\.url\)/g), ([, path = '']) => path)

const viteSettings = ({ root }: Project, more: InlineConfig = {}): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'silent',
  plugins: [vitePlugin({ types: false, ...space.options() })],
  build: { lib: { entry: 'main.js', formats: ['es', 'cjs'], fileName: 'main' } },
  ...more,
})

const esbuildSettings = ({ root }: Project, more: BuildOptions = {}): BuildOptions => ({
  absWorkingDir: root,
  entryPoints: [{ in: 'main.js', out: 'deep/main' }],
  bundle: true,
  format: 'esm',
  packages: 'external',
  outdir: 'dist',
  logLevel: 'silent',
  plugins: [esbuildPlugin({ types: false, ...space.options() })],
  ...more,
})

describe('Vite in library mode', () => {
  test('writes addresses that bundlers follow, and no ids', () =>
    inProject({}, async (project) => {
      await vite(viteSettings(project))
      const files = await readTree(join(project.root, 'dist'))
      expect([...files.keys()]).toEqual([
        'acme-logo.svg',
        'hero-photo-20.webp',
        'hero-photo-30.webp',
        'main.cjs',
        'main.js',
      ])
      const script = String(files.get('main.js'))
      expect(addressesIn(script).toSorted()).toEqual([
        './acme-logo.svg',
        './hero-photo-20.webp',
        './hero-photo-30.webp',
        './hero-photo-30.webp',
      ])
      for (const name of ['main.js', 'main.cjs']) expect(String(files.get(name))).not.toContain('content-space:')
    }))

  test('emits the files of a library for servers, unless it is told otherwise', () =>
    inProject({}, async (project) => {
      const { build, ...settings } = viteSettings(project)
      await vite({ ...settings, build: { ...build, ssr: true } })
      const files = await readTree(join(project.root, 'dist'))
      const addresses = addressesIn(String(files.get('main.js')))
      expect(addresses).toContain('./acme-logo.svg')
      expect([...files.keys()]).toEqual(expect.arrayContaining(addresses.map((address) => address.slice(2))))
      await vite({ ...settings, build: { ...build, ssr: true, emitAssets: false } })
      expect([...(await readTree(join(project.root, 'dist'))).keys()]).not.toContain('acme-logo.svg')
    }))

  test('writes files into style sheets', () =>
    inProject({ 'main.css': `.logo { background: url('${asset}/acme-logo') }` }, async (project) => {
      await writeFile(join(project.root, 'main.js'), "import './main.css'")
      const settings = viteSettings(project)
      await vite({
        ...settings,
        build: { ...settings.build, lib: { entry: 'main.js', formats: ['es'], cssFileName: 'main' } },
      })
      const files = await readTree(join(project.root, 'dist'))
      const [, base64 = ''] = /url\("?data:image\/svg\+xml;base64,([^")]+)/.exec(String(files.get('main.css'))) ?? []
      expect(Buffer.from(base64, 'base64')).toEqual(space.original('brand/01 Logos/acme-logo.svg'))
      expect([...files.keys()].filter((name) => name.endsWith('.svg'))).toEqual([])
    }))

  test('keeps the addresses of a configured base', () =>
    inProject({}, async (project) => {
      await vite(viteSettings(project, { base: 'https://cdn.example/' }))
      const script = await readFile(join(project.root, 'dist/main.js'), 'utf8')
      expect(script).toContain('"https://cdn.example/acme-logo.svg"')
    }))

  test('completes the declarations of other plugins, and leaves older files as they are', () =>
    inProject({}, async (project) => {
      const { root } = project
      const text = `
        import hero from '${asset}/hero-photo?w=20;30&format=webp'
        import { acmeLogo, sharedMark as mark } from 'content-space:kit/${kits.brand}'
        import type { Asset } from 'unplugin-content-space/asset'
        export { default as full } from '${asset}/acme-logo?metadata=full'
        export declare const load: () => Promise<typeof import('content-space:kits')>
        export declare const list: Asset[]
        export { hero, acmeLogo, mark }
      `
      const old = join(root, 'dist/old.d.ts')
      await mkdir(join(root, 'dist'))
      await writeFile(old, text)
      await utimes(old, 1, 1)
      const declare = {
        name: 'declare',
        async writeBundle() {
          await mkdir(join(root, 'dist/deep'), { recursive: true })
          await writeFile(join(root, 'dist/deep/main.d.ts'), text)
          await writeFile(join(root, 'dist/main.d.cts'), text)
        },
      }
      const { plugins = [], build } = viteSettings(project)
      await vite(viteSettings(project, { plugins: [...plugins, declare], build: { ...build, emptyOutDir: false } }))
      expect(await readFile(old, 'utf8')).toBe(text)
      const files = await readTree(join(root, 'dist'))
      const declared = [...files].filter(([name]) => /\.d\.[cm]?ts$/.test(name) && name !== 'old.d.ts')
      expect(declared.map(([name]) => name.replace(/-[\da-f]{8}\./, '-*.'))).toEqual([
        `content-space/${kits.brand}-*.d.cts`,
        `content-space/${kits.brand}-*.d.ts`,
        'content-space/acme-logo-*.d.cts',
        'content-space/acme-logo-*.d.ts',
        'content-space/asset.d.cts',
        'content-space/asset.d.ts',
        'content-space/hero-photo-*.d.cts',
        'content-space/hero-photo-*.d.ts',
        'content-space/kits-*.d.cts',
        'content-space/kits-*.d.ts',
        'deep/main.d.ts',
        'main.d.cts',
      ])
      for (const [name, bytes] of declared) {
        expect(String(bytes), name).not.toMatch(/content-space:|unplugin-content-space/)
        for (const [, path = ''] of String(bytes).matchAll(/["'](\.[^"']*\.c?js)["']/g)) {
          const target = fileURLToPath(new URL(path, pathToFileURL(`/${name}`))).slice(1)
          expect([...files.keys()], `${name}: ${path}`).toContain(target.replace(/\.(c?)js$/, '.d.$1ts'))
        }
      }
      const [kit] = declared.filter(([name]) => /00000002.*\.d\.ts$/.test(name)).map(([, bytes]) => String(bytes))
      expect(kit).toContain(`export const acmeLogo: { uuid: '`)
      expect(kit).toContain('export const sharedMark: {')
      expect(kit).not.toContain('heroPhoto')
    }))
})

describe('esbuild, for a build that leaves packages to applications', () => {
  test('writes addresses that bundlers follow, and no ids', () =>
    inProject({}, async (project) => {
      await esbuild(esbuildSettings(project))
      const script = await readFile(join(project.root, 'dist/deep/main.js'), 'utf8')
      const addresses = addressesIn(script)
      expect(addresses).toHaveLength(3)
      for (const address of addresses) await readFile(join(project.root, 'dist/deep', address))
      expect(script).not.toContain('content-space:')
    }))

  test('does the same in memory and minified, and keeps source maps right', () =>
    inProject({}, async (project) => {
      const { outputFiles = [] } = await esbuild(
        esbuildSettings(project, { write: false, minify: true, sourcemap: true }),
      )
      const text = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? ''
      const script = text('main.js')
      expect(addressesIn(script)).toHaveLength(3)
      const map = new SourceMap(JSON.parse(text('main.js.map')))
      const line = script.split('\n').findIndex((code) => code.includes('throw'))
      const entry = map.findEntry(line, script.split('\n')[line]?.indexOf('throw') ?? 0)
      expect(entry).toMatchObject({
        originalSource: expect.stringMatching(/main\.js$/),
        originalLine: main.split('\n').findIndex((code) => code.includes('throw')),
      })
      expect(JSON.parse(text('main.js.map')).sources).toEqual(['../../main.js'])
    }))

  test('keeps the addresses of applications and of a public path', () =>
    inProject({}, async (project) => {
      for (const more of [{ packages: 'bundle' as const }, { publicPath: '/static/' }]) {
        const { outputFiles = [] } = await esbuild(esbuildSettings(project, { write: false, ...more }))
        const script = outputFiles.find(({ path }) => path.endsWith('main.js'))?.text ?? ''
        expect(addressesIn(script)).toEqual([])
      }
    }))

  test('rejects a build of tsup that does not bundle', () =>
    inProject({}, async (project) => {
      const unbundled = { bundle: false, write: false, define: { TSUP_FORMAT: '"esm"' } }
      const { packages: _, ...settings } = esbuildSettings(project)
      await expect(esbuild({ ...settings, ...unbundled })).rejects.toThrow(/hero-photo.* would stay in|does not bundle/)
    }))
})

test.each(['rollup', 'rolldown'] as const)('%s names the files of modules without ids', (name) =>
  inProject({}, async ({ root }) => {
    const input = { input: join(root, 'main.js') }
    const options = { types: false as const, lockfile: false as const, ...space.options() }
    const output = { dir: join(root, 'dist'), preserveModules: true }
    const bundle =
      name === 'rollup'
        ? await rollup({ ...input, plugins: [rollupPlugin(options)] })
        : await rolldown({ ...input, plugins: [rolldownPlugin(options)] })
    await bundle.write(output)
    await bundle.close()
    const files = await readTree(output.dir)
    const modules = [...files.keys()].filter((path) => path.endsWith('.js') && path !== 'main.js')
    expect(modules).toHaveLength(2)
    for (const path of modules)
      expect(path).toMatch(/^(?:_virtual|_virtual\/content-space|content-space)\/[\w-]{1,50}\.js$/)
    const script = await import(pathToFileURL(join(output.dir, 'main.js')).href)
    await readFile(new URL(script.acmeLogo.src))
  }),
)

type External = (string | RegExp)[] | ((id: string) => boolean)

interface LibraryBuild<T> {
  input: string
  dir: string
  external: External
  plugins: T
  preserveModules: boolean
  /** Receives the bundler's messages. */
  log: string[]
}

const libraryBuilders = {
  async rollup({ input, external, plugins, log, ...output }: LibraryBuild<ReturnType<typeof rollupPlugin>>) {
    const bundle = await rollup({ input, external, plugins, onLog: (_level, { message }) => void log.push(message) })
    await bundle.write(output)
    await bundle.close()
  },
  async rolldown({ input, external, plugins, log, ...output }: LibraryBuild<ReturnType<typeof rolldownPlugin>>) {
    const bundle = await rolldown({ input, external, plugins, onLog: (_level, { message }) => void log.push(message) })
    await bundle.write(output)
    await bundle.close()
  },
  async vite(build: LibraryBuild<ReturnType<typeof vitePlugin>>) {
    const { input, dir, external, plugins, preserveModules } = build
    await vite({
      root: dirname(input),
      configFile: false,
      logLevel: 'silent',
      plugins: [plugins],
      build: {
        outDir: dir,
        lib: { entry: input, formats: ['es'], fileName: 'main' },
        rolldownOptions: { external, output: { preserveModules } },
      },
    })
  },
}

describe('a library that leaves packages to applications contains the runtimes of components', () => {
  const externals: Record<string, External> = {
    list: [/node_modules/, 'react', 'react/jsx-runtime'],
    function: (id) => !/^\.|main\.js$|^content-space:/.test(id),
  }
  let project: Project
  beforeAll(async () => {
    project = await createProject({
      'main.js': `
        export { AcmeLogo } from 'content-space:kit/${kits.brand}?as=react'
        export { default as Hero } from '${asset}/hero-photo?as=react&placeholder=color'`,
    })
    await installPackage(project.root)
  })
  afterAll(() => project.remove())

  const names = ['rollup', 'rolldown', 'vite'] as const
  const cases = names.flatMap((name) =>
    Object.keys(externals).map((kind) => [name, kind, kind === 'function' && 'a file for each module'] as const),
  )
  test.each(cases)('%s, external: %s, %s', async (name, kind, separate) => {
    const { root } = project
    const entry = join(root, `node_modules/unplugin-content-space/dist/entries/${name}.js`)
    const { default: plugin } = await import(pathToFileURL(entry).href)
    const dir = join(root, 'dist', name, kind)
    const log: string[] = []
    await libraryBuilders[name]({
      input: join(root, 'main.js'),
      dir,
      external: externals[kind] ?? [],
      plugins: plugin({ types: false, lockfile: false, ...space.options() }),
      preserveModules: separate !== false,
      log,
    })
    expect(log.filter((message) => /directive/i.test(message))).toEqual([])
    const scripts = [...(await readTree(dir))].filter(([path]) => path.endsWith('.js'))
    expect(scripts.length > 1).toBe(separate !== false)
    for (const [path, bytes] of scripts) {
      expect(path).toMatch(/^(?:main|(?:_virtual\/)?(?:content-space\/)?[\w-]{1,50})\.js$/)
      expect(String(bytes)).not.toMatch(/unplugin-content-space|node_modules/)
      expect(String(bytes)).not.toContain(root)
      for (const [, from] of String(bytes).matchAll(/\bfrom ?["']([^"'.][^"']*)["']/g)) expect(from).toBe('react')
    }
    const page = join(dir, 'render.mjs')
    await writeFile(
      page,
      `import { createElement } from 'react'
      import { renderToStaticMarkup } from 'react-dom/server'
      import { AcmeLogo, Hero } from './main.js'
      const elements = [createElement(AcmeLogo, { key: 1 }), createElement(Hero, { key: 2, alt: '' })]
      console.log(renderToStaticMarkup(elements))`,
    )
    const { stdout } = await promisify(execFile)(process.execPath, [page])
    expect(stdout).toMatch(/^<svg [^>]*aria-hidden="true"[^>]*><path d="M0 0h40v20H0z"\/><\/svg><img [^>]*>\n$/)
  })
})

/** Copies the built package to a project's packages, and links the packages that it and the project import. */
async function installPackage(root: string): Promise<void> {
  const repository = new URL('../../', import.meta.url)
  const installed = join(root, 'node_modules/unplugin-content-space')
  const manifest = await readFile(new URL('package.json', repository), 'utf8')
  await cp(new URL('dist', repository), join(installed, 'dist'), { recursive: true })
  await writeFile(join(installed, 'package.json'), manifest)
  for (const name of [...Object.keys(JSON.parse(manifest).dependencies), 'react', 'react-dom']) {
    const link = join(root, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(fileURLToPath(new URL(`node_modules/${name}`, repository)), link, 'junction')
  }
}

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build, context, type BuildOptions, type Plugin } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Options } from '../../src/config/options.js'
import { esbuildSettings } from './development.js'
import { createProject, type Project } from './driver.js'
import { listenToConsole } from './drivers/console.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'

const brand = `content-space:kit/${kits.brand}`
const main = `import { acmeLogo } from '${brand}'; console.log(acmeLogo.src)`

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace({ large: true })))
afterAll(() => space.close())

async function inProject<T>(
  files: Record<string, string>,
  work: (project: Project, settings: BuildOptions) => Promise<T>,
  options: Options = {},
) {
  const project = await createProject(files)
  try {
    return await work(project, esbuildSettings(project.root, { types: false, ...space.options(), ...options }))
  } finally {
    await project.remove()
  }
}

test('outputs exact bytes without writing, and lists their size in the metafile', () =>
  inProject({ 'main.js': main }, async (_project, settings) => {
    const { outputFiles, metafile } = await build({ ...settings, write: false, metafile: true })
    const file = outputFiles.find(({ path }) => path.endsWith('.svg'))
    expect(file?.text).toBe(drawing('Acme'))
    const [, output] = Object.entries(metafile.outputs).find(([path]) => path.endsWith('.svg')) ?? []
    expect(output?.bytes).toBe(drawing('Acme').length)
  }))

test('files of a kind with the loader dataurl are parts of scripts and style sheets', () =>
  inProject(
    {
      'main.js': `import './style.css'; import { heroPhoto } from '${brand}'; ${main}; console.log(heroPhoto.src)`,
      'style.css': `a { background: url(content-space:asset/${kits.brand}/acme-logo) }`,
    },
    async (_project, settings) => {
      const { outputFiles } = await build({ ...settings, loader: { '.svg': 'dataurl' }, write: false })
      const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
      const uri = /acme_logo_default = ('data:[^']+'|"data:(?:[^"\\]|\\.)+")/.exec(text('.js'))?.[1] ?? ''
      expect(await (await fetch(runInNewContext(uri))).text()).toBe(drawing('Acme'))
      expect(text('.css')).toMatch(/url\(["']?data:image\/svg\+xml/)
      expect(outputFiles.map(({ path }) => path.replace(/.*\./, '')).toSorted()).toEqual(['css', 'jpg', 'js'])
    },
  ))

test('returns a metafile only on request', () =>
  inProject(
    { 'main.js': main },
    async ({ root }, settings) => {
      expect(await build(settings)).not.toHaveProperty('metafile')
      expect(await readdir(join(root, 'dist'))).toEqual(['main.js'])
    },
    { emitFiles: false },
  ))

test('rejects an id that a module puts together at run time, until it is replaced', () => {
  const computed = "export const show = (name: string) =>\n  import('content-space:asset/brand/' + name)\n"
  const files = { 'main.js': `import { show } from './show'; ${main}; globalThis.show = show`, 'show.ts': computed }
  return inProject(files, async (project, settings) => {
    const watching = await context({ ...settings, write: false, minify: true })
    try {
      const place = new RegExp(`built at run time[^]*${join(project.root, 'show.ts')}:2`)
      await expect(watching.rebuild()).rejects.toThrow(place)
      await project.write({ 'show.ts': 'export const show = (name) => name' })
      const { outputFiles } = await watching.rebuild()
      expect(outputFiles).toHaveLength(2)
    } finally {
      await watching.dispose()
    }
  })
})

test.each([
  ['main.js', main, brand],
  ['main.css', `.logo { background: url(content-space:asset/${kits.brand}/acme-logo) }`, `${kits.brand}/acme-logo`],
])('rejects an id in %s that a build without bundling would leave in the output', (name, text, id) =>
  inProject(
    { [name]: text, 'other.ts': "import type { Kit } from 'content-space:kits'; export const other = 1" },
    async ({ root }, settings) => {
      const unbundled = { ...settings, bundle: false }
      const place = new RegExp(`${id} would stay in dist/${name}[^]*set bundle: true[^]*${join(root, name)}`)
      await expect(build({ ...unbundled, entryPoints: [join(root, name)] })).rejects.toThrow(place)
      await build({ ...unbundled, entryPoints: [join(root, 'other.ts')] })
      expect(await readdir(join(root, 'dist'))).toEqual(['other.js'])
    },
  ),
)

test("doesn't read output if it isn't written to a path, and keeps the source", () =>
  inProject(
    { 'main.js': `${main}; globalThis.show = (name) => import('content-space:asset/brand/' + name)` },
    async ({ root }, { outdir: _outdir, publicPath: _publicPath, ...settings }) => {
      const { outputFiles } = await build({
        ...settings,
        write: false,
        stdin: { contents: 'console.log(1)' },
        entryPoints: [],
      })
      expect(outputFiles.map(({ text }) => text).join()).toContain('console.log(1)')
      await expect(build({ ...settings, write: false, loader: {} })).rejects.toThrow('built at run time')
      expect(await readdir(root)).toContain('main.js')
    },
  ))

test('keeps the metafile for plugins that request it later', () =>
  inProject({ 'main.js': main }, async (_project, settings) => {
    let outputs: string[] = []
    const manifest: Plugin = {
      name: 'manifest',
      setup(building) {
        building.initialOptions.metafile = true
        building.onEnd(({ metafile }) => void (outputs = Object.keys(metafile?.outputs ?? {})))
      },
    }
    await build({ ...settings, plugins: [...(settings.plugins ?? []), manifest] })
    expect(outputs.length).toBeGreaterThan(1)
  }))

test('does not narrow text that is not on disk', () =>
  inProject({ 'main.js': main }, async ({ root }, { entryPoints: _none, ...settings }) => {
    const contents = `import { acmeLogo, heroPhoto } from '${brand}'; console.log(acmeLogo.src, heroPhoto.src)`
    const stdin = { contents, sourcefile: 'main.js', resolveDir: root }
    const { outputFiles } = await build({ ...settings, write: false, stdin })
    expect(outputFiles.map(({ path }) => path).filter((path) => /\.(svg|jpg)$/.test(path))).toHaveLength(2)
  }))

test('a namespace in one of two imports of a module keeps the kit whole', () =>
  inProject(
    {
      'main.js': `import { acmeLogo } from '${brand}'; import * as all from '${brand}'
        console.log(acmeLogo.src === all['acmeLogo'].src, Object.keys({ ...all }).length)`,
    },
    async (_project, settings) => {
      const { outputFiles } = await build({ ...settings, write: false })
      expect(outputFiles.filter(({ path }) => /\.(svg|jpg)$/.test(path)).length).toBeGreaterThan(1)
    },
  ))

test('downloads only the used assets of a kit behind `export *`', () =>
  inProject(
    {
      'main.js': `import { asset00007 } from './kit.js'; console.log(asset00007.src)`,
      'kit.js': `export * from 'content-space:kit/${kits.big}'`,
    },
    async ({ root }, settings) => {
      let ends = 0
      const other = {
        name: 'other',
        setup: ({ onEnd }: { onEnd: (run: () => void) => void }) => onEnd(() => void ends++),
      }
      await build({ ...settings, plugins: [...(settings.plugins ?? []), other] })
      expect((await readdir(join(root, 'dist'))).filter((name) => name.endsWith('.svg'))).toHaveLength(1)
      expect(ends).toBe(1)
    },
  ))

test("recognizes a single build, no matter how long other plugins' hooks take", () =>
  inProject({ 'main.js': main }, async ({ root }, settings) => {
    const slow: Plugin = {
      name: 'slow',
      setup: (own) => own.onEnd(() => new Promise((done) => setTimeout(done, 400))),
    }
    await build({ ...settings, plugins: [slow, ...(settings.plugins ?? []), slow] })
    expect(await readdir(root)).not.toContain('.content-space')
  }))

test('serves the exact bytes in the dev server', () =>
  inProject({ 'main.js': main }, async ({ root }, settings) => {
    const running = await context(settings)
    try {
      const { port } = await running.serve({ port: 0, host: '127.0.0.1', servedir: root })
      const script = await (await fetch(`http://127.0.0.1:${port}/dist/main.js`)).text()
      const [address] = /acme-logo-\w+\.svg/.exec(script) ?? []
      expect(await (await fetch(`http://127.0.0.1:${port}/dist/${address}`)).text()).toBe(drawing('Acme'))
    } finally {
      await running.dispose()
    }
  }))

test('finds the files in use again only for a rebuild that refers to others', () =>
  inProject({ 'other.js': '' }, async (project, settings) => {
    let builds = 0
    const plugins = [...(settings.plugins ?? []), { name: 'count', setup: () => void builds++ }]
    const importing = (numbers: number[], used: number[]) => {
      const imports = `import { ${numbers.map((one) => `asset0000${one}`).join()} } from 'content-space:kit/${kits.big}'`
      return project.write({
        'main.js': `import './other.js'; ${imports}; console.log(${used.map((one) => `asset0000${one}.src`).join()})`,
      })
    }
    await importing([1], [1])
    const running = await context({ ...settings, plugins, write: false })
    const names = async (): Promise<string[]> => {
      const { outputFiles } = await running.rebuild()
      const files = outputFiles.filter(({ path }) => path.endsWith('.svg'))
      expect(files.every(({ text }) => text.startsWith('<svg'))).toBe(true)
      return files.map(({ path }) => /asset-?\d+/.exec(path)?.[0] ?? path).toSorted()
    }
    try {
      expect([await names(), builds]).toEqual([['asset-00001'], 2])
      await project.write({ 'other.js': 'console.log(1)' })
      expect([await names(), builds]).toEqual([['asset-00001'], 2])
      await importing([1, 2], [1, 2])
      expect([await names(), builds]).toEqual([['asset-00001', 'asset-00002'], 3])
      await importing([1, 2], [2])
      expect([await names(), builds]).toEqual([['asset-00002'], 3])
      await importing([2, 3], [2])
      expect([await names(), builds]).toEqual([['asset-00002'], 4])
    } finally {
      await running.dispose()
    }
  }))

test('keeps the configured loaders of a build', () =>
  inProject(
    {
      'main.js': `import { acmeLogo } from '${brand}'; const h = (_, p) => p.src; console.log(<img src={acmeLogo.src} />)`,
    },
    async (_project, settings) => {
      const { errors } = await build({ ...settings, loader: { '.js': 'jsx' }, jsxFactory: 'h' })
      expect(errors).toEqual([])
    },
  ))

test.for([
  [undefined, 1],
  ['info', 1],
  ['warning', 1],
  ['error', 0],
  ['silent', 0],
] as const)('with log level %s, prints a warning %i times', ([logLevel, times]) =>
  inProject({ 'main.js': main }, async (_project, settings) => {
    const said = listenToConsole()
    const options: BuildOptions = { ...settings, platform: 'node' }
    if (logLevel === undefined) delete options.logLevel
    else options.logLevel = logLevel
    try {
      const { warnings } = await build(options)
      expect(warnings).toMatchObject([{ text: expect.stringMatching(/publicPath/) }])
      expect(said.lines.filter((line) => line.includes('publicPath'))).toHaveLength(times)
    } finally {
      said.stop()
    }
  }),
)

test('prints what a rebuild has used, and not what builds before it have', () =>
  inProject(
    { 'main.js': `import { acmeLogo, heroPhoto } from '${brand}'; console.log(acmeLogo.src, heroPhoto.src)` },
    async (project, settings) => {
      const said = listenToConsole()
      const building = await context({ ...settings, logLevel: 'info' })
      const summary = () =>
        said.lines
          .splice(0)
          .filter((line) => line.startsWith('content-space:'))
          .join('\n')
      try {
        await building.rebuild()
        expect(summary()).toMatch(/2 files from .*; 2 downloaded/)
        await project.write({ 'main.js': main })
        await building.rebuild()
        expect(summary()).toMatch(/1 file from .*; nothing downloaded/)
      } finally {
        await building.dispose()
        said.stop()
      }
    },
  ))

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { rspack, type Configuration as RspackOptions } from '@rspack/core'
import { build } from 'esbuild'
import * as rolldown from 'rolldown'
import * as rollup from 'rollup'
import sharp from 'sharp'
import { createImporter } from 'unplugin-content-space'
import contentSpace from 'unplugin-content-space/esbuild'
import * as vite from 'vite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { timeFor } from './support/long.js'
import webpack from 'webpack'
import { codeBlocks, exampleSpace, logo } from '../docs/.vitepress/example.js'
import { assetsOf } from '../src/space/item-kinds.js'
import { startServer, type RunningServer } from '../src/commands/serve/server.js'

const repository = fileURLToPath(new URL('..', import.meta.url))
/** The README, and the pages with the same content. `test/frameworks/docs.test.ts` tests the others. */
const pages = [
  'app-icons',
  'bundlers',
  'ci',
  'cli',
  'coming-from',
  'dark',
  'favicons',
  'folder',
  'icons-by-name',
  'audit',
  'ids',
  'import',
  'leaving',
  'lingo',
  'pictures',
  'press-page',
  'pull',
  'queries',
  'script',
  'start',
  'why',
]
const paths = ['README.md', ...pages.map((page) => `docs/${page}.md`)]
const texts = await Promise.all(paths.map((path) => readFile(join(repository, path), 'utf8')))
/** Code blocks, each with its language and with its file name from the rest of the info string. */
const blocks = texts
  .flatMap(codeBlocks)
  .filter(({ file }) => file === '' || !existsSync(join(repository, 'test/frameworks/projects', file)))
/** Pages with commands to run here. Their other code is tested elsewhere. */
const others = await Promise.all(
  ['icon-sets', 'tokens'].map((page) => readFile(join(repository, `docs/${page}.md`), 'utf8')),
)

let project = ''
let server: RunningServer

/**
 * Creates a project with every file on the pages, and a service with the content that these files import. The project
 * is the working directory of the tests.
 */
beforeAll(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), 'content-space-readme-')))
  await writeAll({
    ...Object.fromEntries(blocks.map(({ file, code }) => [file || '.unnamed', code])),
    ...(await surroundings()),
  })
  await chmod(join(project, 'node_modules/.bin/content-space'), 0o755)
  await symlink(repository, join(project, 'node_modules/unplugin-content-space'))
  for (const name of await readdir(join(repository, 'node_modules'))) {
    if (!name.startsWith('.'))
      await symlink(join(repository, 'node_modules', name), join(project, 'node_modules', name))
  }
  const env = await readFile(join(project, '.env.local'), 'utf8')
  const value = (name: string): string => new RegExp(`^CONTENT_SPACE_${name}=(.+)$`, 'm').exec(env)?.[1] ?? ''
  server = await startServer({ folder: join(project, 'space'), spaceId: value('ID'), token: value('TOKEN') })
  await writeAll({ '.env.local': env.replace(value('URL'), server.url) })
  process.chdir(project)
  for (const [name, text] of Object.entries(settings())) vi.stubEnv(name, text)
})

afterAll(async () => {
  process.chdir(repository)
  await server.close()
  await rm(project, { recursive: true, force: true })
})

/**
 * Returns the files that the pages assume to exist: content with the names that they use, pages, and installed
 * packages.
 */
async function surroundings(): Promise<Record<string, string | Buffer>> {
  const jpeg = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#e5603f' } })
    .jpeg()
    .toBuffer()
  return {
    ...(await exampleSpace()),
    ...Object.fromEntries(
      ['acme-logo.svg', 'do.svg', 'poster.jpg', 'banner.jpg'].map((file) => [
        `guidelines/acme/Guidelines/${file}`,
        file.endsWith('.svg') ? logo : jpeg,
      ]),
    ),
    'src/print-header.tsx': `
      import { renderToStaticMarkup } from 'react-dom/server.edge'
      import { Header } from './header.js'
      console.log(renderToStaticMarkup(<Header />))
    `,
    'src/print-peers.tsx': `
      import { renderToStaticMarkup } from 'react-dom/server.edge'
      import { Brand } from './brand.js'
      import { Top } from './hero.js'
      import { Back } from './toolbar.js'
      console.log(renderToStaticMarkup(<><Back /><Top /><Brand /></>))
    `,
    'src/print-icon.ts':
      "import { icon } from './icon.js'\nconsole.log(await icon('arrow-left'), String(await icon('none')))\n",
    'package.json': JSON.stringify({ type: 'module', scripts: { build: 'vite build' } }),
    'src/main.js': "import { acmeLogo } from 'content-space:kit/brand'\nconsole.log(acmeLogo.src)\n",
    'tsconfig.json': JSON.stringify({ compilerOptions: typeChecking, include: ['src', '*.ts'] }),
    'node_modules/.bin/content-space': `#!/bin/sh\nexec node ${join(repository, 'dist/cli/bin.js')} "$@"\n`,
  }
}

async function writeAll(files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), content)
  }
}

const typeChecking = {
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2023',
  jsx: 'react-jsx',
  lib: ['es2023', 'dom'],
  types: [],
  strict: true,
  noEmit: true,
  // The root's types refer to types of bundlers that aren't installed in the project.
  skipLibCheck: true,
}

/** Builds with the configuration files on the pages. */
const builds: Record<string, () => Promise<unknown>> = {
  'vite.config.js': () => vite.build({ logLevel: 'warn' }),
  'rollup.config.js': async () => {
    const config = await load<rollup.RollupOptions & { output: rollup.OutputOptions }>('rollup.config.js')
    return (await rollup.rollup(config)).write(config.output)
  },
  'rolldown.config.js': async () => rolldown.build(await load<rolldown.BuildOptions>('rolldown.config.js')),
  'webpack.config.js': async () => pack(webpack(await load<webpack.Configuration>('webpack.config.js'))),
  'rspack.config.js': async () => pack(rspack(await load<RspackOptions>('rspack.config.js'))),
  // esbuild keeps the working directory in which it was loaded.
  'esbuild.config.js': () => shell('node esbuild.config.js'),
  // Farm ends the process when a build fails.
  'farm.config.js': () =>
    shell(
      `node --input-type=module -e "import { build } from '@farmfe/core'; await build({ configPath: process.cwd() }); process.exit()"`,
    ),
}

describe('bundlers', () => {
  for (const [file, run] of Object.entries(builds)) {
    test(file, async () => {
      await rm('dist', { recursive: true, force: true })
      await run()
      const emitted = (await readdir('dist', { recursive: true })).filter((path) => path.endsWith('.svg'))
      expect(emitted).toHaveLength(1)
      expect(await readFile(join('dist', emitted[0] ?? ''), 'utf8')).toBe(logo)
    })
  }
})

test('index.html gets icons and a social card', async () => {
  await rm(join(project, 'dist'), { recursive: true, force: true })
  await builds['vite.config.js']?.()
  const page = await readFile(join(project, 'dist/index.html'), 'utf8')
  const addresses = [...page.matchAll(/(?:href|content)="\/([^"]+\.(?:svg|png))"/g)].map(([, address = '']) => address)
  const pictures = await Promise.all(addresses.map((address) => sharp(join(project, 'dist', address)).metadata()))
  expect(pictures.map(({ format, width, height }) => [format, width, height])).toEqual([
    ['svg', 40, 20],
    ['png', 32, 32],
    ['png', 180, 180],
    ['png', 1200, 630],
  ])
})

test('the declared types compile', async () => {
  await shell('content-space sync')
  await shell('node node_modules/typescript/bin/tsc -p .')
})

test('app.html gets all links, and src/app-icons.ts the same', async () => {
  await rm(join(project, 'dist'), { recursive: true, force: true })
  await vite.build({ logLevel: 'warn', build: { rolldownOptions: { input: join(project, 'app.html') } } })
  const links = (await readFile(join(project, 'dist/app.html'), 'utf8')).match(/<link [^>]*>/g) ?? []
  expect(links.map((link) => /href="\/([^"]+)"/.exec(link)?.[1])).toEqual([
    'favicon.ico',
    'icon.svg',
    'apple-touch-icon.png',
    'manifest.webmanifest',
  ])
  await prints(
    'src/app-icons.ts',
    /^<link [^]*\n\S*manifest\.webmanifest 4\n\S*favicon\.ico 16x16 32x32 48x48 any\n[^]*512x512 maskable$/,
  )
  expect(await readdir('run')).toEqual(expect.arrayContaining(['favicon.ico', 'icon-512.png', 'manifest.webmanifest']))
})

test('src/paired.ts', () =>
  prints(
    'src/paired.ts',
    /^\S+acme-logo\S*\.svg \S+acme-logo-reversed\S*\.svg\n<picture><source media="\(prefers-color-scheme: dark\)" srcset="\S+"><img src="\S+" .*alt="Acme"/,
  ))
test.each(['dark.config.ts', 'dark-mode.config.ts'])('%s', async (file) =>
  expect(await shell(`content-space ls acme-brand --config ${file}`)).toContain('acme-logo-reversed'),
)
test('src/main.ts', () => prints('src/main.ts', /^Acme Logo \S+\.svg 1600 \S+\.webp 640w, /))
test('src/kit.ts', () => prints('src/kit.ts', /^Acme Logo \S+\.svg\nHero Photo \S+\.jpg\n/))
test('src/entries/picture.ts', () =>
  prints(
    'src/entries/picture.ts',
    /^<picture><source type="image\/webp" srcset="\S+ 640w, \S+ 1280w" sizes="100vw"><source type="image\/jpeg" .*<img src="\S+\.jpg" .*alt="The coast at dawn"/,
  ))
test('src/logos.ts', () => prints('src/logos.ts', /^\S+\.svg 1600 900$/))
test('src/one.ts', () => prints('src/one.ts', /^\S+\.webp \S+\.svg \d+$/))
test('src/sizes.ts', () => prints('src/sizes.ts', /^\S+ 640w, \S+ 1280w \S+ 1x, \S+ 2x$/))
test('src/formats.ts', () => prints('src/formats.ts', /^image\/avif .*\nimage\/webp .*\nimage\/jpeg .*\n\S+\.jpg$/))
test('src/icon.ts', () => prints('src/print-icon.ts', /^<svg .*<\/svg> undefined$/))
test('src/press.ts', () =>
  prints(
    'src/press.ts',
    /^<ul><li><a href="\S+\.svg" download>Acme Logo<\/a> \(SVG, 40 × 20\) <\/li><\/ul><ul><li style="background: #e5603f">Coral #e5603f<\/li><\/ul>$/,
  ))
test('src/header.tsx', () =>
  prints(
    'src/print-header.tsx',
    /<header><svg [^>]*width="120"[^>]*><title>Acme<\/title>.*<\/svg><picture><source type="image\/avif".*<img .*alt="The coast at dawn"/,
  ))
test('src/toolbar.tsx, src/hero.tsx and src/brand.tsx', () =>
  prints(
    'src/print-peers.tsx',
    /^<svg [^>]*fill="currentColor"[^>]*class="icon".*<\/svg><picture><source type="image\/avif" .*<img .*alt="The coast at dawn".*<svg [^>]*width="120"[^>]*><title>Acme</,
  ))
test('src/logo-address.ts', () => prints('src/logo-address.ts', /^\S+acme-logo\S*\.svg$/))
test('src/tokens.ts', () => prints('src/tokens.ts', /^#e5603f\nInter 300 \S+inter-light\S+\.woff2$/))
test('src/forms.js', () => prints('src/forms.js', /^\S+acme-logo\S+ \S+arrow-right\S+ \S+arrow-left\S+$/))
test('audit.config.ts', async () =>
  expect(await shell('content-space audit src --no-download --config audit.config.ts')).toMatch(/findings? in/))

test('.github/workflows/audit.yml', async () => {
  const { code = '' } = blocks.find(({ file }) => file === '.github/workflows/audit.yml') ?? {}
  const [, command = '', file = ''] = /run: npx unplugin-(content-space audit --sarif (\S+))\n/.exec(code) ?? []
  await shell(command)
  expect(code).toContain(`sarif_file: ${file} }`)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ version: '2.1.0', runs: [{ tool: {} }] })
})

test('names.config.ts', async () =>
  expect(await shell('content-space ls brand --config names.config.ts')).toMatch(/ mark .* back /s))

test('scripts/list.js', async () =>
  expect(await printed(() => load('scripts/list.js'))).toBe('Acme Brand 3BD9E4A2-7C1F-4D0A-9E5B-1F2A3B4C5D6E'))

test('scripts/names.js, and the same with the client of Lingo', async () => {
  const { before = '' } = blocks.find(({ file }) => file === 'scripts/names.js') ?? {}
  await writeAll({ 'scripts/names-before.js': before })
  const { default: client }: typeof import('@lingo-app/node') = createRequire(import.meta.url)('@lingo-app/node')
  client.baseURL = `${server.url}/1`
  vi.stubEnv('LINGO_SPACE_ID', String(server.spaceId))
  vi.stubEnv('LINGO_TOKEN', server.token)
  const names = await printed(() => load('scripts/names.js'))
  expect(names).toMatch(/^Acme Logo SVG\n/)
  expect(await printed(() => load('scripts/names-before.js'))).toBe(names)
})

test('scripts/pull.js', async () =>
  expect(await printed(() => load('scripts/pull.js'))).toBe(
    `1 of 1 files, ${logo.length} of ${logo.length} bytes\nAcme Brand 7 0`,
  ))

test(
  'the commands run',
  async () => {
    // This must run first, because `sync` also writes the types of the files that these write.
    const all = [...others.flatMap(codeBlocks), ...blocks]
    const lines = all.filter(({ language }) => language === 'sh').flatMap(({ code }) => code.trim().split('\n'))
    const commands = lines
      .map((line) => line.replace(/^npx (?:unplugin-)?/, ''))
      .filter((line) => !line.startsWith('npm install '))
    await shell([...new Set(commands)].join('\n'))
  },
  timeFor(4),
)

test('the scripts of the README exist', async () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    await readFile(join(repository, 'package.json'), 'utf8'),
  )
  const names = [...(texts[0] ?? '').matchAll(/npm (?:run (\w+)|(test))/g)].map(([, name, other]) => name ?? other)
  expect(names).toEqual(['demo', 'test'])
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names))
})

test('the CI workflow runs', async () => {
  const recipe = blocks.find(({ language }) => language === 'yaml')?.code ?? ''
  const steps = [...recipe.matchAll(/- run: (.*)/g)].map(([, step = '']) => step)
  // `npm ci` is skipped because the project's packages are links into this repository.
  await shell(steps.filter((command) => command !== 'npm ci').join('\n'), { CI: 'true' })
})

const withoutHash = (text: string): string => text.replace(/-[0-9A-Z]{8}\./g, '.')

test('the style sheet with a pair becomes what the page says', async () => {
  const css = { entryPoints: ['paired.css'], bundle: true, outdir: 'paired', publicPath: '/assets' }
  await build({ ...css, absWorkingDir: project, assetNames: '[name]-[hash]', plugins: [contentSpace()] })
  const shown = blocks.find(({ code }) => code.startsWith('@media (prefers-color-scheme: dark)'))?.code ?? expect.fail()
  expect(withoutHash(await readFile('paired/paired.css', 'utf8'))).toContain(withoutHash(shown))
})

test('the tests above run every code block', () => {
  const typed = blocks.filter(({ language }) => language.startsWith('ts')).map(({ file }) => file)
  const known = new Set([
    ...Object.keys(builds),
    ...typed,
    '.env.local',
    'app.html',
    'index.html',
    'src/style.css',
    'paired.css',
    // `test/browser/dark.test.ts` tests this file.
    'dark.css',
    'src/forms.js',
    'scripts/list.js',
    'scripts/names.js',
    'scripts/pull.js',
    '.github/workflows/site.yml',
    '.github/workflows/audit.yml',
    'guidelines/acme/Guidelines/section.json',
    'guidelines/acme/Guidelines/poster.json',
    'guidelines/space.json',
  ])
  // Text blocks aren't code: they are output of a command, or what the README says about its scripts.
  expect(blocks.filter(({ language, file }) => !['sh', 'text'].includes(language) && !known.has(file))).toEqual([])
  expect(typed.every((file) => file.startsWith('src/') || file.endsWith('.config.ts'))).toBe(true)
  // If several pages contain a file, it must be the same on all of them.
  const codes = new Set(blocks.filter(({ file }) => file !== '').map(({ file, code }) => `${file}\n${code}`))
  expect(codes.size).toBe(new Set(blocks.map(({ file }) => file).filter(Boolean)).size)
})

test('the folder guidelines', async () => {
  const importer = await createImporter({ space: 'guidelines', lockfile: false })
  const { sections, fields } = await importer.kit('acme')
  await importer.close()
  const items = sections[0]?.items ?? []
  const shown = items.map((item) => ({
    ...item,
    uuid: undefined,
    raw: undefined,
    ...('asset' in item && { asset: item.asset?.name }),
    ...('assets' in item && { assets: item.assets.map(({ name }) => name) }),
  }))
  expect(shown).toEqual([
    { type: 'inline_note', content: 'Use the logo on white.' },
    { type: 'guide', title: 'Do', content: 'Leave space around it.', color: '#2e7d32', asset: 'Do' },
    { type: 'code_snippet', content: 'npm install', language: 'sh' },
    { type: 'gallery', name: 'Campaign 2026', assets: ['Poster', 'Banner'] },
    { type: 'asset', displaySize: 'default', asset: 'Acme Logo', display: { caption: 'The primary logo' } },
  ])
  const poster = items.flatMap((item) => assetsOf(item)).find(({ name }) => name === 'Poster')
  expect(poster).toMatchObject({
    notes: 'For the whole season.',
    fields: { expires: '2027-01-31', regions: ['EU', 'US'], rights: 'Web' },
  })
  expect(fields?.map(({ key, type, options }) => [key, type, options]).toSorted()).toEqual([
    ['expires', 'date', undefined],
    ['regions', 'checklist', undefined],
    ['rights', 'select', ['Web', 'Print']],
  ])
})

/** Bundles a script with esbuild, runs it, and checks its output. */
async function prints(entry: string, expected: RegExp): Promise<void> {
  const esm = { bundle: true, format: 'esm', outdir: 'run' } as const
  await build({ ...esm, absWorkingDir: project, entryPoints: [entry], plugins: [contentSpace()] })
  expect(await printed(() => load(`run/${parse(entry).name}.js`))).toMatch(expected)
}

/** Loads a module of the project as Node does, without Vitest. Returns its default export. */
async function load<T = unknown>(file: string): Promise<T> {
  const url = pathToFileURL(join(project, file)).href
  const module: { default: T } = await import(
    `data:text/javascript,export * from '${url}'; import * as all from '${url}'; export default all.default`
  )
  return module.default
}

/** Returns what the work prints to the console. */
async function printed(work: () => Promise<unknown>): Promise<string> {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    await work()
    return log.mock.calls.map((values) => values.join(' ')).join('\n')
  } finally {
    log.mockRestore()
  }
}

/** Runs webpack or Rspack. */
async function pack(compiler: {
  run(done: (error: Error | null, stats?: { hasErrors(): boolean; toString(): string }) => void): void
  close(done: () => void): void
}): Promise<void> {
  const stats = await promisify(compiler.run.bind(compiler))()
  await new Promise<void>((resolve) => compiler.close(resolve))
  if (stats?.hasErrors() !== false) throw new Error(stats?.toString())
}

function settings(): Record<string, string> {
  return { HOME: project, CONTENT_SPACE_CACHE: join(project, 'cache') }
}

/** Runs a shell command in the project. An error contains its output. */
async function shell(command: string, environment: Record<string, string> = {}): Promise<string> {
  const path = `${join(project, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  const env = { ...settings(), PATH: path, ...environment }
  const { stdout } = await promisify(execFile)('sh', ['-euc', command], { cwd: project, env, timeout: 200_000 })
  return stdout
}

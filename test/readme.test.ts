import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type RunningServer } from '../src/commands/serve/server.js'
import { makeFont } from './support/font.js'

const repository = fileURLToPath(new URL('..', import.meta.url))
/** The README, and the pages that continue it with the same content. */
const pages = ['README.md', ...['bundlers', 'folder', 'pull', 'script'].map((page) => `docs/${page}.md`)]
const texts = await Promise.all(pages.map((page) => readFile(join(repository, page), 'utf8')))
/** Code blocks, each with its language and, in the rest of the info string, the name of its file. */
const blocks = [...texts.join('\n').matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', file = '', code = '']) => ({ language, file, code }),
)
const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0h40v20z"/></svg>'

let project = ''
let server: RunningServer

/** A project with every file of the README, and a service with the content that these files import. */
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
})

afterAll(async () => {
  await server.close()
  await rm(project, { recursive: true, force: true })
})

/** The files that the README presupposes: content with the names it uses, pages, and installed packages. */
async function surroundings(): Promise<Record<string, string | Buffer>> {
  const picture = sharp({ create: { width: 1600, height: 900, channels: 3, background: '#1f7a78' } }).jpeg()
  return {
    'space/brand/kit.json': JSON.stringify({ name: 'Acme Brand', uuid: '3BD9E4A2-7C1F-4D0A-9E5B-1F2A3B4C5D6E' }),
    'space/brand/01 Logos/acme-logo.svg': logo,
    'space/brand/02 Photographs/hero-photo.jpg': await picture.toBuffer(),
    'space/brand/03 Icons/Arrows/arrow-left.svg': logo.replace('M0', 'M1'),
    'space/brand/03 Icons/Arrows/arrow-right.svg': logo.replace('M0', 'M2'),
    'space/brand/04 Colours/coral.json': JSON.stringify({ color: '#E5603F' }),
    'space/brand/05 Fonts/inter-light.woff2': makeFont({
      family: 'Inter',
      variant: 'Light',
      weight: 300,
      format: 'woff2',
    }),
    'print-header.tsx': `
      import { renderToStaticMarkup } from 'react-dom/server.edge'
      import { Header } from './src/header.js'
      console.log(renderToStaticMarkup(<Header />))
    `,
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
  // The types of the root refer to types of bundlers that are not installed in the project.
  skipLibCheck: true,
}

/** The command that runs each configuration file of the README. */
const commands: Record<string, string> = {
  'vite.config.js': 'node node_modules/vite/bin/vite.js build',
  'rollup.config.js': 'node node_modules/rollup/dist/bin/rollup -c',
  'rolldown.config.js': 'node node_modules/rolldown/bin/cli.mjs -c',
  'webpack.config.js': runConfig('webpack'),
  'rspack.config.js': runConfig('@rspack/core'),
  'esbuild.config.js': 'node esbuild.config.js',
  'farm.config.js': `node --input-type=module -e "import { build } from '@farmfe/core'; await build({ configPath: process.cwd() }); process.exit()"`,
}

describe('bundlers', () => {
  for (const [file, command] of Object.entries(commands)) {
    test(file, { timeout: 120_000 }, async () => {
      await rm(join(project, 'dist'), { recursive: true, force: true })
      await shell(command)
      const paths = await readdir(join(project, 'dist'), { recursive: true })
      const emitted = paths.filter((path) => path.endsWith('.svg'))
      expect(emitted).toHaveLength(1)
      expect(await readFile(join(project, 'dist', emitted[0] ?? ''), 'utf8')).toBe(logo)
    })
  }
})

test('index.html gets icons and a social card', async () => {
  await rm(join(project, 'dist'), { recursive: true, force: true })
  await shell(commands['vite.config.js'] ?? '')
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

test('src/main.ts', () => prints('src/main.ts', /^Acme Logo \S+\.svg 1600 \S+\.webp 640w, /))
test('src/kit.ts', () => prints('src/kit.ts', /^Acme Logo \S+\.svg\nHero Photo \S+\.jpg\n/))
test('src/picture.ts', () =>
  prints(
    'src/picture.ts',
    /^<picture><source type="image\/webp" srcset="\S+ 640w, \S+ 1280w" sizes="100vw"><source type="image\/jpeg" .*<img src="\S+\.jpg" .*alt="The coast at dawn"/,
  ))
test('src/header.tsx', () =>
  prints(
    'print-header.tsx',
    /<header><svg [^>]*width="120"[^>]*><title>Acme<\/title>.*<\/svg><picture><source type="image\/avif".*<img .*alt="The coast at dawn"/,
  ))
test('src/tokens.ts', () => prints('src/tokens.ts', /^#e5603f\nInter 300 \S+inter-light\S+\.woff2$/))
test('src/forms.js', () => prints('src/forms.js', /^\S+acme-logo\S+ \S+arrow-right\S+ \S+arrow-left\S+$/))
test('names.config.ts', async () =>
  expect(await shell('content-space ls brand --config names.config.ts')).toMatch(/ mark .* back /s))

test('scripts/list.js', async () =>
  expect(await shell('node scripts/list.js')).toBe('Acme Brand 3BD9E4A2-7C1F-4D0A-9E5B-1F2A3B4C5D6E\n'))

test('scripts/pull.js', async () =>
  expect(await shell('node scripts/pull.js')).toBe(
    `1 of 1 files, ${logo.length} of ${logo.length} bytes\nAcme Brand 7 0\n`,
  ))

test('the commands run', { timeout: 120_000 }, async () => {
  for (const { code } of blocks.filter(({ language }) => language === 'sh')) await shell(code)
})

test('the CI workflow runs', { timeout: 120_000 }, async () => {
  const recipe = blocks.find(({ language }) => language === 'yaml')?.code ?? ''
  const steps = [...recipe.matchAll(/- run: (.*)/g)].map(([, step = '']) => step)
  // `npm ci` is skipped, because the packages of the project are links into this repository.
  for (const step of steps.filter((command) => command !== 'npm ci')) await shell(step, { CI: 'true' })
})

test('the tests above run every code block', () => {
  const typed = blocks.filter(({ language }) => language.startsWith('ts')).map(({ file }) => file)
  const known = new Set([
    ...Object.keys(commands),
    ...typed,
    '.env.local',
    'index.html',
    'src/style.css',
    'src/forms.js',
    'scripts/list.js',
    'scripts/pull.js',
    '.github/workflows/site.yml',
  ])
  expect(blocks.filter(({ language, file }) => language !== 'sh' && !known.has(file))).toEqual([])
  expect(typed.every((file) => file.startsWith('src/') || file.endsWith('.config.ts'))).toBe(true)
})

/** Bundles a script with the esbuild configuration of the README, runs it in Node, and checks its output. */
async function prints(entry: string, expected: RegExp): Promise<void> {
  const config = await readFile(join(project, 'esbuild.config.js'), 'utf8')
  await writeFile(join(project, 'run.js'), config.replace('src/main.js', entry).replace("'dist'", "'run'"))
  await shell('node run.js')
  const name = `${parse(entry).name}.js`
  expect((await shell(`node run/${name}`)).trim()).toMatch(expected)
}

/** Runs a command line in the project. An error contains its output. */
async function shell(command: string, environment: Record<string, string> = {}): Promise<string> {
  const env = {
    PATH: `${join(project, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    HOME: project,
    CONTENT_SPACE_CACHE: join(project, 'cache'),
    ...environment,
  }
  const { stdout } = await promisify(execFile)('sh', ['-euc', command], { cwd: project, env, timeout: 100_000 })
  return stdout
}

/** Returns a command that replaces the command lines of webpack and Rspack, which are separate packages. */
function runConfig(bundler: string): string {
  const file = bundler === 'webpack' ? 'webpack' : 'rspack'
  return `node --input-type=module -e "
    import bundler from '${bundler}'
    import config from './${file}.config.js'
    const run = (bundler.rspack ?? bundler)({ ...config, context: process.cwd() })
    run.run((error, stats) => { if (error ?? stats.hasErrors()) { console.error(error ?? stats.toString()); process.exitCode = 1 } run.close(() => {}) })"`
}

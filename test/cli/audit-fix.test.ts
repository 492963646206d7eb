import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createImporter } from '../../src/index.js'
import { build } from '../bundlers/driver.js'
import { esbuildDriver } from '../bundlers/drivers/esbuild.js'
import { webpackDriver } from '../bundlers/drivers/webpack.js'
import { project, type Project } from '../support/cli.js'
import { commitAll, git } from '../support/git.js'
import { drawings, writeSpace, type SpaceFolder } from '../support/space.js'

const { logo, star } = drawings
let space: SpaceFolder
const projects: Project[] = []

beforeAll(async () => {
  space = await writeSpace({
    'brand/kit.json': { name: 'Brand' },
    'brand/Logos/logo.svg': logo,
    'brand/Logos/star.svg': star,
    'brand/Colors/coral.json': { type: 'COLOR', meta: { hex: '#E5603F' } },
  })
})
afterAll(async () => {
  await Promise.all(projects.map((one) => one.remove()))
  await space.remove()
})

/** Proves the value of an import: a bundler's configuration that contains this package. */
const bundler = {
  'package.json': '{ "private": true, "scripts": { "build": "vite build" } }\n',
  'vite.config.js':
    "import contentSpace from 'unplugin-content-space/vite'\nexport default { plugins: [contentSpace()] }\n",
}

/**
 * Opens a project.
 * @param without files of the bundler to omit
 */
async function open(files: Record<string, string>, without: (keyof typeof bundler)[] = []): Promise<Project> {
  const own = Object.entries(bundler).filter(([name]) => without.every((other) => other !== name))
  const config = { space: space.folder, kits: { brand: 'brand' }, tokens: [{ kit: 'brand', file: 'src/tokens.css' }] }
  const work = await project({
    'content-space.config.json': JSON.stringify(config),
    ...Object.fromEntries(own),
    'index.html': '<img src="./src/logo.svg" alt=""><script type="module" src="/src/main.js"></script>\n',
    'src/main.js': "import logo from './logo.svg'\nimport './page.css'\nconsole.log(logo)\n",
    'src/page.css': "@import './tokens.css';\na { background: url(./star.svg); color: #E5603F; fill: #e5603f80 }\n",
    'src/tokens.css': '',
    'src/logo.svg': logo,
    'src/star.svg': star.replace('width="24" height="24"', 'height="24"  width="24"'),
    ...files,
  })
  projects.push(work)
  expect(await work.run('tokens', 'brand', '--out', 'src/tokens.css')).toMatchObject({ code: 0 })
  commitAll(work.root)
  return work
}

test('writes ids and tokens, deletes nothing, and Git gives back what was before', async () => {
  const work = await open({})
  const read = (file: string) => readFile(join(work.root, file), 'utf8')
  // An audit's page mentions the copies, but that isn't a reason to keep them.
  expect(await work.run('audit', '--html', 'audit.html')).toMatchObject({ code: 0 })
  commitAll(work.root)
  const before = await Promise.all(['src/main.js', 'src/page.css', 'index.html'].map(read))
  const { code, stdout, stderr } = await work.run('audit', '--fix', '--fail-on', 'copy,redrawn')
  // Fixed findings are neither listed nor a reason to fail.
  expect(stdout).toMatch(/^color +src\/page\.css:2 .*\n1 finding in \d+ files\n$/)
  expect(stderr).toContain(
    "  - import logo from './logo.svg'\n  + import logo from 'content-space:asset/brand/logo?as=url'\n",
  )
  expect(stderr).toContain('After a successful build, delete them:\n  git rm -- src/logo.svg src/star.svg\n')
  expect(code).toBe(0)
  expect(await read('src/main.js')).toBe(
    "import logo from 'content-space:asset/brand/logo?as=url'\nimport './page.css'\nconsole.log(logo)\n",
  )
  expect(await read('src/page.css')).toBe(
    "@import './tokens.css';\na { background: url(content-space:asset/brand/star); color: var(--brand-coral); fill: #e5603f80 }\n",
  )
  expect(await read('index.html')).toBe(
    '<img src="content-space:asset/brand/logo" alt=""><script type="module" src="/src/main.js"></script>\n',
  )
  expect(git(work.root, 'status', '--porcelain')).toBe(' M index.html\n M src/main.js\n M src/page.css\n')
  git(work.root, 'stash')
  expect(await Promise.all(['src/main.js', 'src/page.css', 'index.html'].map(read))).toEqual(before)
})

const webpackConfig = `const contentSpace = require('unplugin-content-space/webpack')
module.exports = {
  entry: './src/main.js',
  plugins: [contentSpace()],
  module: { rules: [{ test: /\\.css$/, use: ['style-loader', 'css-loader'] }, { test: /\\.svg$/, type: 'asset/resource' }] },
}
`
const esbuildConfig = `import { build } from 'esbuild'
import contentSpace from 'unplugin-content-space/esbuild'
await build({ entryPoints: ['src/main.js'], bundle: true, loader: { '.svg': 'file' }, plugins: [contentSpace()] })
`

test.each([
  { driver: webpackDriver, config: { 'webpack.config.js': webpackConfig }, command: 'webpack' },
  { driver: esbuildDriver, config: { 'build.mjs': esbuildConfig }, command: 'node build.mjs' },
])('$driver.name builds the same files afterwards', async ({ driver, config, command }) => {
  const files = {
    ...config,
    'package.json': JSON.stringify({ scripts: { build: command } }),
    'index.html': '',
    'src/main.js':
      "import logo from './logo.svg'\nimport star from './star.svg'\nconsole.log(JSON.stringify([logo, star]))\n",
    'src/star.svg': star,
  }
  const work = await open(files, ['vite.config.js'])
  expect(await work.run('audit', '--fix')).toMatchObject({ code: 0 })
  expect(await readFile(join(work.root, 'src/main.js'), 'utf8')).not.toContain('.svg')
  const output = await build(
    driver,
    work,
    { space: space.folder, kits: { brand: 'brand' }, cacheDir: join(work.root, '.cache') },
    { entries: ['src/main.js'] },
  )
  const emitted = output.assets().map(([, bytes]) => bytes.toString())
  expect(emitted.toSorted()).toEqual([logo, star].toSorted())
})

test('leaves what is not certain, with its import', async () => {
  const work = await open({
    'README.md': '![Logo](src/logo.svg)\n',
    'public/logo.svg': logo,
    'src/inline.jsx': `export const icon = ${star.trim()}\n`,
    'src/component.jsx': "import Star from './star.svg'\nexport const icon = <Star />\n",
  })
  const { code, stdout } = await work.run('audit', '--fix', '--json')
  const { fixes } = JSON.parse(stdout)
  expect(code).toBe(0)
  const reasons: Record<string, string> = Object.fromEntries(
    fixes.left.map((one: { file: string; reason: string; import: string }) => [one.file, one.reason]),
  )
  expect(reasons).toMatchObject({
    'public/logo.svg': 'its address may be used anywhere',
    'src/inline.jsx': 'it is a part of the text',
  })
  expect(fixes).toMatchObject({ unnamed: [], written: true })
  expect(git(work.root, 'diff', '--name-only').trim().split('\n')).toEqual([
    'index.html',
    'src/main.js',
    'src/page.css',
  ])
})

const both = '<script type="module" src="/src/main.js"></script><script type="module" src="/src/other.js"></script>'

/**
 * Changes to the project that make an id in `src/main.js` unsafe, because a build or something else would no longer be
 * the same.
 */
const script = "import logo from './logo.svg'\nconsole.log(logo)\n"
const otherPlugin = "import contentSpace from 'unplugin-content-space/vite'\nimport svgr from 'vite-plugin-svgr'\n"
test.each<[string, Record<string, string>]>([
  ['no bundler is configured', { 'vite.config.js': 'export default {}\n' }],
  [
    'a plugin makes components',
    { 'vite.config.js': `${otherPlugin}export default { plugins: [contentSpace(), svgr()] }\n` },
  ],
  ['a second bundler is configured', { 'metro.config.js': 'module.exports = {}\n' }],
  ['Parcel builds it, too', { 'package.json': '{ "scripts": { "build": "vite build", "a": "parcel build a.html" } }' }],
  ['Create React App builds it', { 'package.json': '{ "scripts": { "build": "react-scripts build" } }' }],
  ['Jest runs it', { 'package.json': '{ "scripts": { "build": "vite build", "test": "jest" } }' }],
  ['other packages import it', { 'package.json': '{ "main": "src/main.js", "scripts": { "build": "vite build" } }' }],
  ['the linter resolves imports', { 'package.json': '{ "devDependencies": { "eslint-plugin-import": "2" } }' }],
  ['no entry imports it', { 'index.html': '<p></p>' }],
  ['its text is imported', { 'src/other.js': "import text from './main.js?raw'\n", 'index.html': both }],
  [
    'a pattern imports its text',
    { 'src/other.js': "import.meta.glob('./main.js', { query: '?raw' })\n", 'index.html': both },
  ],
  ['a worker imports it', { 'src/worker.js': "import './main.js'\n" }],
  ['a story imports it', { 'src/main.stories.js': "import './main.js'\n" }],
  [
    'another package imports it',
    { 'packages/a/package.json': '{}', 'packages/a/index.js': "import '../../src/main.js'\n" },
  ],
  ['a tool reads it', { 'src/other.txt.js': "readFileSync(join('src', 'main.js'))\n" }],
  ['a snapshot has its address', { 'src/__snapshots__/a.test.js.snap': 'exports[`a 1`] = `"/src/logo.svg"`;\n' }],
])('leaves a script where %s', async (_, files) => {
  const work = await open({ 'src/main.js': script, 'src/page.css': '', ...files })
  const { code, stdout } = await work.run('audit', '--fix', '--json')
  const { fixes } = JSON.parse(stdout)
  expect(code).toBe(0)
  expect(fixes.left).toContainEqual(
    expect.objectContaining({ file: 'src/main.js', import: 'content-space:asset/brand/logo' }),
  )
  expect(await readFile(join(work.root, 'src/main.js'), 'utf8')).toBe(script)
})

test('keeps an import that specifies how the file is read', async () => {
  const text = "import logo from './logo.svg' with { type: 'text' }\nconsole.log(logo)\n"
  const work = await open({ 'src/main.js': text })
  expect(await work.run('audit', '--fix')).toMatchObject({ code: 0 })
  expect(await readFile(join(work.root, 'src/main.js'), 'utf8')).toBe(text)
})

test.each<[string, Record<string, string>]>([
  ['as text', { 'src/main.js': "import text from './page.css?raw'\nconsole.log(text)\n" }],
  ['inline', { 'src/main.js': "import text from './page.css?inline'\nconsole.log(text)\n" }],
  ['for its exports', { 'src/page.css': ':export { star: url(./star.svg); coral: #E5603F }\n' }],
  ['without its tokens', { 'src/page.css': 'a { color: #E5603F }\n' }],
])('leaves a style sheet that is imported %s', async (_, files) => {
  const work = await open({ 'src/main.js': "import './page.css'\n", ...files })
  expect(await work.run('audit', '--fix')).toMatchObject({ code: 0 })
  expect(git(work.root, 'diff', '--name-only')).not.toContain('page.css')
})

test('gives the object in Next.js if only its URL and size are used', async () => {
  const config = "import { withContentSpace } from 'unplugin-content-space/next'\nexport default withContentSpace({})\n"
  const files = {
    'package.json': '{ "scripts": { "build": "next build" } }\n',
    'next.config.mjs': config,
    'app/page.jsx': "import logo from '../src/logo.svg'\nexport default () => <img src={logo.src} />\n",
    'app/other/page.jsx':
      'import logo from \'../../src/logo.svg\'\nexport default () => <Image src={logo} placeholder="blur" />\n',
  }
  const next = await open(files, ['vite.config.js'])
  await next.run('audit', '--fix')
  expect(await readFile(join(next.root, 'app/page.jsx'), 'utf8')).toContain(
    "import logo from 'content-space:asset/brand/logo'\n",
  )
  expect(git(next.root, 'diff', '--name-only')).toBe('app/page.jsx\n')
})

test.each([
  [
    'a style sheet in Latin-1',
    'legacy.css',
    Buffer.from('/* caf\xe9 */ a { background: url(src/logo.svg) }', 'latin1'),
  ],
  ['a page in UTF-16', 'legacy.html', Buffer.from('\ufeff<img src="src/logo.svg">', 'utf16le')],
  ['an escaped name', 'legacy.html', Buffer.from('<img src="src/lo&#103;o.svg">')],
  ['a name in two parts', 'tool.txt', Buffer.from("read('./src/lo' + 'go.svg')")],
  ['a list of a folder', 'tool.mjs', Buffer.from("readdirSync('src')")],
  ['a large file', 'data.txt', Buffer.from(`${' '.repeat(3e6)}src/logo.svg`)],
])('proposes to delete no copy that %s may name', async (_, file, bytes) => {
  const work = await open({})
  await writeFile(join(work.root, file), bytes)
  commitAll(work.root)
  const { fixes } = JSON.parse((await work.run('audit', '--fix', '--json')).stdout)
  expect(fixes.written).toBe(true)
  expect(fixes.unnamed).not.toContain('src/logo.svg')
})

test("doesn't write anything if a file changes while the question is open", async () => {
  const work = await open({})
  const importer = await createImporter({ cacheDir: join(work.root, '.cache') }, { root: work.root })
  const confirm = async (): Promise<boolean> => {
    await work.write({ 'src/page.css': '/* mine */' })
    return true
  }
  await expect(importer.audit({ fix: true, confirm })).rejects.toThrow('src/page.css has changed in the meantime')
  expect(git(work.root, 'status', '--porcelain')).toBe(' M src/page.css\n')
})

test('lists more changes than fit into a megabyte', async () => {
  const folder = Array.from({ length: 4 }, () => 'a'.repeat(200)).join('/')
  const work = await open({ [`${folder}/committed.txt`]: '' })
  await work.write(Object.fromEntries(Array.from({ length: 1400 }, (_, index) => [`${folder}/${index}.txt`, ''])))
  expect(await work.run('audit', '--fix')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('uncommitted changes'),
  })
})

test('needs a clean tree', async () => {
  const work = await open({})
  await work.write({ 'src/new.js': 'export {}\n' })
  expect(await work.run('audit', '--fix')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('uncommitted changes'),
  })
  expect(git(work.root, 'diff', '--name-only')).toBe('')
  expect(await work.run('audit', '--fix', '--force')).toMatchObject({ code: 0 })
  expect(git(work.root, 'diff', '--name-only')).toContain('src/main.js')
})

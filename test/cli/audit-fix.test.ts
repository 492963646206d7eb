import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../bundlers/driver.js'
import { esbuildDriver } from '../bundlers/drivers/esbuild.js'
import { webpackDriver } from '../bundlers/drivers/webpack.js'
import { project, type Project } from '../support/cli.js'
import { writeSpace, type SpaceFolder } from '../support/space.js'

const drawing = (path: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><path fill="#e5603f" d="${path}"/></svg>\n`
const logo = drawing('M2 2h20v6H8v6h10v8H2z')
const star = drawing('M12 2l3 7h7l-6 5 3 8-7-5-7 5 3-8-6-5h7z')

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

const git = (root: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root, encoding: 'utf8' })

async function open(files: Record<string, string>): Promise<Project> {
  const config = { space: space.folder, kits: { brand: 'brand' }, tokens: [{ kit: 'brand', file: 'src/tokens.css' }] }
  const work = await project({
    'content-space.config.json': JSON.stringify(config),
    '.gitignore': '.cache\n',
    'package.json': '{ "private": true, "devDependencies": { "vite": "^7" } }\n',
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
  git(work.root, 'init', '-q')
  git(work.root, 'add', '.')
  git(work.root, 'commit', '-qm', 'Begin')
  return work
}

test('writes ids and tokens, and deletes copies that nothing names', async () => {
  const work = await open({})
  const read = (file: string) => readFile(join(work.root, file), 'utf8')
  // A page of an audit names the copies, and is no reason to keep them.
  expect(await work.run('audit', '--html', 'audit.html')).toMatchObject({ code: 0 })
  git(work.root, 'add', '.')
  git(work.root, 'commit', '-qm', 'Keep a page of the audit')
  const { code, stdout, stderr } = await work.run('audit', '--fix', '--fail-on', 'copy,redrawn')
  // What is fixed is neither listed nor a reason to fail.
  expect(stdout).toMatch(/^color +src\/page\.css:2 .*\n1 finding in \d+ files\n$/)
  expect(stderr).toContain(
    "  - import logo from './logo.svg'\n  + import logo from 'content-space:asset/brand/logo?as=url'\n",
  )
  expect(stderr).toContain('delete src/logo.svg\ndelete src/star.svg\n')
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
  expect([existsSync(join(work.root, 'src/logo.svg')), existsSync(join(work.root, 'src/star.svg'))]).toEqual([
    false,
    false,
  ])
})

test('knows a bundler of a folder above by its configuration', async () => {
  const work = await open({ 'package.json': '{ "private": true }\n', 'vite.config.js': 'export default {}\n' })
  await work.run('audit', '--fix')
  expect(await readFile(join(work.root, 'src/page.css'), 'utf8')).toContain('url(content-space:asset/brand/star)')
})

test('leaves style sheets to bundlers that do not build them', async () => {
  const work = await open({ 'package.json': '{ "devDependencies": { "rollup": "^4" } }\n' })
  await work.run('audit', '--fix')
  expect(await readFile(join(work.root, 'src/page.css'), 'utf8')).toContain('url(./star.svg)')
})

test('leaves colors where no text loads the file of tokens', async () => {
  const work = await open({
    'src/page.css': 'a { color: #E5603F }\n',
    'other.config.ts': "import './src/tokens.css'\n",
  })
  await work.run('audit', '--fix')
  expect(await readFile(join(work.root, 'src/page.css'), 'utf8')).toBe('a { color: #E5603F }\n')
})

test.each([webpackDriver, esbuildDriver])('$name builds the same files afterwards', async (driver) => {
  const work = await open({
    'package.json': `{ "devDependencies": { "${driver.name}": "*" } }\n`,
    'src/main.js':
      "import logo from './logo.svg'\nimport star from './star.svg'\nconsole.log(JSON.stringify([logo, star]))\n",
    'src/star.svg': star,
  })
  expect(await work.run('audit', '--fix')).toMatchObject({ code: 0 })
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
    'src/text.js':
      "import text from './star.svg?raw'\nexport { text }\nexport const address = new URL('./star.svg', import.meta.url)\n",
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
    'src/logo.svg': 'README.md names it',
    'src/star.svg': expect.stringMatching(/^src\/(?:component\.jsx|text\.js) names it$/),
  })
  expect(fixes).toMatchObject({ deleted: [], written: true })
  const changed = git(work.root, 'diff', '--name-only').trim().split('\n')
  expect(changed).toEqual(['index.html', 'src/main.js', 'src/page.css'])
})

test('gives the object in Next.js, and leaves drawings that a loader makes components of', async () => {
  const next = await open({ 'package.json': '{ "dependencies": { "next": "16.0.0" } }\n' })
  await next.run('audit', '--fix')
  expect(await readFile(join(next.root, 'src/main.js'), 'utf8')).toContain(
    "import logo from 'content-space:asset/brand/logo'\n",
  )
  expect(git(next.root, 'diff', '--name-only')).not.toContain('index.html')
  const svgr = await open({ 'package.json': '{ "devDependencies": { "vite": "7", "vite-plugin-svgr": "4" } }\n' })
  await svgr.run('audit', '--fix')
  expect(git(svgr.root, 'diff', '--name-only')).not.toContain('main.js')
})

test('lists more changes than fit into a megabyte', async () => {
  const folder = Array.from({ length: 4 }, () => 'a'.repeat(200)).join('/')
  const work = await open({ [`${folder}/committed.txt`]: '' })
  await work.write(Object.fromEntries(Array.from({ length: 1400 }, (_, index) => [`${folder}/${index}.txt`, ''])))
  expect(await work.run('audit', '--fix')).toMatchObject({ code: 1, stderr: expect.stringContaining('not committed') })
})

test('needs a clean tree', async () => {
  const work = await open({})
  await work.write({ 'src/new.js': 'export {}\n' })
  expect(await work.run('audit', '--fix')).toMatchObject({ code: 1, stderr: expect.stringContaining('not committed') })
  expect(git(work.root, 'diff', '--name-only')).toBe('')
  expect(await work.run('audit', '--fix', '--force')).toMatchObject({ code: 0 })
  expect(git(work.root, 'diff', '--name-only')).toContain('src/main.js')
})

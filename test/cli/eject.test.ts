import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import contentSpace from 'unplugin-content-space/esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTree } from '../bundlers/driver.js'
import { project, type Project } from '../support/cli.js'
import { commitAll, git } from '../support/git.js'
import { drawings, writeSpace, type SpaceFolder } from '../support/space.js'

const picture = fileURLToPath(new URL('../../dist/entries/picture.js', import.meta.url))
const { logo, star } = drawings
let space: SpaceFolder
const projects: Project[] = []

beforeAll(async () => {
  space = await writeSpace({
    'brand/kit.json': { name: 'Brand' },
    'brand/Logos/logo.svg': logo,
    'brand/Logos/star.svg': star,
    'brand/Logos/guide.pdf': '%PDF-1.4\n%%EOF\n',
    'brand/Colors/coral.json': { type: 'COLOR', meta: { hex: '#E5603F' } },
  })
})
afterAll(async () => {
  await Promise.all(projects.map((one) => one.remove()))
  await space.remove()
})

const script = `import { logo } from 'content-space:kit/brand'
import address from 'content-space:asset/brand/star?url'
import text from "content-space:asset/brand/star?raw"
import type { Asset } from 'unplugin-content-space'
import { picture } from 'unplugin-content-space/picture'
import './page.css'
const shown: Pick<Asset, 'src' | 'name'> = logo
console.log(JSON.stringify([shown.name, shown.src, address, text, picture(logo)]))
`
const sheet =
  "a { background: url('content-space:asset/brand/logo') } b { background: image-set('content-space:asset/brand/star' 1x) }\n"

/** Opens a project that esbuild builds. */
async function open(files: Record<string, string>, packages: object = { esbuild: '*' }): Promise<Project> {
  const work = await project({
    'content-space.config.json': JSON.stringify({ space: space.folder, kits: { brand: 'brand' } }),
    'package.json': JSON.stringify({ private: true, devDependencies: packages }),
    'tsconfig.json': '{}',
    ...files,
  })
  projects.push(work)
  commitAll(work.root)
  return work
}

/** @returns the pictures that a build emits */
async function pictures(root: string, hasPlugin: boolean): Promise<string[]> {
  const outdir = join(root, 'dist', String(hasPlugin))
  await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    bundle: true,
    format: 'esm',
    outdir,
    loader: { '.svg': 'file' },
    ...(hasPlugin && { alias: { 'unplugin-content-space/picture': picture } }),
    plugins: hasPlugin ? [contentSpace({ cacheDir: join(root, '.cache'), types: false })] : [],
  })
  const emitted = [...(await readTree(outdir))].filter(([path]) => path.endsWith('.svg'))
  return emitted.map(([, bytes]) => bytes.toString()).toSorted()
}

test('writes files and plain imports, and esbuild emits the same pictures without the package', async () => {
  const work = await open({ 'src/main.ts': script, 'src/page.css': sheet })
  const before = await pictures(work.root, true)
  expect(before).toEqual([logo, star].toSorted())
  git(work.root, 'clean', '-fdq')
  const { code, stdout, stderr } = await work.run('eject', '--yes')
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stdout).toBe('wrote 9 files in src/assets/content, and changed 6 lines; 0 places left\n')
  expect(stderr).toContain(
    "  - import { logo } from 'content-space:kit/brand'\n  + import { logo } from './assets/content/brand.js'\n",
  )
  expect(stderr).toContain("Let esbuild emit the files: loader: { '.svg': 'file' }.")
  expect(await readFile(join(work.root, 'src/main.ts'), 'utf8')).toBe(
    script
      .replace('content-space:kit/brand', './assets/content/brand.js')
      .replace('content-space:asset/brand/star?url', './assets/content/star.svg')
      .replace('content-space:asset/brand/star?raw', './assets/content/star-raw.js')
      .replace("'unplugin-content-space'", "'./assets/content/runtime/asset.js'")
      .replace("'unplugin-content-space/picture'", "'./assets/content/runtime/picture.js'"),
  )
  expect(await readFile(join(work.root, 'src/page.css'), 'utf8')).toBe(
    "a { background: url('./assets/content/logo.svg') } b { background: image-set(url('./assets/content/star.svg') 1x) }\n",
  )
  expect(await readFile(join(work.root, 'src/assets/content/brand.d.ts'), 'utf8')).toMatch(/logo: \{.*width: 24/)
  expect(await pictures(work.root, false)).toEqual(before)
  const written = await readdir(join(work.root, 'src/assets/content'), { recursive: true })
  for (const file of written.filter((name) => /\.\w+$/.test(name)))
    expect(await readFile(join(work.root, 'src/assets/content', file), 'utf8'), file).not.toMatch(
      /^(?:im|ex)port .*from '.*content-space/m,
    )
})

test('shows what it would write, and writes only after --yes or an answer', async () => {
  const work = await open({ 'src/main.ts': script, 'src/page.css': sheet })
  const { code, stdout, stderr } = await work.run('eject', '--out', 'src/brand')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Nothing was written. Use --yes to write it.\n' })
  expect(stderr).toMatch(/^ {2}\+ src\/brand\/brand\.d\.ts\n {2}\+ src\/brand\/brand\.js\n/)
  expect(git(work.root, 'status', '--porcelain')).toBe('')
  const report = JSON.parse((await work.run('eject', '--json')).stdout)
  expect(report.written).toBe(false)
  expect(report.lines).toHaveLength(6)
  expect(git(work.root, 'status', '--porcelain')).toBe('')
})

test('lists each place that it leaves, with the reason', async () => {
  const work = await open(
    {
      'src/main.js': `import icons from 'content-space:kit/brand?lazy'
import gone from 'content-space:asset/brand/gone'
import tool from 'unplugin-content-space/vite'
const name = 'logo'
const one = import(\`content-space:asset/brand/\${name}\`)
document.body.innerHTML = '<img src="content-space:asset/brand/logo">'
`,
      'index.html':
        '<link rel="icon" href="content-space:app-icons/brand/logo">\n<meta property="og:image" content="content-space:asset/brand/logo">\n' +
        '<a href="content-space:asset/brand/logo">\n<img src="content-space:asset/brand/star">\n',
      'src/a.scss': "$logo: 'content-space:asset/brand/logo';\n",
    },
    { vite: '*' },
  )
  const { stderr, stdout } = await work.run('eject', '--yes')
  const left = stderr
    .split('\n')
    .flatMap((line) => /^left: (\S+?:\d+): (\S+): (.*)/.exec(line)?.slice(1).join(' | ') ?? [])
  expect(left).toEqual([
    'index.html:1 | content-space:app-icons/brand/logo | Application icons have fixed names at the root of the site. ' +
      'Write them with npx content-space app-icons brand/logo --out public, and paste the links that it prints.',
    'index.html:2 | content-space:asset/brand/logo | Other sites need an absolute address.',
    'index.html:3 | content-space:asset/brand/logo | Bundlers do not resolve addresses here.',
    'src/a.scss:1 | content-space:asset/brand/logo | The address would be relative to another style sheet.',
    'src/main.js:1 | content-space:kit/brand?lazy | lazy loads each asset from its own module. Import the assets that the code needs, each with import().',
    expect.stringMatching(/^src\/main\.js:2 \| content-space:asset\/brand\/gone \| .*no asset/),
    'src/main.js:3 | unplugin-content-space/vite | Remove it: it is the plugin.',
    expect.stringMatching(/^src\/main\.js:5 .* is built at run time/),
    'src/main.js:6 | content-space:asset/brand/logo | It is text here, so builds do not resolve it.',
  ])
  expect(stdout).toContain('changed 1 line; 9 places left')
  expect(await readFile(join(work.root, 'index.html'), 'utf8')).toContain('<img src="./src/assets/content/star.svg">')
})

test('overwrites nothing: neither files in the folder, nor a project with changes, nor a file that Git ignores', async () => {
  const taken = await open({ 'src/main.ts': script, 'src/page.css': sheet, 'src/assets/content/logo.svg': 'mine' })
  const refused = await taken.run('eject', '--yes')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('other files with the names that eject would write: logo.svg.')
  expect(git(taken.root, 'status', '--porcelain')).toBe('')

  const dirty = await open({ 'src/main.ts': script, 'src/page.css': sheet })
  await dirty.write({ 'src/other.ts': '' })
  expect((await dirty.run('eject', '--yes')).stderr).toContain('has uncommitted changes')
  expect(existsSync(join(dirty.root, 'src/assets'))).toBe(false)
  expect(await dirty.run('eject', '--yes', '--force')).toMatchObject({ code: 0 })

  const ignored = await open({ '.gitignore': 'src/page.css\n', 'src/main.ts': script, 'src/page.css': sheet })
  const { stderr } = await ignored.run('eject', '--yes')
  expect(stderr).toContain(
    "src/page.css:1: content-space:asset/brand/logo: The file can't be changed, because Git does not track it.",
  )
  expect(await readFile(join(ignored.root, 'src/page.css'), 'utf8')).toBe(sheet)
})

test.each([
  ['next', 'new URL("./guide.pdf", import.meta.url).href'],
  ['astro', 'guidePdf'],
])('with %s, a picture is the object that the framework imports', async (framework, guide) => {
  const code =
    "import { logo, guide } from 'content-space:kit/brand'\nimport star from 'content-space:asset/brand/star?url'\n"
  const work = await open({ 'src/main.js': `${code}console.log(logo, guide, star)\n` }, { [framework]: '*' })
  expect(await work.run('eject', '--yes')).toMatchObject({ code: 0 })
  const read = (file: string) => readFile(join(work.root, 'src/assets/content', file), 'utf8')
  expect(await read('brand.js')).toContain('src:logoSvg.src,')
  expect(await read('brand.js')).toContain(`src:${guide},`)
  expect(await read('star-url.js')).toBe('import starSvg from "./star.svg"\nexport default starSvg.src\n')
})

test('rejects a framework that imports files in a way of its own', async () => {
  const work = await open({ 'src/main.ts': script }, { '@angular/core': '*' })
  const { code, stderr } = await work.run('eject')
  expect(code).toBe(1)
  expect(stderr).toContain('npx content-space pull <kit> --only-used')
})

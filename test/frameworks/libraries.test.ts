import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fastGlob from 'fast-glob'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { closeBrowser, look } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

/** How to build the library, and the application that installs it. */
const builds = [
  { tool: 'Vite', command: ['vite', 'build'], bundler: 'webpack' },
  { tool: 'tsdown', command: ['tsdown'], bundler: 'vite' },
  { tool: 'tsup', command: ['tsup'], bundler: 'rspack' },
  { tool: 'Rslib', command: ['rslib', 'build'], bundler: 'vite' },
] as const

const assets = ['coast-at-dawn', 'solvane-logo', 'solvane-logo-stacked', 'solvane-mark']

/** The folder of the installed library. */
const installed = (): string => join(app.root, 'node_modules/acme-components')

let library: FrameworkProject
let app: FrameworkProject
let content: Content

beforeAll(async () => {
  library = await openProject('library')
  app = await openProject('library-app')
  content = await readContent(library.space)
  await rm(join(app.root, 'unplugin-content-space.tgz'))
  await library.run('content-space', 'sync')
})

afterAll(async () => {
  await closeBrowser()
  await library?.close()
  await app?.close()
})

describe.each(builds)('a library built with $tool', ({ command: [command, ...args], bundler }) => {
  const output = `out-${command}`

  test('is published without ids, paths of the project, and addresses without a file', async () => {
    await rm(join(library.root, 'dist'), { recursive: true, force: true })
    await library.run(command, ...args)
    await library.run('npm', 'pack', '--silent', '--ignore-scripts')
    await rm(installed(), { recursive: true, force: true })
    await mkdir(installed(), { recursive: true })
    const archive = join(library.root, 'acme-components-1.0.0.tgz')
    await promisify(execFile)('tar', ['-xzf', archive, '--strip-components=1', '-C', installed()])

    expect(await emittedAssets(join(installed(), 'dist'), content)).toEqual(assets)
    const texts = await fastGlob('dist/**/*.{js,cjs,mjs,ts,cts,mts,map}', { cwd: installed() })
    for (const file of texts) {
      const text = await readFile(join(installed(), file), 'utf8')
      expect(text, file).not.toMatch(/content-space:|unplugin-content-space|eyJ[A-Za-z0-9]{8}/)
      expect(text, file).not.toContain(library.root)
      for (const [, address = ''] of text.matchAll(/new URL\(["'`](.+?)["'`],/g)) {
        const target = join(dirname(join(installed(), file)), address)
        expect(existsSync(target), `${file}: ${address}`).toBe(true)
        expect(await content.problemOf(target, await readFile(target))).toBeUndefined()
      }
    }
  })

  test('has types', async () => {
    await app.run('tsc', '-p', '.')
  })

  test(`shows its pictures in an application built with ${bundler}`, async () => {
    if (bundler === 'vite') await app.run('vite', 'build', '--outDir', output, '--base', '/shop/')
    else await pack(bundler, output)
    const served = ['--outDir', output, '--base', '/shop/', '--host', '127.0.0.1'] as const
    const { url } = await app.serve((port) => ['vite', 'preview', ...served, '--port', `${port}`], '/shop/')
    await expectPage(url)
    // Bundlers inline small pictures in scripts and name the others themselves.
    const [published, emitted] = await Promise.all([installed(), join(app.root, output)].map(readPictures))
    expect(published).toEqual(expect.arrayContaining(emitted ?? []))
    expect(emitted?.length).toBeGreaterThanOrEqual(2)
  })

  test('has the addresses of its files in CommonJS', async () => {
    const file = fileURLToPath((await app.run('node', '-p', "require('acme-components').logo.src")).trim())
    expect(content.assetOf(file)).toBe('solvane-logo')
    expect(await content.problemOf(file, await readFile(file))).toBeUndefined()
  })
})

test('a library built with Rslib loads content later', async () => {
  await library.run('rslib', 'build', '--config', 'rslib.later.config.js')
  const script = `import('./later/later.js').then(async ({ loadMarks }) => console.log(...(await loadMarks())))`
  const addresses = (await library.run('node', '-e', script)).trim().split(' ')
  const files = addresses.map((address) => fileURLToPath(address))
  expect(files.map((file) => content.assetOf(file))).toEqual(['solvane-mark', 'solvane-mark'])
})

test("shows its pictures in Vite's dev server", async () => {
  const { url } = await app.serve((port) => ['vite', '--host', '127.0.0.1', '--port', `${port}`], '/')
  await expectPage(url)
})

/** Reads the pictures in a folder. */
async function readPictures(folder: string): Promise<string[]> {
  const files = await fastGlob('**/*.{svg,webp}', { cwd: folder, absolute: true })
  return Promise.all(files.map((file) => readFile(file, 'base64')))
}

async function pack(bundler: string, output: string): Promise<void> {
  await app.run('node', 'pack.js', bundler, output)
  const page = await app.read('index.html')
  await writeFile(join(app.root, output, 'index.html'), page.replace('/src/main.js', 'main.js'))
}

async function expectPage(url: string): Promise<void> {
  const { pictures, problems, markup } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo Stacked', 484],
    ['mark', 120],
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
  ])
  expect(pictures[3]?.src).toMatch(/\.webp$/)
  expect(markup.client['leaf']).toContain('<svg')
}

import { execFile } from 'node:child_process'
import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { soon } from '../support/long.js'
import { createProject, readTree } from './driver.js'
import { drawing } from './space.js'

const script = `
  import { build } from '@farmfe/core'
  import contentSpace from 'unplugin-content-space/farm'
  const { root, options } = JSON.parse(process.argv[1])
  const output = { path: 'dist', targetEnv: 'node', publicPath: '/app/', assetsFilename: 'media/[resourceName].[hash].[ext]' }
  const compilation = { input: { main: './main.js' }, output, persistentCache: true, presetEnv: false }
  await build({ root, compilation, plugins: [contentSpace({ types: false, ...options })] })
`

test('emits new content despite a cache on disk, under the configured file names', async () => {
  const project = await createProject({
    'main.js': `import { acmeLogo } from 'content-space:kit/kit'; console.log(acmeLogo.src)`,
  })
  const { root } = project
  const asset = join(root, 'space/kit/Logos/acme-logo.svg')
  try {
    await cp(join(root, 'package.json'), asset)
    for (const text of ['first', 'second', 'second']) {
      await writeFile(asset, drawing(text))
      await rm(join(root, 'dist'), { recursive: true, force: true })
      const options = { space: join(root, 'space'), cacheDir: join(root, 'content') }
      await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '--eval', script, JSON.stringify({ root, options })],
        soon,
      )
      const files = [...(await readTree(join(root, 'dist')))].filter(([path]) => path.endsWith('.svg'))
      expect(files.map(([path, bytes]) => [path.replace(/[0-9a-f]{8}/, '#'), bytes.toString()])).toEqual([
        ['media/acme-logo.#.svg', drawing(text)],
      ])
      const { stdout } = await promisify(execFile)(process.execPath, [
        join(root, 'dist', await entry(join(root, 'dist'))),
      ])
      expect(stdout.trim()).toBe(`/app/${files[0]?.[0]}`)
    }
  } finally {
    await project.remove()
  }
})

/**
 * Opens a project with a dependency that imports an asset. If Farm's cache is enabled, Farm doesn't load this import
 * again.
 */
async function withDependency(work: (run: () => Promise<string>, root: string) => Promise<void>): Promise<void> {
  const project = await createProject({
    'main.js': `import { photo } from 'brand-photo'; import { acmeLogo } from 'content-space:kit/kit'; console.log(photo, acmeLogo.src)`,
    'node_modules/brand-photo/package.json':
      '{ "name": "brand-photo", "version": "1.0.0", "type": "module", "main": "index.js" }',
    'node_modules/brand-photo/index.js': `import src from 'content-space:asset/kit/photo?url'; export const photo = src`,
    'space/kit/Logos/acme-logo.svg': drawing('logo'),
    'space/kit/Logos/photo.svg': drawing('photo'),
    'space/kit/Logos/secret.svg': drawing('secret'),
  })
  const { root } = project
  const run = async (): Promise<string> => {
    await rm(join(root, 'dist'), { recursive: true, force: true })
    const options = { space: join(root, 'space'), cacheDir: join(root, 'content') }
    await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script, JSON.stringify({ root, options })],
      soon,
    )
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/main.js')])
    return stdout.trim()
  }
  try {
    await work(run, root)
  } finally {
    await project.remove()
  }
}

/** Returns the pictures in the output by name. */
async function pictures(root: string): Promise<string[][]> {
  const files = [...(await readTree(join(root, 'dist')))].filter(([path]) => path.endsWith('.svg'))
  return files.map(([path, bytes]) => [path.replace(/[0-9a-f]{8}/, '#'), bytes.toString()])
}

const whole = [
  ['media/acme-logo.#.svg', drawing('logo')],
  ['media/photo.#.svg', drawing('photo')],
]

test('gives the same output from the cache of Farm, also after the cache of this plugin is removed', async () => {
  await withDependency(async (run, root) => {
    const cold = await run()
    const warm = await run()
    await rm(join(root, 'content'), { recursive: true })
    const cleared = await run()
    expect(cold).toMatch(/^\/app\/media\/photo\.[0-9a-f]{8}\.svg \/app\/media\/acme-logo\.[0-9a-f]{8}\.svg$/)
    expect([warm, cleared]).toEqual([cold, cold])
    expect(await pictures(root)).toEqual(whole)
  })
})

/**
 * Replaces text in Farm's cache with text of the same length.
 * @returns the number of files that contain it
 */
async function tamper(root: string, pattern: RegExp, replacement: string): Promise<number> {
  const files = [...(await readTree(join(root, 'node_modules/.farm')))].map(
    ([path, bytes]) => [path, bytes.toString('latin1')] as const,
  )
  const found = files.filter(([, text]) => text.search(pattern) !== -1)
  for (const [path, text] of found)
    await writeFile(
      join(root, 'node_modules/.farm', path),
      text.replaceAll(pattern, () => replacement),
      'latin1',
    )
  return found.length
}

const tampered: [name: string, pattern: RegExp, text: string][] = [
  ['a token', /__CONTENT_SPACE_[0-9a-f]{64}__END/g, `__CONTENT_SPACE_${'ab'.repeat(32)}__END`],
  ['the name of a file in the table of tokens', /name\\":\\"photo/g, 'name\\":\\"../up'],
  ['the table of tokens', /(?<=\[)"\{\\"file/g, '{\\"file"'],
]

test.each(tampered)("fails without emitting anything if %s in Farm's cache was changed", async (_, pattern, text) => {
  await withDependency(async (run, root) => {
    await run()
    expect(await tamper(root, pattern, text)).toBeGreaterThan(0)
    await expect(run()).rejects.toThrow(/A cached script refers to an unknown content file/)
    expect([...(await readTree(join(root, 'dist'))).keys()]).toEqual([])
  })
})

async function entry(dist: string): Promise<string> {
  return [...(await readTree(dist)).keys()].find((path) => /\.m?js$/.test(path)) ?? ''
}

const updates = `
  import { writeFileSync } from 'node:fs'
  import { Logger, createCompiler, resolveConfig } from '@farmfe/core'
  import contentSpace from 'unplugin-content-space/farm'
  const root = process.argv[1]
  const compilation = { input: { main: './main.js' }, watch: true, lazyCompilation: false, persistentCache: false }
  const given = { root, configFile: false, compilation, plugins: [contentSpace({ types: false })] }
  const compiler = await createCompiler(await resolveConfig(given, 'development', new Logger(), false), new Logger())
  const updates = (count) => Array.from({ length: count }, () => compiler.update([process.argv[2]], true))
  const outcomes = await Promise.allSettled([compiler.compile(), ...updates(1)])
  writeFileSync(process.argv[2], 'import "./none.js"')
  outcomes.push(...(await Promise.allSettled(updates(2))))
  console.log(outcomes.map(({ status }) => status).join())
  process.exit()
`

test('finishes updates during the first build, and reports the errors of all updates at the same time', async () => {
  const project = await createProject({ 'main.js': 'console.log(1)' })
  const paths = [project.root, join(project.root, 'main.js')]
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', updates, ...paths],
      soon,
    )
    expect(stdout.trim().split('\n').at(-1)).toBe('fulfilled,fulfilled,rejected,rejected')
  } finally {
    await project.remove()
  }
})

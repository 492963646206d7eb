import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything, hostileKit, hostileSpace, hostileTexts, steered } from '../support/hostile-texts.js'
import { serveSpace, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { createProject, type Project } from './driver.js'

/**
 * Build scripts of users, with the usual output of each bundler. `root` and `options` are in scope.
 */
const scripts: Record<string, string> = {
  vite: `
    import { build } from 'vite'
    await build({ root, configFile: false, plugins: [contentSpace(options)], build: { ssr: 'main.js', minify: false } })`,
  rollup: `
    import { rollup } from 'rollup'
    const bundle = await rollup({ input: root + '/main.js', plugins: [contentSpace(options)] })
    await bundle.write({ dir: root + '/dist', format: 'es' })`,
  rolldown: `
    import { rolldown } from 'rolldown'
    const bundle = await rolldown({ input: root + '/main.js', plugins: [contentSpace(options)] })
    await bundle.write({ dir: root + '/dist', format: 'es' })`,
  webpack: `
    import webpack from 'webpack'
    pack(webpack)`,
  rspack: `
    import { rspack } from '@rspack/core'
    pack(rspack)`,
  esbuild: `
    import { build } from 'esbuild'
    await build({ absWorkingDir: root, entryPoints: ['main.js'], bundle: true, outdir: 'dist', format: 'esm', platform: 'node', logLevel: 'info', plugins: [contentSpace(options)] })`,
  farm: `
    import { build } from '@farmfe/core'
    const compilation = { input: { main: './main.js' }, output: { path: 'dist', targetEnv: 'node', format: 'esm' }, mode: 'production', minify: false, persistentCache: false, presetEnv: false }
    await build({ root, compilation, plugins: [contentSpace(options)] })`,
}

/** Rspack reads a stub as a URL, which cannot contain every name. */
const queries: Record<string, string> = { rspack: '?as=metadata' }

/** Prints the result: webpack and Rspack print nothing themselves. */
const pack = `
  function pack(bundler) {
    const output = { path: root + '/dist', filename: 'main.js', module: true, chunkFormat: 'module', library: { type: 'module' } }
    const compiler = bundler({
      mode: 'production', context: root, target: 'node20', entry: './main.js', output, optimization: { minimize: false },
      experiments: { outputModule: true }, plugins: [contentSpace(options)],
    })
    compiler.run((error, stats) => compiler.close(() => {
      if (error) throw error
      console.log(stats.toString({ colors: false }))
      if (stats.hasErrors()) process.exitCode = 1
    }))
  }`

const repository = fileURLToPath(new URL('../..', import.meta.url))
const kit = `content-space:kit/${hostileKit}@draft`

let space: SpaceFolder
let service: ServedSpace
beforeAll(async () => {
  space = await writeSpace(hostileSpace())
  service = await serveSpace(space.folder, { rateLimit: false })
})
afterAll(async () => {
  await service.close()
  await space.remove()
})

async function run(bundler: string, { root }: Project): Promise<{ status: unknown; output: string }> {
  const options = { ...service.options, cacheDir: join(root, 'cache'), lockfile: join(root, 'lock.json'), types: false }
  const given = `const root = ${JSON.stringify(root)}; const options = ${JSON.stringify(options)}\n`
  const script = `import contentSpace from 'unplugin-content-space/${bundler}'\n${given}${pack}\n${scripts[bundler]}`
  return node(['--input-type=module', '--eval', script])
}

/** Runs asynchronously, because the service runs in this process. */
function node(args: string[]): Promise<{ status: unknown; output: string }> {
  return new Promise((done) => {
    const env = { PATH: process.env['PATH'], NO_COLOR: '1' }
    execFile(
      process.execPath,
      args,
      { cwd: repository, timeout: 100_000, maxBuffer: 1e8, env },
      (error, stdout, stderr) => {
        done({ status: error?.code ?? 0, output: stdout + stderr })
      },
    )
  })
}

/** Some bundlers print colors to a pipe as well, and Node prints indented lines of the source that throws. */
const findings = (output: string): string[] => steered(output.replaceAll('\t', ' '), true)

describe.each(Object.keys(scripts))('%s', (bundler) => {
  test('prints a summary and warnings without control sequences, and bundles the exact texts', async () => {
    const project = await createProject({
      'main.js': `import kit from '${kit}${queries[bundler] ?? ''}'; console.log(JSON.stringify(kit))`,
    })
    try {
      const { status, output } = await run(bundler, project)
      expect({ status, findings: findings(output) }).toEqual({ status: 0, findings: [] })
      // Rollup and Rolldown print neither by default.
      if (!bundler.startsWith('roll')) expect(output).toContain('evil.example')
      const bundled = JSON.parse((await node([join(project.root, 'dist/main.js')])).output)
      expect(bundled.name).toBe(everything)
      const names = bundled.sections[0].items.flatMap(({ asset }: { asset?: { name: string } }) =>
        asset ? [asset.name] : [],
      )
      expect(names).toEqual([...hostileTexts, everything])
    } finally {
      await project.remove()
    }
  }, 120_000)

  test.each([
    ['an asset that is not there', `import x from 'content-space:asset/${hostileKit}@draft/nothing'; console.log(x)`],
    ['a cut that no asset has', `import kit from '${kit}?cut=eps'; console.log(kit)`],
  ])('prints an error without control sequences for %s', async (_, main) => {
    const project = await createProject({ 'main.js': main })
    const { status, output } = await run(bundler, project)
    await project.remove()
    expect(findings(output)).toEqual([])
    expect(output).toContain('u{1b}')
    expect(status).not.toBe(0)
  })
})

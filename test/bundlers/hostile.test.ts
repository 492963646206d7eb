import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { everything, hostileKit, hostileSpace, hostileTexts, steered } from '../support/hostile-texts.js'
import { serveSpace, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { createProject, type Project } from './driver.js'

/**
 * Builds as users write them, with each bundler's usual output. `root` and `options` are in scope. If a build fails, it
 * throws or sets the exit code.
 */
const scripts: Record<string, string> = {
  vite: `
    const { build } = await import('vite')
    await build({ root, configFile: false, plugins: [contentSpace(options)], build: { ssr: 'main.js', minify: false } })`,
  rollup: `
    const { rollup } = await import('rollup')
    const bundle = await rollup({ input: root + '/main.js', plugins: [contentSpace(options)] })
    await bundle.write({ dir: root + '/dist', format: 'es' })`,
  rolldown: `
    const { rolldown } = await import('rolldown')
    const bundle = await rolldown({ input: root + '/main.js', plugins: [contentSpace(options)] })
    await bundle.write({ dir: root + '/dist', format: 'es' })`,
  webpack: `
    const { default: webpack } = await import('webpack')
    await pack(webpack)`,
  rspack: `
    const { rspack } = await import('@rspack/core')
    await pack(rspack)`,
  esbuild: `
    const { build } = await import('esbuild')
    await build({ absWorkingDir: root, entryPoints: ['main.js'], bundle: true, outdir: 'dist', format: 'esm', platform: 'node', logLevel: 'info', plugins: [contentSpace(options)] })`,
  farm: `
    const { build } = await import('@farmfe/core')
    const compilation = { input: { main: './main.js' }, output: { path: 'dist', targetEnv: 'node', format: 'esm' }, mode: 'production', minify: false, persistentCache: false, presetEnv: false }
    await build({ root, compilation, plugins: [contentSpace(options)] })`,
}

/** Rspack reads a stub as a URL, which can't contain every name. */
const queries: Record<string, string> = { rspack: '?as=metadata' }

/** Prints the result, because webpack and Rspack don't print anything themselves. */
const pack = `
  function pack(bundler) {
    const output = { path: root + '/dist', filename: 'main.js', module: true, chunkFormat: 'module', library: { type: 'module' } }
    const compiler = bundler({
      mode: 'production', context: root, target: 'node20', entry: './main.js', output, optimization: { minimize: false },
      experiments: { outputModule: true }, plugins: [contentSpace(options)],
    })
    return new Promise((done) => compiler.run((error, stats) => compiler.close(() => {
      if (error) throw error
      console.log(stats.toString({ colors: false }))
      if (stats.hasErrors()) process.exitCode = 1
      done()
    })))
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

interface Ran {
  status: number
  output: string
}

/**
 * Builds projects one after another in one process, because loading a bundler takes longer than building. The last
 * failure ends the process, as an uncaught error does. Farm ends it after each failure, so the remaining projects get
 * another process.
 */
async function run(bundler: string, ...projects: Project[]): Promise<Ran[]> {
  const roots = projects.map(({ root }) => root)
  const { status, output } = await node([
    '--input-type=module',
    '--eval',
    `import contentSpace from 'unplugin-content-space/${bundler}'
    const roots = ${JSON.stringify(roots)}
    for (const root of roots) {
      const options = { ...${JSON.stringify(service.options)}, cacheDir: root + '/cache', lockfile: root + '/lock.json', types: false }
      const isLast = root === roots.at(-1)
      ${pack}
      try {
        ${scripts[bundler]}
      } catch (error) {
        if (isLast) throw error
        console.error(error)
        process.exitCode = 1
      }
      if (isLast) break
      for (const stream of [process.stdout, process.stderr]) stream.write('\\n-- ends with ' + (process.exitCode ?? 0) + ' --\\n')
      process.exitCode = 0
    }`,
  ])
  const [said = [], noted = []] = output.map((text) => text.split(/\n-- ends with (\d+) --\n/))
  const ran = projects.flatMap((_, at) => {
    const text = said[2 * at]
    return text === undefined ? [] : [{ status: Number(said[2 * at + 1] ?? status), output: `${text}${noted[2 * at]}` }]
  })
  return ran.length === projects.length ? ran : [...ran, ...(await run(bundler, ...projects.slice(ran.length)))]
}

/** Runs asynchronously, because the service runs in this process. */
function node(args: string[]): Promise<{ status: unknown; output: string[] }> {
  return new Promise((done) => {
    const env = { PATH: process.env['PATH'], NO_COLOR: '1' }
    execFile(
      process.execPath,
      args,
      { cwd: repository, timeout: 100_000, maxBuffer: 1e8, env },
      (error, stdout, stderr) => {
        done({ status: error?.code ?? 0, output: [stdout, stderr] })
      },
    )
  })
}

/** Some bundlers print colors even to a pipe, and Node prints indented lines of the source that throws. */
const findings = (output: string): string[] => steered(output.replaceAll('\t', ' '), true)

const asset = `content-space:asset/${hostileKit}@draft/nothing`
const cut = `${kit}?cut=eps`

test.each(Object.keys(scripts))(
  '%s prints a summary, warnings and errors without control sequences, and bundles the exact texts',
  async (bundler) => {
    const sources = [
      `import kit from '${kit}${queries[bundler] ?? ''}'; console.log(JSON.stringify(kit))`,
      `import kit from '${cut}'; console.log(kit)`,
      `import x from '${asset}'; console.log(x)`,
    ]
    const projects = await Promise.all(sources.map((source) => createProject({ 'main.js': source })))
    try {
      const [made = expect.fail(), ...failed] = await run(bundler, ...projects)
      expect({ status: made.status, findings: findings(made.output) }).toEqual({ status: 0, findings: [] })
      // Rollup and Rolldown don't print either by default.
      if (!bundler.startsWith('roll')) expect(made.output).toContain('evil.example')
      const bundled = JSON.parse((await node([join(projects[0]?.root ?? '', 'dist/main.js')])).output.join(''))
      expect(bundled.name).toBe(everything)
      const names = bundled.sections[0].items.flatMap(({ asset: one }: { asset?: { name: string } }) =>
        one ? [one.name] : [],
      )
      expect(names).toEqual([...hostileTexts, everything])
      expect(failed).toHaveLength(2)
      for (const [at, { status, output }] of failed.entries()) {
        expect(findings(output)).toEqual([])
        expect(output).toContain('u{1b}')
        expect(output).toContain(['eps', 'nothing'][at])
        expect(status).not.toBe(0)
      }
    } finally {
      await Promise.all(projects.map((one) => one.remove()))
    }
  },
  timeFor(2),
)

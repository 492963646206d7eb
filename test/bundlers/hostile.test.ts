import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { everything, hostileKit, hostileSpace, hostileTexts, steered } from '../support/hostile-texts.js'
import { serveSpace, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { createProject, type Project } from './driver.js'

/**
 * Builds of users, with the usual output of each bundler. `root` and `options` are in scope. A build that fails throws,
 * or sets the exit code.
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
  status: unknown
  output: string
}

/** Builds projects one after another in one process, because loading a bundler takes longer. A failure ends it. */
async function run(bundler: string, ...projects: Project[]): Promise<Ran[]> {
  const roots = projects.map(({ root }) => root)
  const { status, output } = await node([
    '--input-type=module',
    '--eval',
    `import contentSpace from 'unplugin-content-space/${bundler}'
    for (const root of ${JSON.stringify(roots)}) {
      if (root !== ${JSON.stringify(roots[0])})
        for (const stream of [process.stdout, process.stderr]) stream.write('\\n-- ends with ' + (process.exitCode ?? 0) + ' --\\n')
      const options = { ...${JSON.stringify(service.options)}, cacheDir: root + '/cache', lockfile: root + '/lock.json', types: false }
      ${pack}
      ${scripts[bundler]}
    }`,
  ])
  const [said = [], noted = []] = output.map((text) => text.split(/\n-- ends with (\d+) --\n/))
  return projects.map((_, at) => ({
    status: at === projects.length - 1 ? status : Number(said[2 * at + 1]),
    output: `${said[2 * at]}${noted[2 * at]}`,
  }))
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

/** Some bundlers print colors to a pipe as well, and Node prints indented lines of the source that throws. */
const findings = (output: string): string[] => steered(output.replaceAll('\t', ' '), true)

const asset = `content-space:asset/${hostileKit}@draft/nothing`
const cut = `${kit}?cut=eps`

function expectError({ status, output }: Ran): void {
  expect(findings(output)).toEqual([])
  expect(output).toContain('u{1b}')
  expect(status).not.toBe(0)
}

describe.each(Object.keys(scripts))('%s', (bundler) => {
  test(
    'prints a summary, warnings and an error without control sequences, and bundles the exact texts',
    async () => {
      const project = await createProject({
        'main.js': `import kit from '${kit}${queries[bundler] ?? ''}'; console.log(JSON.stringify(kit))`,
      })
      const failing = await createProject({ 'main.js': `import x from '${asset}'; console.log(x)` })
      try {
        const [{ status, output } = { status: undefined, output: '' }, failed] = await run(bundler, project, failing)
        expect({ status, findings: findings(output) }).toEqual({ status: 0, findings: [] })
        // Rollup and Rolldown print neither by default.
        if (!bundler.startsWith('roll')) expect(output).toContain('evil.example')
        const bundled = JSON.parse((await node([join(project.root, 'dist/main.js')])).output.join(''))
        expect(bundled.name).toBe(everything)
        const names = bundled.sections[0].items.flatMap(({ asset: one }: { asset?: { name: string } }) =>
          one ? [one.name] : [],
        )
        expect(names).toEqual([...hostileTexts, everything])
        expectError(failed ?? expect.fail())
      } finally {
        await Promise.all([project, failing].map((one) => one.remove()))
      }
    },
    timeFor(2),
  )

  test('prints an error without control sequences for a cut that no asset has', async () => {
    const project = await createProject({ 'main.js': `import kit from '${cut}'; console.log(kit)` })
    const [ran = expect.fail()] = await run(bundler, project)
    await project.remove()
    expectError(ran)
  })
})

import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { lockedSpace } from '../support/locked-space.js'
import { serveSpace, svg, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { createProject, type Project } from './driver.js'

/*
 * The cost of a rebuild after an edit of a module without content, counted instead of timed. The bundler reads modules
 * in another process or with other functions, so this package makes all calls that are counted.
 */

const pack = `({ mode: 'development', context: process.cwd(), entry: './main.js', devtool: false, plugins: [plugin(options)],
    infrastructureLogging: { level: 'error' } })
  compiler.watch({ aggregateTimeout: 20 }, (error, stats) => {
    if (error || stats.hasErrors()) throw error ?? new Error(stats.toString())
    built()
  })
  const close = () => new Promise((done) => compiler.close(done))`

const watchers = {
  vite: `
    const { build } = await import('vite')
    const watcher = await build({ configFile: false, logLevel: 'silent', plugins: [plugin(options)],
      build: { watch: {}, minify: false, rolldownOptions: { input: process.cwd() + '/main.js' } } })
    watcher.on('event', ({ code }) => code === 'END' && built())
    const close = () => watcher.close()`,
  webpack: `const compiler = (await import('webpack')).default${pack}`,
  rspack: `const compiler = (await import('@rspack/core')).rspack${pack}`,
  esbuild: `
    const { context } = await import('esbuild')
    const building = await context({ entryPoints: ['main.js'], bundle: true, format: 'esm', outdir: 'dist',
      logLevel: 'error', plugins: [plugin(options)] })
    edited = () => building.rebuild().then(built)
    await edited()
    const close = () => building.dispose()`,
}

type Bundler = keyof typeof watchers

/** Prints the calls of the last of several rebuilds, and the emitted drawings. */
const script = (bundler: Bundler, root: string, options: object) => `
  import fs from 'node:fs'
  import { join, relative } from 'node:path'
  import { syncBuiltinESMExports } from 'node:module'
  process.chdir(${JSON.stringify(root)})
  let calls = []
  const { readFileSync: read, writeFileSync: write } = fs
  const output = (end) => fs.readdirSync('dist', { recursive: true }).toSorted().filter((name) => name.endsWith(end))
    .map((name) => String(read(join('dist', name))))
  for (const from of [fs, fs.promises])
    for (const name of ['readFileSync', 'readFile', 'writeFileSync', 'writeFile', 'renameSync', 'rename']) {
      const call = from[name]
      if (call === undefined || (from === fs && !name.endsWith('Sync'))) continue
      from[name] = (path, ...rest) => {
        if (typeof path === 'string') calls.push(name.replace('Sync', '') + ' ' + relative('.', path))
        return call(path, ...rest)
      }
    }
  syncBuiltinESMExports()
  const options = ${JSON.stringify(options)}
  const { default: plugin } = await import('unplugin-content-space/${bundler}')
  let builds = 0
  let edited = () => {}
  const built = () => void builds++
  ${watchers[bundler]}
  const until = async (isDone) => {
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await until(() => builds > 0)
  for (const text of ['first', 'second']) {
    // Bundlers don't trust files that are as new as their last build.
    await new Promise((resolve) => setTimeout(resolve, 300))
    const before = builds
    calls = []
    write('plain.js', 'console.log("' + text + ' edit")')
    void edited()
    await until(() => builds > before && output('.js').join().includes(text + ' edit'))
  }
  calls = calls.filter((call) => !/ (?:dist|node_modules)[\\\\/]/.test(call))
  console.log('COUNTED ' + JSON.stringify({ calls, output: output('.svg') }))
  await close()
  process.exit(0)`

let space: SpaceFolder
let service: ServedSpace
let project: Project
beforeAll(async () => {
  space = await lockedSpace(20)
  service = await serveSpace(space.folder, { rateLimit: false })
  const modules = Array.from({ length: 10 }, (_, index): [string, string] => [`m${index}.js`, `console.log(${index})`])
  project = await createProject({
    ...Object.fromEntries(modules),
    'main.js': `import './plain.js'; import './pictures.js'; ${modules.map(([name]) => `import './${name}'`).join(';')}`,
    'plain.js': 'console.log("no edit")',
    'pictures.js':
      "import { asset00000, asset00001 } from 'content-space:kit/large'; console.log(asset00000, asset00001)",
  })
}, timeFor(1))
afterAll(async () => {
  await service.close()
  await Promise.all([space.remove(), project.remove()])
})

async function rebuild(bundler: Bundler): Promise<{ calls: string[]; output: string[] }> {
  const options = { ...service.options, cacheDir: join(project.root, '.cache'), rateLimit: false, refresh: false }
  const args = ['--input-type=module', '--eval', script(bundler, project.root, options)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: new URL('../..', import.meta.url) })
  return JSON.parse(/COUNTED (.*)/.exec(stdout)?.[1] ?? '')
}

/** The bundlers, and whether they start with the lockfile and the cache of the run before. */
const runs: [bundler: Bundler, isLocked: boolean][] = [
  ['vite', false],
  ['webpack', true],
  ['rspack', true],
  ['esbuild', false],
]

/** Modules that import content or were edited, and content. */
const necessary = /^readFile (?:pictures\.js|plain\.js|\.cache\/files-v\d+\/content\/.*)$/

test.each(runs)(
  'a rebuild with %s (locked: %s) writes nothing and reads no other modules',
  async (bundler, isLocked) => {
    const made = ['content-space.lock.json', 'content-space.d.ts', '.cache', 'dist']
    const removed = isLocked ? ['dist'] : made
    await Promise.all(removed.map((name) => rm(join(project.root, name), { recursive: true, force: true })))
    const { calls, output } = await rebuild(bundler)
    expect(calls.filter((call) => !necessary.test(call))).toEqual([])
    expect(output).toEqual([svg('asset-00000'), svg('asset-00001')])
  },
)

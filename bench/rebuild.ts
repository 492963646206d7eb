import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { launch } from '../test/browser/chromium.js'
import { createProject, type Project } from '../test/bundlers/driver.js'
import { lockedSpace } from '../test/support/locked-space.js'
import { svg } from '../test/support/space.js'
import { inTurn, ratio, type Side } from './compare.js'
import { serveScript } from './dev.js'
import { application } from './plain.js'
import { startScript, type Running } from './process.js'
import type { Row, Scale } from './report.js'
import { startService } from './service.js'

const rounds = { full: 7, quick: 2 }
/** The numbers of modules. Only the first number is used for Vite's page. */
const sizes = { full: [2000, 300], quick: [200] }
const names = [0, 1, 2, 3, 4].map((index) => `asset0000${index}`)
/** The module that is edited. */
const edited = 'src/m7.js'
/** How long to wait after a rebuild. What the bundler does in this time counts as processor time. */
const quietMilliseconds = 700

const pack = `compiler.watch({ aggregateTimeout: 20 }, (error, stats) => {
      if (error || stats.hasErrors()) throw error ?? new Error(stats.toString())
      console.log('built')
    })`

/** The settings of webpack and Rspack. */
const packOptions = `{ mode: 'development', context: process.cwd(), entry: './main.js', devtool: false,
      module: { rules: [{ test: /\\.svg$/, type: 'asset/resource' }] }, plugins }`

const watching = ['vite', 'webpack', 'rspack', 'esbuild'] as const

type Watcher = (typeof watching)[number]

/** Scripts that watch and print a line after each build. */
const watchers: Record<Watcher, string> = {
  vite: `const { build } = await import('vite')
    const watcher = await build({ configFile: false, logLevel: 'error', plugins,
      build: { watch: {}, minify: false, assetsInlineLimit: 0, rolldownOptions: { input: process.cwd() + '/main.js' } } })
    watcher.on('event', (event) => event.code === 'END' && console.log('built'))`,
  webpack: `const { default: webpack } = await import('webpack')
    const compiler = webpack(${packOptions})
    ${pack}`,
  rspack: `const { rspack } = await import('@rspack/core')
    const compiler = rspack(${packOptions})
    ${pack}`,
  // esbuild checks for changes every two seconds, so we request rebuilds instead.
  esbuild: `const { context } = await import('esbuild')
    const watching = await context({ entryPoints: ['main.js'], bundle: true, format: 'esm', outdir: 'dist', plugins,
      loader: { '.svg': 'file' }, logLevel: 'error' })
    const rebuild = () => watching.rebuild().then(() => console.log('built'))
    process.stdin.on('data', (text) => String(text) === 'rebuild\\n' && rebuild())
    await rebuild()`,
}

/**
 * Compares what follows an edit of a module without content between an application that displays five assets from a kit
 * of 1,000 and one that displays the same files from disk: rebuilds in bundlers' watch modes, and updates of a page in
 * Vite.
 */
export async function compareRebuilds(scale: Scale): Promise<Row[]> {
  const space = await lockedSpace(1000)
  const service = await startService(space.folder)
  const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  const options = { ...service.options, cacheDir, rateLimit: false, refresh: false }
  const rows: Row[] = []
  try {
    for (const count of sizes[scale]) {
      const [content, disk] = sources(count)
      const projects = [await createProject(content), await createProject(disk)] as const
      try {
        for (const bundler of watching) {
          const measured = await rebuilds(bundler, projects, options, rounds[scale])
          rows.push(row(`rebuild after an edit elsewhere, ${count} modules, watch, ${bundler}`, measured))
        }
        if (count === sizes[scale][0])
          rows.push(row('the same, HMR of Vite', await updates(projects, options, rounds[scale])))
      } finally {
        await Promise.all(projects.map((project) => project.remove()))
      }
    }
    return rows
  } finally {
    service.stop()
    await space.remove()
    await rm(cacheDir, { recursive: true, force: true })
  }
}

async function rebuilds(bundler: Watcher, projects: readonly [Project, Project], options: object, count: number) {
  const plugin = `const { default: plugin } = await import('unplugin-content-space/${bundler}')
    const plugins = [plugin(${JSON.stringify(options)})]`
  const running = await Promise.all([
    watch(bundler, projects[0], plugin),
    watch(bundler, projects[1], 'const plugins = []'),
  ])
  const sides = [
    rebuild('with', bundler, projects[0], running[0]),
    rebuild('without', bundler, projects[1], running[1]),
  ]
  const measured = await inTurn(`rebuild, ${bundler}`, sides, count, true)
  await Promise.all(running.map((one) => one.stop()))
  return measured
}

function row(work: string, measured: Awaited<ReturnType<typeof inTurn>>): Row {
  const figures = (['wall', 'cpu'] as const).map((what) => ({
    ...ratio(measured, 'with', 'without', what),
    target: 1.2,
  }))
  return { work: `${work}: time; processor time`, against: 'the same with files from disk', figures }
}

async function watch(bundler: Watcher, project: Project, plugins: string): Promise<Running> {
  const running = startScript(`${plugins}\n${watchers[bundler]}`, project.root)
  await running.read('built')
  // The first build writes the lockfile, which some bundlers mistake for a change.
  await wait(2000)
  return running
}

function rebuild(name: string, bundler: Watcher, project: Project, running: Running): Side {
  return {
    name,
    async run() {
      const before = await running.cpu()
      await edit(project)
      const started = performance.now()
      if (bundler === 'esbuild') running.say('rebuild')
      await running.read('built')
      const wall = performance.now() - started
      await wait(quietMilliseconds)
      return { wall, cpu: (await running.cpu()) - before }
    },
  }
}

/** Measures the time from an edit until the page has run the new module. */
async function updates(projects: readonly [Project, Project], options: object, count: number) {
  const browser = await launch()
  const servers = [
    startScript(serveScript(options), projects[0].root),
    startScript(serveScript(), projects[1].root),
  ] as const
  const side = async (name: string, project: Project, server: Running): Promise<Side> => {
    const page = await browser.newPage()
    let updated: (() => void) | undefined
    await page.exposeFunction('updated', () => updated?.())
    await page.goto(await server.read('url '), { waitUntil: 'load' })
    await wait(2000)
    return {
      name,
      async run() {
        const before = await server.cpu()
        const done = new Promise<void>((resolve) => void (updated = resolve))
        const started = performance.now()
        await edit(project)
        await done
        const wall = performance.now() - started
        await wait(quietMilliseconds)
        return { wall, cpu: (await server.cpu()) - before }
      },
    }
  }
  try {
    const sides = [await side('with', projects[0], servers[0]), await side('without', projects[1], servers[1])]
    return await inTurn('HMR of Vite', sides, count, true)
  } finally {
    await browser.close()
    await Promise.all(servers.map((server) => server.stop()))
  }
}

let edits = 0

async function edit({ root }: Project): Promise<void> {
  const path = join(root, edited)
  const text = await readFile(path, 'utf8')
  // Replace the file, as editors do, because a bundler would read a half-written file.
  await writeFile(`${root}.edit`, text.replace(/\/\/ edit .*$|$/, `// edit ${edits++}`))
  await rename(`${root}.edit`, path)
}

/** The application with five assets, and the same with files from disk. */
function sources(count: number): [Record<string, string>, Record<string, string>] {
  const files = application(count)
  files[edited] += `if (import.meta.hot) import.meta.hot.accept(() => window.updated())\n`
  files['index.html'] = '<!doctype html><body><script type="module" src="/main.js"></script></body>'
  files['main.js'] += `import list from './pictures.js'\nconsole.log(list)\n`
  const list = `export default [${names.join(', ')}]\n`
  return [
    { ...files, 'pictures.js': `import { ${names.join(', ')} } from 'content-space:kit/large'\n${list}` },
    {
      ...files,
      'pictures.js': names.map((name) => `import ${name} from './${name}.svg'\n`).join('') + list,
      ...Object.fromEntries(names.map((name) => [`${name}.svg`, svg(name)])),
    },
  ]
}

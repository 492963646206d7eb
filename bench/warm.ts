import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { createProject, type Project } from '../test/bundlers/driver.js'
import { lockedSpace } from '../test/support/locked-space.js'
import { svg } from '../test/support/space.js'
import { inTurn, median, printTable, ratio, type Side } from './compare.js'
import { startService, type Service } from './service.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const names = [0, 1, 2, 3, 4].map((index) => `asset0000${index}`)
const rounds = 7

/** The largest ratio of processor time, by bundler and by the size of the kit. */
const targets: Record<string, Record<number, number>> = {
  vite: { 1000: 1.15, 10_000: 1.25 },
  esbuild: { 1000: 1.3, 10_000: 1.5 },
}

/** Build a project, with the file that the bundler starts from and plugins. */
const builds: Record<string, string> = {
  vite: `const { build } = await import('vite')
    const input = process.cwd() + '/' + entry
    await build({ configFile: false, logLevel: 'error', plugins,
      build: { assetsInlineLimit: 0, rollupOptions: { input }, outDir: 'dist', emptyOutDir: true } })`,
  esbuild: `const { build } = await import('esbuild')
    await build({ entryPoints: [entry], bundle: true, outdir: 'dist', plugins, logLevel: 'error',
      loader: { '.svg': 'file' } })`,
}

const usage = v.object({ cpu: v.number(), memory: v.number() })

/**
 * Compares warm builds that use five assets of a locked kit with builds that import the same five files from disk. Each
 * is a process from its start to its end. Processor time is compared, because other work of the machine changes it less.
 */
export async function compareWarm(): Promise<void> {
  const rows = [['5 assets : the same files from disk', 'target', 'now', 'memory, more than from disk']]
  for (const size of [1000, 10_000]) {
    const space = await lockedSpace(size)
    const service = await startService(space.folder)
    try {
      for (const bundler of Object.keys(builds)) rows.push(await compare(bundler, size, service))
    } finally {
      service.child.kill()
      await space.remove()
    }
  }
  printTable(rows)
}

async function compare(bundler: string, size: number, service: Service): Promise<string[]> {
  const project = await createProject(sources())
  const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  try {
    const peaks = new Map<string, number[]>()
    const side = (name: string, entry: string, plugins: string): Side => ({
      name,
      async run() {
        const { cpu, memory } = await measure(project, `${plugins}; const entry = '${entry}'; ${builds[bundler]}`)
        peaks.set(name, [...(peaks.get(name) ?? []), memory])
        return cpu
      },
    })
    const options = JSON.stringify({ ...service.options, cacheDir, rateLimit: false })
    const load = `const { default: plugin } = await import('unplugin-content-space/${bundler}')`
    const measured = await inTurn(
      [
        side('warm', 'content.js', `${load}; const plugins = [plugin(${options})]`),
        side('disk', 'disk.js', 'const plugins = []'),
      ],
      rounds,
      true,
    )
    const more = median(peaks.get('warm') ?? []) - median(peaks.get('disk') ?? [])
    const target = String(targets[bundler]?.[size])
    return [
      `${bundler}, 5 of ${size.toLocaleString('en')}`,
      target,
      ratio(measured, 'warm', 'disk'),
      `${Math.round(more)} MB`,
    ]
  } finally {
    await project.remove()
    await rm(cacheDir, { recursive: true, force: true })
  }
}

function sources(): Record<string, string> {
  const files = names.map((name) => [`${name}.svg`, svg(name)])
  const imports = names.map((name) => `import ${name} from './${name}.svg'\n`).join('')
  const use = `console.log([${names.join(', ')}])\n`
  return {
    ...Object.fromEntries(files),
    'disk.js': imports + use,
    'content.js': `import { ${names.join(', ')} } from 'content-space:kit/large'\n${use}`,
  }
}

/** Runs a script in the project, with the packages of the repository. Returns milliseconds and megabytes. */
async function measure({ root: folder }: Project, script: string): Promise<v.InferOutput<typeof usage>> {
  const code = `process.chdir(${JSON.stringify(folder)})
    ${script}
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    console.log(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, memory: maxRSS / 1024 }))`
  const args = ['--input-type=module', '--eval', code]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 120_000 })
  return v.parse(usage, JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProject } from '../test/bundlers/driver.js'
import { lockedSpace } from '../test/support/locked-space.js'
import { svg } from '../test/support/space.js'
import { inTurn, middle, ratio, type Side } from './compare.js'
import { runScript } from './process.js'
import type { Row, Scale } from './report.js'
import { startService, type Service } from './service.js'

const names = [0, 1, 2, 3, 4].map((index) => `asset0000${index}`)
const rounds = { full: 7, quick: 3 }
const sizes = { full: [1000, 10_000], quick: [1000] }

/** The largest ratio of processor time, by bundler and by the size of the kit. */
const targets: Record<string, Record<number, number>> = {
  vite: { 1000: 1.15, 10_000: 1.25 },
  esbuild: { 1000: 1.3, 10_000: 1.5 },
}

/** Build a project, with the file that the bundler starts from and plugins. */
export const builds: Record<string, string> = {
  vite: `const { build } = await import('vite')
    const input = process.cwd() + '/' + entry
    await build({ configFile: false, logLevel: 'error', plugins,
      build: { assetsInlineLimit: 0, rollupOptions: { input }, outDir: 'dist', emptyOutDir: true } })`,
  esbuild: `const { build } = await import('esbuild')
    await build({ entryPoints: [entry], bundle: true, outdir: 'dist', plugins, logLevel: 'error',
      loader: { '.svg': 'file' } })`,
}

/**
 * Compares warm builds that use five assets of a locked kit with builds that import the same five files from disk. Each
 * is a process from its start to its end. Processor time is compared, because other work of the machine changes it less.
 */
export async function compareWarm(scale: Scale): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes[scale]) {
    const space = await lockedSpace(size)
    const service = await startService(space.folder)
    try {
      for (const bundler of Object.keys(builds)) rows.push(await compare(bundler, size, service, rounds[scale]))
    } finally {
      service.stop()
      await space.remove()
    }
  }
  return rows
}

async function compare(bundler: string, size: number, service: Service, count: number): Promise<Row> {
  const project = await createProject(sources())
  const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  try {
    const side = (name: string, entry: string, plugins: string): Side => ({
      name,
      run: () => runScript(`${plugins}; const entry = '${entry}'; ${builds[bundler]}`, { cwd: project.root }),
    })
    const options = JSON.stringify({ ...service.options, cacheDir, rateLimit: false })
    const load = `const { default: plugin } = await import('unplugin-content-space/${bundler}')`
    const measured = await inTurn(
      [
        side('warm', 'content.js', `${load}; const plugins = [plugin(${options})]`),
        side('disk', 'disk.js', 'const plugins = []'),
      ],
      count,
      true,
    )
    const more = middle(measured, 'warm', 'memory') - middle(measured, 'disk', 'memory')
    return {
      work: `warm, 5 of ${size.toLocaleString('en')} (${bundler}): processor time; memory, more`,
      against: 'the same files from disk',
      figures: [
        { now: ratio(measured, 'warm', 'disk', 'cpu'), target: targets[bundler]?.[size] ?? Number.NaN },
        { now: more, unit: 'MB', target: 60 },
      ],
    }
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

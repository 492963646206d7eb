import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProject } from '../test/bundlers/driver.js'
import { lockedSpace } from '../test/support/locked-space.js'
import { runBuild } from './builds.js'
import { inTurn, middle, type Usage } from './compare.js'
import { plot, type Panel } from './plot.js'
import { printTable, type Row, type Scale } from './report.js'
import { repository } from './settings.js'
import { startService, type Service } from './service.js'

interface Case {
  /** The number of assets in the kit. */
  assets: number
  /** How many of them a build uses by name. */
  used: number
}

interface Measurement extends Case {
  cold: Required<Usage>
  warm: Required<Usage>
}

const rounds = { full: 3, quick: 1 }
/** Five assets of growing kits, and growing parts of one kit. */
const sizes = { full: [100, 1000, 10_000, 50_000], quick: [100, 1000] }
const parts = { full: [1, 5, 50, 500], quick: [50] }
const kitOfParts = 1000

/**
 * Measures cold and warm builds with Vite of five assets from growing kits, and of growing parts of a kit. A full run
 * writes its plots to `growth.svg`.
 */
export async function compareGrowth(scale: Scale): Promise<Row[]> {
  const bySize: Measurement[] = []
  const byPart: Measurement[] = []
  for (const assets of sizes[scale]) {
    const space = await lockedSpace(assets)
    const service = await startService(space.folder)
    try {
      bySize.push(await measure(service, { assets, used: 5 }, rounds[scale]))
      if (assets !== kitOfParts) continue
      for (const used of parts[scale]) byPart.push(await measure(service, { assets, used }, rounds[scale]))
    } finally {
      service.stop()
      await space.remove()
    }
  }
  printMeasurements([...bySize, ...byPart])
  const panels = [
    ...panelsOf(bySize, 'assets', 'assets in the kit, 5 of them used'),
    ...panelsOf(byPart, 'used', `assets used, of ${kitOfParts.toLocaleString('en')}`),
  ]
  if (scale === 'full') await writeFile(join(repository, 'bench/growth.svg'), plot(panels))
  return []
}

/** Builds in new processes. Removes the cache and the lockfile before each cold build. */
async function measure(service: Service, { assets, used }: Case, count: number): Promise<Measurement> {
  const names = Array.from({ length: used }, (_, index) => `asset${String(index).padStart(5, '0')}`)
  const project = await createProject({
    'main.js': `import { ${names.join(', ')} } from 'content-space:kit/large'\nconsole.log([${names.join(', ')}])\n`,
  })
  const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  const options = { ...service.options, cacheDir, rateLimit: false }
  const build = (): Promise<Usage> => runBuild('vite', project.root, 'main.js', options)
  async function clear(): Promise<void> {
    const made = ['content-space.lock.json', 'content-space.d.ts'].map((path) => join(project.root, path))
    await Promise.all([cacheDir, ...made].map((path) => rm(path, { recursive: true, force: true })))
  }
  try {
    const sides = [
      { name: 'cold', run: () => clear().then(build) },
      { name: 'warm', run: build },
    ]
    const measured = await inTurn(`${used} of ${assets}`, sides, count, true)
    const usage = (name: string): Required<Usage> => ({
      wall: middle(measured, name),
      cpu: middle(measured, name, 'cpu'),
      memory: middle(measured, name, 'memory'),
    })
    return { assets, used, cold: usage('cold'), warm: usage('warm') }
  } finally {
    await project.remove()
    await rm(cacheDir, { recursive: true, force: true })
  }
}

function printMeasurements(all: readonly Measurement[]): void {
  const head = ['cold', 'warm'].flatMap((name) => [`${name}: time`, 'processor time', 'memory'])
  printTable([
    ['assets', 'used', ...head],
    ...all.map(({ assets, used, cold, warm }) => [
      assets.toLocaleString('en'),
      String(used),
      ...cells(cold),
      ...cells(warm),
    ]),
  ])
}

function panelsOf(all: readonly Measurement[], by: keyof Case, label: string): Panel[] {
  const lines = (what: 'wall' | 'memory', factor: number): Panel['lines'] =>
    (['cold', 'warm'] as const).map((name) => ({
      name,
      points: all.map((one): [number, number] => [one[by], one[name][what] * factor]),
    }))
  return [
    { x: label, y: 'time of a build in s', lines: lines('wall', 0.001) },
    { x: label, y: 'peak memory in MB', lines: lines('memory', 1) },
  ]
}

function cells({ wall, cpu, memory }: Required<Usage>): string[] {
  return [seconds(wall), seconds(cpu), `${Math.round(memory)} MB`]
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}

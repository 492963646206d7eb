import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProject } from '../test/bundlers/driver.js'
import { lockedSpace } from '../test/support/locked-space.js'
import { buildScript } from './builds.js'
import { inTurn, middle, ratio, type Side } from './compare.js'
import { fiveAssets } from './five-assets.js'
import { runScript } from './process.js'
import type { Row, Scale } from './report.js'
import { startService, type Service } from './service.js'

const rounds = { full: 7, quick: 2 }
const sizes = { full: [1000, 10_000], quick: [1000] }

/** The largest ratio of processor time, by bundler and by the size of the kit. */
const targets = {
  vite: { small: 1.15, large: 1.25 },
  esbuild: { small: 1.3, large: 1.5 },
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
      for (const bundler of ['vite', 'esbuild'] as const)
        rows.push(await compare(bundler, size, service, rounds[scale]))
    } finally {
      service.stop()
      await space.remove()
    }
  }
  return rows
}

async function compare(bundler: keyof typeof targets, size: number, service: Service, count: number): Promise<Row> {
  const project = await createProject(fiveAssets())
  const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  try {
    const side = (name: string, entry: string, options?: object): Side => ({
      name,
      run: () => runScript(buildScript(bundler, entry, options), { cwd: project.root }),
    })
    const options = { ...service.options, cacheDir, rateLimit: false }
    const measured = await inTurn([side('warm', 'content.js', options), side('disk', 'disk.js')], count, true)
    const more = middle(measured, 'warm', 'memory') - middle(measured, 'disk', 'memory')
    return {
      work: `warm, 5 of ${size.toLocaleString('en')} (${bundler}): processor time; memory, more`,
      against: 'the same files from disk',
      figures: [
        {
          now: ratio(measured, 'warm', 'disk', 'cpu'),
          target: size === 1000 ? targets[bundler].small : targets[bundler].large,
        },
        { now: more, unit: 'MB', target: 60 },
      ],
    }
  } finally {
    await project.remove()
    await rm(cacheDir, { recursive: true, force: true })
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProject } from '../test/bundlers/driver.js'
import { lockedSpace } from '../test/support/locked-space.js'
import { runBuild } from './builds.js'
import { inTurn, middle, ratio, type Side } from './compare.js'
import { fiveAssets } from './five-assets.js'
import type { Row, Scale } from './report.js'
import { startService, type Service } from './service.js'

const rounds = { full: 7, quick: 2 }
const sizes = { full: [1000, 10_000], quick: [1000] }

const targets = { vite: 1.1, esbuild: 1.25 }

/**
 * Compares warm builds that use five assets of a locked kit with builds that import the same five files from disk. Each
 * is a process that is measured from start to end.
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
      run: () => runBuild(bundler, project.root, entry, options),
    })
    const options = { ...service.options, cacheDir, rateLimit: false }
    const sides = [side('warm', 'content.js', options), side('disk', 'disk.js')]
    const measured = await inTurn(`warm, 5 of ${size}, ${bundler}`, sides, count, true)
    const more = middle(measured, 'warm', 'memory') - middle(measured, 'disk', 'memory')
    return {
      work: `warm, 5 of ${size.toLocaleString('en')} (${bundler}): time; processor time; memory, more`,
      against: 'the same files from disk',
      figures: [
        { ...ratio(measured, 'warm', 'disk'), target: targets[bundler] },
        { ...ratio(measured, 'warm', 'disk', 'cpu'), target: targets[bundler] },
        { now: more, unit: 'MB', target: 60 },
      ],
    }
  } finally {
    await project.remove()
    await rm(cacheDir, { recursive: true, force: true })
  }
}

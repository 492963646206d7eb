import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProject, type Project } from '../test/bundlers/driver.js'
import { lockedSpace } from '../test/support/locked-space.js'
import { runBuild } from './builds.js'
import { inTurn, middle, timed, type Usage } from './compare.js'
import { printTable, ratioText, type Row, type Scale } from './report.js'
import { startService, type Service } from './service.js'

const rounds = { full: 5, quick: 1 }
const together = { full: [1, 4, 16], quick: [1, 4] }
const assets = 200
const used = 50
/** In milliseconds. */
const latency = 5

/**
 * Measures concurrent builds that share one cache, which is empty or full. They can't end before the cores have done
 * their work, and not before a single build would end.
 */
export async function compareConcurrency(scale: Scale): Promise<Row[]> {
  const space = await lockedSpace(assets)
  const service = await startService(space.folder, latency)
  const details = [['builds at once', 'cache', 'time : limit of the cores', 'downloads', 'other requests']]
  const rows: Row[] = []
  const alone = new Map<string, number>()
  try {
    for (const count of together[scale]) {
      for (const cache of ['cold', 'warm'] as const) {
        const { wall, cpu, downloads, others } = await measure(service, count, cache, rounds[scale])
        const least = alone.get(cache) ?? wall
        alone.set(cache, least)
        const now = wall / Math.max(least, cpu / availableParallelism())
        details.push([String(count), cache, ratioText(now), String(downloads), String(others)])
        if (downloads !== (cache === 'cold' ? used : 0)) throw new Error(`${count} builds sent ${downloads} downloads.`)
        if (count > 1)
          rows.push({
            work: `${count} builds at once, ${cache}`,
            against: 'processor time of all, divided by the cores',
            figures: [{ now, target: 1.1 }],
          })
      }
    }
    printTable(details)
    return rows
  } finally {
    service.stop()
    await space.remove()
  }
}

/** @returns medians; `cpu` is the sum over all builds */
async function measure(service: Service, count: number, cache: 'cold' | 'warm', times: number) {
  const names = Array.from({ length: used }, (_, index) => `asset${String(index).padStart(5, '0')}`)
  const main = `import { ${names.join(', ')} } from 'content-space:kit/large'\nconsole.log([${names.join(', ')}])\n`
  const projects = await Promise.all(Array.from({ length: count }, () => createProject({ 'main.js': main })))
  const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  const options = { ...service.options, cacheDir, rateLimit: false }
  let paths: string[] = []
  async function run(): Promise<Usage> {
    if (cache === 'cold') await clear(projects, cacheDir)
    await service.requests()
    let cpu = 0
    const { wall } = await timed(async () => {
      const all = await Promise.all(projects.map(({ root }) => runBuild('vite', root, 'main.js', options)))
      cpu = all.reduce((sum, one) => sum + one.cpu, 0)
    })
    paths = await service.requests()
    return { wall, cpu }
  }
  try {
    // The first round fills the cache.
    await run()
    const measured = await inTurn(`${count} builds at once`, [{ name: cache, run }], times)
    const downloads = paths.filter((path) => path.includes('/download')).length
    const others = paths.length - downloads
    return { wall: middle(measured, cache), cpu: middle(measured, cache, 'cpu'), downloads, others }
  } finally {
    await Promise.all(projects.map((project) => project.remove()))
    await rm(cacheDir, { recursive: true, force: true })
  }
}

async function clear(projects: readonly Project[], cacheDir: string): Promise<void> {
  const made = projects.flatMap(({ root }) =>
    ['content-space.lock.json', 'content-space.d.ts'].map((path) => join(root, path)),
  )
  await Promise.all([cacheDir, ...made].map((path) => rm(path, { recursive: true, force: true })))
}

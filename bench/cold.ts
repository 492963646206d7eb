import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProject } from '../test/bundlers/driver.js'
import { lockedSpace } from '../test/support/locked-space.js'
import { runBuild } from './builds.js'
import { inTurn, middle, ratio, type Measured, type Usage } from './compare.js'
import { fiveAssets } from './five-assets.js'
import { runNode } from './process.js'
import type { Row, Scale } from './report.js'
import { startService, type Service } from './service.js'

const bare = fileURLToPath(new URL('cold/bare.js', import.meta.url))
const bundlers = ['vite', 'esbuild'] as const
type Bundler = (typeof bundlers)[number]
const rounds = { full: 7, quick: 2 }
/** The number of concurrent requests, which is the option's default. */
const concurrency = 32
/** In milliseconds. */
const latency = 20

/**
 * Compares cold builds that use five assets of a kit with clients that only send the requests of such a build. Both are
 * processes that are measured from start to end, and the service is a separate process. Processor time and memory are
 * compared with a client that parses the answers, and time with a client that sends the requests in the order in which
 * they depend on each other. Because a client doesn't load a bundler, time is also compared with the sum of the same
 * client and a build of the same files from disk, which is the minimum that a cold build needs.
 */
export async function compareCold(scale: Scale): Promise<Row[]> {
  const large = await measure('cold, large', scale === 'full' ? 10_000 : 500, 0, scale, (paths) => [paths])
  const far = await measure('cold, far', 1000, latency, scale, necessaryOrder)
  const locked = await measureLocked(scale === 'full' ? 10_000 : 500, scale)
  return [
    ...bundlers.map((bundler) => ({
      work: `cold, 5 of ${large.size.toLocaleString('en')} (${bundler}): processor time; memory`,
      against: 'a bare client that makes the same requests and parses the JSON',
      figures: [
        { ...ratio(large.measured, bundler, 'bare', 'cpu'), target: 5 },
        { now: middle(large.measured, bundler, 'memory'), target: 200, unit: 'MB' as const },
      ],
    })),
    ...bundlers.map((bundler) => ({
      work: `cold, 5 of 1,000, ${latency} ms of latency (${bundler})`,
      against: 'the necessary requests in their necessary order',
      figures: [{ ...ratio(far.measured, bundler, 'bare'), target: 1.3 }],
    })),
    ...bundlers.map((bundler) => ({
      work: `the same (${bundler})`,
      against: 'these requests, and after them a build of the same files from disk',
      figures: [{ ...ratio(far.measured, bundler, ['bare', `${bundler}, disk`]), target: 1.15 }],
    })),
    ...bundlers.map((bundler) => ({
      work: `cold and locked, 5 of ${locked.size.toLocaleString('en')} at ${latency} ms (${bundler}): time; processor time`,
      against: 'its five downloads, and after them a build from disk',
      figures: (['wall', 'cpu'] as const).map((what) => ({
        ...ratio(locked.measured, bundler, ['bare', `${bundler}, disk`], what),
        target: 1.2,
      })),
    })),
  ]
}

/** Measures builds with a lockfile and an empty cache, which request only their files. */
async function measureLocked(size: number, scale: Scale): Promise<{ size: number; measured: Measured[] }> {
  const space = await lockedSpace(size)
  const service = await startService(space.folder, latency)
  const first = await createProject(fiveAssets())
  try {
    await runBuild('esbuild', first.root, 'content.js', { ...service.options, cacheDir: join(first.root, 'cache') })
    const lock = await readFile(join(first.root, 'content-space.lock.json'), 'utf8')
    await service.requests()
    await build('esbuild', service, lock)
    const paths = await service.requests()
    if (paths.length !== 5) throw new Error(`A locked build sent other requests: ${paths.join(', ')}`)
    const sides = [
      ...bundlers.map((name) => ({ name, run: () => build(name, service, lock) })),
      ...bundlers.map((name) => ({ name: `${name}, disk`, run: () => build(name) })),
      { name: 'bare', run: () => sendRequests(service, [paths]) },
    ]
    return { size, measured: await inTurn('cold and locked', sides, rounds[scale]) }
  } finally {
    service.stop()
    await Promise.all([first.remove(), space.remove()])
  }
}

async function measure(
  title: string,
  size: number,
  delay: number,
  scale: Scale,
  order: (paths: readonly string[]) => readonly (readonly string[])[],
): Promise<{ size: number; measured: Measured[] }> {
  const space = await lockedSpace(size)
  const service = await startService(space.folder, delay)
  try {
    // This also fills the service's memory.
    await build('esbuild', service)
    await service.requests()
    await build('esbuild', service)
    const phases = order(await service.requests())
    const sides = [
      ...bundlers.map((name) => ({ name, run: () => build(name, service) })),
      ...bundlers.map((name) => ({ name: `${name}, disk`, run: () => build(name) })),
      { name: 'bare', run: () => sendRequests(service, phases) },
    ]
    return { size, measured: await inTurn(title, sides, rounds[scale]) }
  } finally {
    service.stop()
    await space.remove()
  }
}

/**
 * Builds a new project, either with an empty cache or, without a service, from files on disk.
 * @param lock the lockfile
 */
async function build(bundler: Bundler, service?: Service, lock?: string): Promise<Usage> {
  const project = await createProject({ ...fiveAssets(), ...(lock && { 'content-space.lock.json': lock }) })
  const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  try {
    // With a lockfile, as in CI.
    const frozen = lock !== undefined
    const options = service && { ...service.options, cacheDir, rateLimit: false, frozen }
    const entry = service ? 'content.js' : 'disk.js'
    return await runBuild(bundler, project.root, entry, options)
  } finally {
    await project.remove()
    await rm(cacheDir, { recursive: true, force: true })
  }
}

export function sendRequests({ options }: Service, phases: readonly (readonly string[])[]): Promise<Usage> {
  const { space, spaceId, token } = options
  const authorization = `Basic ${Buffer.from(`${spaceId}:${token}`).toString('base64')}`
  return runNode([bare], { input: JSON.stringify({ service: space, authorization, concurrency, phases }) })
}

/**
 * Matches requests by what must be known before they can be sent: nothing, the kit, its version, its sections, the
 * number of the first page, which the interface leaves open, the number of pages, and the assets.
 */
const dependencies: ((path: string) => boolean)[] = [
  (path) => path.endsWith('/kits/'),
  (path) => path.includes('include='),
  (path) => path.includes('/outline/'),
  (path) => path.includes('/sections/') && !path.includes('page='),
  (path) => path.endsWith('page=1'),
  (path) => path.includes('page=') && !path.endsWith('page=1'),
  (path) => path.includes('/download'),
]

/** Divides requests into phases. Each phase needs the answers of the previous one. */
function necessaryOrder(paths: readonly string[]): string[][] {
  const phases = dependencies.map((isOf) => paths.filter(isOf))
  if (phases.flat().length !== paths.length) throw new Error(`Unknown requests: ${paths.join(', ')}`)
  return phases
}

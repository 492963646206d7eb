import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { soon } from '../support/long.js'
import type { ServedRequest } from '../../src/commands/serve/server.js'
import { project } from '../support/cli.js'
import { serveSpace, svg, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'

let space: SpaceFolder
let service: ServedSpace
/** Resolves once all processes have requested kits. */
let started: () => Promise<unknown> = async () => {}

/** If a process started late, it would find a listing from before its start and list again. */
const onRequest = ({ route }: ServedRequest) => (route === 'outline' ? started() : undefined)

beforeEach(async () => {
  const marks = Array.from({ length: 200 }, (_, at) => {
    const name = `asset-${String(at).padStart(5, '0')}`
    return [`large/versions/1/0${1 + (at % 4)} Section ${1 + (at % 4)}/${name}.svg`, svg(name)] as const
  })
  const version = { version: 1, folder: 'versions/1' }
  space = await writeSpace({ 'large/kit.json': { use_version: 1, versions: [version] }, ...Object.fromEntries(marks) })
  service = await serveSpace(space.folder, { rateLimit: false, latency: 50, onRequest })
})
afterEach(async () => {
  await service.close()
  await space.remove()
})

/**
 * Runs `sync` concurrently in new projects that share an empty cache.
 * @returns the requests of the listing, sorted
 */
async function syncTogether(kit: string, count: number): Promise<string[]> {
  const cache = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  const env = {
    CONTENT_SPACE_URL: service.url,
    CONTENT_SPACE_ID: String(service.spaceId),
    CONTENT_SPACE_TOKEN: service.token,
    CONTENT_SPACE_CACHE: cache,
  }
  const main = `import { asset00001, asset00002 } from 'content-space:kit/${kit}'\nconsole.log(asset00001, asset00002)\n`
  const projects = await Promise.all(Array.from({ length: count }, () => project({ 'main.js': main }, env)))
  service.requests.length = 0
  const asked = () => service.requests.filter(({ route }) => route === 'kits').length
  started = () => vi.waitUntil(() => asked() === count, soon)
  try {
    const ran = await Promise.all(projects.map((one) => one.runProcess('sync')))
    expect(ran.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(projects.map(() => ''))
    const locks = projects.map(({ root }) => readFile(join(root, 'content-space.lock.json'), 'utf8'))
    expect(new Set(await Promise.all(locks)).size).toBe(1)
    expect(service.downloads()).toHaveLength(2)
  } finally {
    await Promise.all(projects.map((one) => one.remove()))
    await rm(cache, { recursive: true, force: true })
  }
  // Each process requests the list of kits and the version in use, because the cache can't know them.
  const listing = service.requests.filter(({ route }) => route === 'outline' || route === 'section')
  return listing.map(({ path }) => path).toSorted()
}

test.each(['large', 'large@1'])('of four processes at once, one lists %s', async (kit) => {
  const alone = await syncTogether(kit, 1)
  expect(alone.length).toBeGreaterThan(4)
  expect(await syncTogether(kit, 4)).toEqual(alone)
})

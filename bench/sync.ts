import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockedSpace } from '../test/support/locked-space.js'
import { sendRequests } from './cold.js'
import { inTurn, middle, ratio, type Usage } from './compare.js'
import { fiveAssets } from './five-assets.js'
import { cli, runNode } from './process.js'
import type { Row, Scale } from './report.js'
import { startService, type Service } from './service.js'

const rounds = { full: 5, quick: 2 }
const sizes = { full: 10_000, quick: 1000 }

/**
 * Compares the first `sync` of a project that uses five assets of a kit with a client that sends the same requests and
 * parses the JSON. Both are processes that are measured from start to end.
 */
export async function compareSync(scale: Scale): Promise<Row[]> {
  const size = sizes[scale]
  const space = await lockedSpace(size)
  const service = await startService(space.folder)
  try {
    await sync(service)
    await service.requests()
    await sync(service)
    const paths = await service.requests()
    const sides = [
      { name: 'sync', run: () => sync(service) },
      { name: 'bare', run: () => sendRequests(service, [paths]) },
    ]
    const measured = await inTurn('sync', sides, rounds[scale])
    return [
      {
        work: `first \`sync\`, 5 of ${size.toLocaleString('en')}: processor time; memory`,
        against: 'a bare client that makes the same requests and parses the JSON',
        figures: [
          { ...ratio(measured, 'sync', 'bare', 'cpu'), target: 5 },
          { now: middle(measured, 'sync', 'memory'), target: 200, unit: 'MB' },
        ],
      },
    ]
  } finally {
    service.stop()
    await space.remove()
  }
}

async function sync({ options }: Service): Promise<Usage> {
  const root = await mkdtemp(join(tmpdir(), 'content-space-sync-'))
  const env = {
    CONTENT_SPACE_URL: options.space,
    CONTENT_SPACE_ID: String(options.spaceId),
    CONTENT_SPACE_TOKEN: options.token,
    CONTENT_SPACE_CACHE: join(root, 'cache'),
  }
  try {
    await writeFile(join(root, 'main.js'), fiveAssets()['content.js'] ?? '')
    return await runNode([cli(), 'sync'], { cwd: root, env })
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

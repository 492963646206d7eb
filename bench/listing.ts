import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockedSpace } from '../test/support/locked-space.js'
import { inTurn, middle, type Usage } from './compare.js'
import { startDistance } from './distance.js'
import { cli, runNode } from './process.js'
import type { Row, Scale } from './report.js'
import { startService, type Service } from './service.js'

/** A typical office line: bits per second, and milliseconds there and back. */
const line = { bits: 50e6, milliseconds: 40 }
const rounds = { full: 5, quick: 2 }
const encodings = ['identity', 'gzip'] as const

/**
 * Compares the first `ls` of a kit over a slow line, with a process that is measured from start to end, between a
 * service that compresses listings and one that doesn't.
 */
export async function compareListings(scale: Scale): Promise<Row[]> {
  const count = scale === 'full' ? 10_000 : 1000
  const space = await lockedSpace(count)
  const ends: (() => void)[] = []
  try {
    const sides = []
    for (const encoding of encodings) {
      const service = await startService(space.folder, 0, encoding)
      const far = await startDistance(Number(new URL(service.options.space).port), line.milliseconds, line.bits)
      ends.push(
        () => service.stop(),
        () => far.close(),
      )
      sides.push({ name: encoding, run: () => list(service, far.port) })
    }
    const measured = await inTurn('first `ls`', sides, rounds[scale], true)
    const [plain, packed] = encodings.map((name) => middle(measured, name) / 1000)
    return [
      {
        work: `first \`ls\` of ${count.toLocaleString('en')} over 50 Mbit/s and 40 ms: compressed; as it is`,
        against: '',
        figures: [
          { now: packed ?? Number.NaN, unit: 's' },
          { now: plain ?? Number.NaN, unit: 's' },
        ],
      },
    ]
  } finally {
    for (const end of ends) end()
    await space.remove()
  }
}

async function list({ options }: Service, port: number): Promise<Usage> {
  const root = await mkdtemp(join(tmpdir(), 'content-space-listing-'))
  const env = {
    CONTENT_SPACE_URL: `http://127.0.0.1:${port}`,
    CONTENT_SPACE_ID: String(options.spaceId),
    CONTENT_SPACE_TOKEN: options.token,
    CONTENT_SPACE_CACHE: join(root, 'cache'),
  }
  try {
    return await runNode([cli(), 'ls', 'large', '--json'], { cwd: root, env })
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tempFolder } from '../support/files.js'
import { runs } from '../support/long.js'
import { heavy, svg } from '../support/svg-corpus.js'
import type { Cost } from './svg-heavy.js'

const script = fileURLToPath(new URL('./svg-heavy.ts', import.meta.url))
const folder = await tempFolder()
let child: ChildProcess
let drawings = 0

beforeAll(async () => {
  child = fork(script, { execArgv: ['--import', 'jiti/register', '--expose-gc'] })
  await once(child, 'message')
  for (const query of ['', 'raw', 'format=png']) await cost(svg(''), query)
})
afterAll(() => child.disconnect())

async function cost(drawing: string, query: string): Promise<Cost> {
  const uuid = String(drawings++)
  const path = join(folder, `${uuid}.svg`)
  await writeFile(path, drawing)
  child.send({ path, query, uuid })
  const [answer] = await once(child, 'message')
  return answer
}

const megabyte = 1024 * 1024

const queries = ['', 'raw', 'raw&svgo', 'format=png']

/**
 * Drawings that keep a conversion busy for seconds if they are more than checked. That affects the conversion's process
 * and not this one, so short runs convert only one of them (references).
 */
const slow = ['flat paths', 'attributes of as many', 'animated attributes', 'links to each other']

/**
 * Short runs request each drawing in one way, and long runs in all ways. `growth.test.ts` tests the sanitizer itself.
 */
const cases = Object.entries(heavy).flatMap(([name, draw], at) =>
  Array.from({ length: runs(1, queries.length) }, (_, turn) => {
    const first = slow.includes(name) ? 0 : at
    return [name, queries[(first + turn) % queries.length] ?? '', draw] as const
  }),
)

test.each(cases)('a drawing with 100,000 parts costs this process little: %s, as ?%s', async (_, query, draw) => {
  const { answer, used, growth } = await cost(draw(100_000), query)
  // Ten seconds plus one; the rest is for a busy machine.
  expect(answer).toBeLessThan(60_000)
  expect(used).toBeLessThan(6000)
  expect(growth).toBeLessThan(64 * megabyte)
})

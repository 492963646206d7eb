import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tempFolder } from '../../../support/files.js'
import { heavy, svg } from '../../../support/svg-corpus.js'
import type { Cost } from '../../../support/svg-heavy.js'

const script = fileURLToPath(new URL('../../../support/svg-heavy.ts', import.meta.url))
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

describe.each(['', 'raw', 'raw&svgo', 'format=png'])('a drawing with 100,000 parts, as ?%s', (query) => {
  test.each(Object.keys(heavy))(
    'is converted within the time limit, with little load on this process: %s',
    async (name) => {
      const { answer, still, growth } = await cost(heavy[name]?.(100_000) ?? '', query)
      expect(answer).toBeLessThan(10_000)
      expect(still).toBeLessThan(2000)
      expect(growth).toBeLessThan(64 * megabyte)
    },
  )
})

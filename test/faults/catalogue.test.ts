import { describe, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { openBench } from './bench.js'
import { answers } from './catalogue/answers.js'
import { bodies } from './catalogue/bodies.js'
import { connections } from './catalogue/connections.js'
import { dialects } from './catalogue/dialects.js'
import { disk } from './catalogue/disk.js'
import { files } from './catalogue/files.js'
import { moving } from './catalogue/moving.js'
import { names } from './catalogue/names.js'
import { pages } from './catalogue/pages.js'
import { pauses } from './catalogue/pauses.js'
import { records } from './catalogue/records.js'
import { redirects } from './catalogue/redirects.js'
import { refusals } from './catalogue/refusals.js'
import { remotes } from './catalogue/remote.js'
import { times } from './catalogue/times.js'

const catalogue = [
  pauses,
  refusals,
  dialects,
  answers,
  bodies,
  redirects,
  connections,
  pages,
  moving,
  records,
  files,
  names,
  times,
  remotes,
  disk,
].flat()

test('the catalogue has every row once', () => {
  expect(catalogue.map(({ row }) => row).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 79 }, (_, at) => at + 1),
  )
})

describe.concurrent('row', { timeout: timeFor(3) }, () => {
  for (const { run, alone = false, ...row } of catalogue.toSorted((a, b) => a.row - b.row)) {
    test(`${row.row}: ${row.fault} -> ${row.must}`, { concurrent: !alone, timeout: 120_000 }, async ({ task }) => {
      task.meta.row = { ...row, seen: '' }
      const bench = openBench()
      const leaks: string[] = []
      try {
        task.meta.row.seen = await run(bench)
      } finally {
        leaks.push(...(await bench.close()))
      }
      expect(leaks, 'where the token is').toEqual([])
    })
  }
})

import { expect, test } from 'vitest'
import { summaryLines } from '../../../src/bundlers/session/build-report.js'

const kit = { uuid: 'A', name: 'Brand', version: 3, assets: 1000, used: 5, size: 12_345 }
const paid = { requests: 9, downloads: 5, bytes: 2_500_000, files: 5, warnings: ['careful'] }

test('shows the kit, its version, the counts of known and used assets, and the cost', () => {
  expect(summaryLines({ kits: [kit], ...paid })).toEqual({
    warnings: ['careful'],
    lines: [
      'content-space: Brand (version 3): 5 of 1000 assets used, 12.3 kB',
      'content-space: 5 files, 5 downloaded (2.5 MB), 9 requests',
    ],
  })
})

test('reports a kit that is imported as a whole', () => {
  const { lines } = summaryLines({ kits: [{ ...kit, used: 1000 }], ...paid })
  expect(lines[0]).toBe('content-space: Brand (version 3): whole kit used (1000 assets), 12.3 kB')
})

test('reports nothing for a build without content', () => {
  expect(summaryLines({ kits: [], ...paid, warnings: [] })).toEqual({ warnings: [], lines: [] })
})

import { expect, test } from 'vitest'
import { summaryLines } from '../../../src/bundlers/session/build-report.js'

const kit = {
  uuid: 'A',
  name: 'Brand',
  version: 3,
  assets: 1000,
  used: 5,
  size: 99_999,
  files: 7,
  inlined: 0,
  bytes: 12_345,
}
const paid = { requests: 9, downloads: 5, bytes: 2_500_000, conversions: 0, files: 7, warnings: ['careful'] }
const free = { ...paid, downloads: 0, bytes: 0 }
const lineOf = (more: Partial<typeof kit>) => summaryLines({ kits: [{ ...kit, ...more }], ...free }).lines[0]

test('reports in one line which files came from which kit, and what was downloaded', () => {
  expect(summaryLines({ kits: [kit], ...paid })).toEqual({
    warnings: ['careful'],
    lines: ['content-space: 7 files from Brand 3, 12.3 kB; 5 downloaded (2.5 MB)'],
  })
  expect(summaryLines({ kits: [kit], ...free }).lines).toEqual([
    'content-space: 7 files from Brand 3, 12.3 kB; nothing downloaded',
  ])
})

test('distinguishes inlined from emitted files, and a draft from a version', () => {
  expect(lineOf({ inlined: 2 })).toMatch(/^content-space: 7 files and 2 inlined from Brand 3, 12\.3 kB;/)
  expect(lineOf({ files: 0, inlined: 1, version: 0 })).toMatch(/: 1 inlined file from Brand \(draft\), 12\.3 kB;/)
  expect(lineOf({ files: 0, used: 0, bytes: 0 })).toMatch(/: no files from Brand 3; nothing/)
})

test('reports a kit that is imported as a whole', () => {
  const { lines } = summaryLines({ kits: [{ ...kit, used: 1000 }], ...paid })
  expect(lines[0]).toMatch(/7 files from Brand 3 \(the whole kit: 1000 assets\), 12\.3 kB;/)
})

test('has a line for each of several kits, and one for the downloads of all', () => {
  const { lines } = summaryLines({ kits: [kit, { ...kit, name: 'Icons', files: 1 }], ...free })
  expect(lines).toEqual([
    'content-space: 7 files from Brand 3, 12.3 kB',
    'content-space: 1 file from Icons 3, 12.3 kB',
    'content-space: nothing downloaded',
  ])
})

test('reports how many conversions ran', () => {
  const { lines } = summaryLines({ kits: [kit], ...free, conversions: 3 })
  expect(lines[0]).toMatch(/; nothing downloaded, 3 converted$/)
})

test('reports which files came from the remote cache', () => {
  const { lines } = summaryLines({ kits: [kit], ...free, origins: { local: 5, remote: 2, downloaded: 0 } })
  expect(lines[0]).toMatch(/; 5 local, 2 remote, 0 downloaded$/)
})

test("doesn't report anything for a build without content", () => {
  expect(summaryLines({ kits: [], ...paid, warnings: [] })).toEqual({ warnings: [], lines: [] })
})

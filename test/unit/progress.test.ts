import { expect, test } from 'vitest'
import { createBuildStats, type ProgressEvent } from '../../src/progress.js'

const size = 10
const logo = { asset: 'A', label: 'Logo', hash: 'h' }
const read = { size, cached: true }
const has = (asset: string, hash: string | undefined): boolean => asset === 'A' && hash === 'h'

test('a file in two kits counts for the kit whose module uses it, whether or not the kits were loaded', () => {
  const summaries = [has, undefined].map((loaded) => {
    const stats = createBuildStats(() => {})
    for (const uuid of ['1', '2'])
      stats.kit({ uuid, name: uuid, version: 1, assets: 2, ...(loaded && { has: loaded }) })
    stats.use({ kit: '1', version: 1 }, [{ uuid: 'A', fileHash: 'h' }])
    stats.source(logo, read)
    return stats.summary().kits.map(({ uuid, used, size: bytes }) => [uuid, used, bytes])
  })
  const expected = [
    ['1', 1, size],
    ['2', 0, 0],
  ]
  expect(summaries).toEqual([expected, expected])
})

test('a file that no module uses counts for each kit that contains it', () => {
  const stats = createBuildStats(() => {})
  for (const uuid of ['1', '2']) stats.kit({ uuid, name: uuid, version: 1, assets: 2, has })
  stats.source(logo, read)
  expect(stats.summary().kits.map(({ used }) => used)).toEqual([1, 1])
})

test('a kit whose parts are loaded first is reported once, and again when it is reloaded', () => {
  const events: ProgressEvent[] = []
  const stats = createBuildStats((event) => void events.push(event))
  const kit = { uuid: '1', name: 'Brand', version: 1, assets: 2 }
  stats.kit(kit)
  stats.kit(kit)
  stats.kit({ ...kit, has })
  stats.kit(kit)
  expect(events).toHaveLength(1)
  stats.kit({ ...kit, has })
  expect(events).toHaveLength(2)
})

test('the summary of another build has what it used itself, and the values of modules that it keeps', () => {
  const stats = createBuildStats(() => {})
  const [icon, value] = [
    { ...logo, asset: 'B' },
    { ...logo, asset: 'C' },
  ]
  stats.kit({ uuid: '1', name: '1', version: 1, assets: 3, has: () => true })
  stats.request()
  for (const file of [logo, icon, value]) stats.source(file, { size, cached: false })
  for (const file of [logo, icon]) stats.file(file, 4)
  expect(stats.summary()).toMatchObject({
    requests: 1,
    downloads: 3,
    bytes: 3 * size,
    files: 2,
    kits: [{ used: 3, files: 2, inlined: 1, bytes: 4 + 4 + size }],
  })
  stats.next()
  stats.source(logo, read)
  stats.file(logo, 4)
  expect(stats.summary()).toMatchObject({ requests: 0, downloads: 0, bytes: 0, files: 1, kits: [{ used: 2 }] })
  expect(stats.requests()).toBe(1)
})

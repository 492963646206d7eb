import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadKit, type LoadedKit } from '../../../src/kit/load.js'
import { assetItem, assetRecord, id, memoryKit, memorySpace } from '../../support/memory-space.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/**
 * Loads a kit from a service that answers for one section after another.
 * @param milliseconds how long each section takes
 * @param filled the number of sections that contain an item
 */
async function load(sections: number, milliseconds: number, filled = 0) {
  const kit = memoryKit(
    id(1),
    'Brand',
    Array.from({ length: sections }, (_, at) => {
      const asset = assetRecord(id(200_000 + at), `Asset ${at}`)
      const items = at < filled ? [assetItem(id(100_000 + at), asset)] : []
      return { uuid: id(10 + at), name: `Section ${at}`, items }
    }),
  )
  // Searching a list of thousands for each section would take longer than the test.
  const byUuid = new Map(kit.sections.map((section) => [section.uuid, section]))
  const space = memorySpace(() => [kit])
  let asked = 0
  const timed: typeof space = {
    ...space,
    async section(uuid, version, call) {
      asked++
      vi.advanceTimersByTime(milliseconds)
      return byUuid.get(uuid) ?? space.section(uuid, version, call)
    },
  }
  const result = await loadKit(kit.record, 1, { space: timed, strict: true, warn: () => {} }).catch(
    (error: unknown) => error,
  )
  return { result, asked }
}

const sectionsOf = (kit: unknown): LoadedKit['sections'] => Object(kit).sections

test('a kit of thousands of empty sections is rejected after 20 s, with the numbers', async () => {
  const { result, asked } = await load(30_000, 60)
  expect(result).toMatchObject({
    code: 'invalidResponse',
    summary: expect.stringMatching(/^The kit has 30000 sections\. 3\d\d of them were read in 2\d s, with 0 items\.$/),
    hint: expect.stringContaining('Remove the empty sections'),
  })
  expect(asked).toBeLessThan(500)
})

test.for([
  ['is fast', 30_000, 0.1, 0],
  ['has items', 1500, 60, 1400],
  ['has few sections', 900, 60, 0],
] as const)('a kit that %s is read', async ([, sections, milliseconds, filled]) => {
  const { result } = await load(sections, milliseconds, filled)
  const read = sectionsOf(result)
  expect(read).toHaveLength(sections)
  expect(read.map(({ name }) => name)).toEqual(Array.from({ length: sections }, (_, at) => `Section ${at}`))
})

const asset = (number: number, name: string, meta: Record<string, unknown>) =>
  assetItem(id(100 + number), assetRecord(id(200 + number), name, { meta }))

test('assets and items that the service is still processing, or failed to process, are named in one warning', async () => {
  const gallery = {
    uuid: id(150),
    type: 'gallery',
    status: 'active',
    data: { name: 'Campaign', item_processing: 'pending' },
  }
  const kit = memoryKit(id(1), 'Brand', [
    {
      uuid: id(10),
      name: 'Logos',
      items: [
        asset(1, 'Done', { asset_processing: 'complete' }),
        asset(2, 'Film', { asset_processing: 'processing' }),
        asset(3, 'Poster', { asset_processing: 'processing' }),
        asset(4, 'Broken', {
          asset_processing: 'error',
          asset_processing_details: { code: 7, message: 'unreadable file' },
        }),
        asset(5, 'Torn', { asset_processing: 'error' }),
        asset(6, 'New', { asset_processing: 'thinking' }),
        { ...asset(7, 'Gone', { asset_processing: 'error' }), status: 'trashed' },
        gallery,
      ],
    },
  ])
  const space = { ...memorySpace(() => [kit]), gallery: async () => [] }
  const warnings: string[] = []
  const { assets } = await loadKit(kit.record, 1, { space, strict: true, warn: (text) => void warnings.push(text) })
  expect(Object.keys(assets)).toHaveLength(6)
  expect(warnings).toEqual([
    'Brand (version 1): items and sections that are not active are ignored ("trashed"); ' +
      'the service is still processing assets, which may change (Film, Poster); ' +
      'the service is still filling items (Campaign); ' +
      'the service failed to process assets: upload them again (Broken: unreadable file, Torn).',
  ])
})

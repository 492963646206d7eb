import { describe, expect, test } from 'vitest'
import { readSection } from '../../../../src/space/http/pagination.js'
import { parsePage } from '../../../../src/space/wire/records.js'

const uuid = '3BD9AAAA-0000-4000-8000-000000000001'
const item = (n: number) => ({
  uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  type: 'heading',
  display_order: n,
})
const page = (numbers: number[], count: number, second = 0) =>
  parsePage({
    section: {
      uuid,
      kit_uuid: uuid,
      name: 'Icons',
      version: 0,
      counts: { items: count },
      date_updated: `2024-01-01 00:00:${String(second).padStart(2, '0')}.000000+0000`,
      items: numbers.map(item),
    },
  })
const ignore = () => undefined

/** Returns pages that change with each request before number `still`. */
function changing(still: number) {
  let requests = 0
  return (number = 1) => Promise.resolve(page([number * 2, number * 2 + 1], 6, Math.min(still, (requests += 1))))
}

describe('a count that is far too high', () => {
  test('costs one batch of pages and a warning, not a request for each promised page', async () => {
    let requests = 0
    const warnings: string[] = []
    const ask = (number = 1) => {
      requests += 1
      return Promise.resolve(page(number === 1 ? [1] : [], 1e9))
    }
    const section = await readSection({
      readPage: ask,
      base: {},
      strict: false,
      warn: (message) => warnings.push(message),
    })
    expect(section.items).toHaveLength(1)
    expect(warnings).toHaveLength(1)
    expect(requests).toBeLessThan(200)
  })
})

describe('a section that changes while its pages are read', () => {
  test('is read again until all its pages are of one state', async () => {
    const section = await readSection({ readPage: changing(4), base: {}, strict: false, warn: ignore })
    expect(section.items.map(({ uuid: id }) => Number(id.slice(-2)))).toEqual([2, 3, 4, 5, 6, 7])
    expect(section.dateUpdated).toBe('2024-01-01T00:00:04.000Z')
  })

  test('is an error when it never stops changing, because two states are never mixed', async () => {
    await expect(readSection({ readPage: changing(59), base: {}, strict: false, warn: ignore })).rejects.toMatchObject({
      code: 'invalidResponse',
    })
  })
})

/** Reads ten items out of 35. Returns the pages, and the page numbers that were requested. */
async function read(count: number, strict: boolean) {
  const asked: (number | undefined)[] = []
  const warnings: string[] = []
  const ask = (number?: number) => {
    asked.push(number)
    const start = ((number ?? 1) - 1) * 10
    return Promise.resolve(page(range(start, Math.min(35, start + 10)), count))
  }
  const section = await readSection({
    readPage: ask,
    base: {},
    strict,
    warn: (message) => warnings.push(message),
  })
  return { found: section.items.length, asked, warnings }
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
/** Returns a page of 200 items from a section with a count of 10,000. */
const fullPage = (number = 1) => Promise.resolve(page(range((number - 1) * 200, number * 200), 10_000))

describe('a count that is too low', () => {
  test.each([0, 7, 15, 25])('loses no items, and causes a warning: %i of 35', async (count) => {
    const { found, warnings, asked } = await read(count, false)
    expect([found, warnings]).toEqual([35, [`Section Icons has 35 items, but its count is ${count}.`]])
    // The pages are read twice, with one empty page each time, and one more request finds the number of the first page.
    expect(asked.length).toBeLessThanOrEqual(14)
    await expect(read(count, true)).rejects.toMatchObject({ code: 'invalidResponse' })
  })
})

describe('endless pages', () => {
  test.each([
    [undefined, 200],
    [10, 200],
    [1e9, 200],
    [1e9, 1],
    [50_000, 1],
  ])('are an error with any count: %s, by %i', async (count, size) => {
    let [requests, last] = [0, 0]
    const ask = () => {
      requests += 1
      last += size
      const { counts, ...section } = page(range(last - size, last), count ?? 0)
      return Promise.resolve({ ...section, counts: count === undefined ? {} : counts })
    }
    const error = { code: 'invalidResponse', message: expect.stringContaining('do not end') }
    await expect(readSection({ readPage: ask, base: {}, strict: false, warn: ignore })).rejects.toMatchObject(error)
    expect(requests).toBeLessThan(5000)
    expect(last).toBeLessThan(25_000)
  })

  test('are not assumed when a section contains as many items as it counts', async () => {
    const section = await readSection({ readPage: fullPage, base: {}, strict: true, warn: ignore })
    expect(section.items.map(({ uuid: id }) => Number(id.slice(-12)))).toEqual(range(0, 10_000))
  })
})

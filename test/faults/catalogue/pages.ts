import { expect } from 'vitest'
import type { ItemRecord } from '../../../src/space/space.js'
import {
  assetItem,
  contentService,
  headingItem,
  kitUuid,
  sectionUuid,
  upload,
  type Asked,
  type ServiceContent,
} from '../../support/content-service.js'
import { envelope, refusal, type FaultServer } from '../../support/fault-server.js'
import { listingIn } from '../listing.js'
import type { Bench } from '../bench.js'
import type { Row } from '../row.js'

const headings = (count: number): object[] => Array.from({ length: count }, (_, at) => headingItem(at))
const numbers = (items: ItemRecord[]): number[] => items.map(({ uuid }) => Number.parseInt(uuid.slice(-12), 16))
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

interface Read {
  items: ItemRecord[]
  warnings: string[]
  server: FaultServer
  /** The page numbers in the order of the requests. */
  pages: (string | null)[]
}

/** Reads the section of a service. */
async function read(
  bench: Bench,
  content: Partial<ServiceContent>,
  { strict = false, instead }: { strict?: boolean; instead?: (asked: Asked) => boolean } = {},
): Promise<Read> {
  const server = await bench.serve(contentService(content, instead))
  const { space, warnings } = await bench.open(server.url, { strict })
  const { items } = await space.section(sectionUuid, 1)
  return {
    items,
    warnings,
    server,
    pages: server.requests.map(({ url }) => new URL(url, server.url).searchParams.get('page')),
  }
}

/** Answers a request with a page of the section that contains these items. */
function page(response: Asked['response'], items: unknown[], counts: object): true {
  envelope(response, { section: { uuid: sectionUuid, kit_uuid: kitUuid, name: 'Logos', version: 1, counts, items } })
  return true
}

/** Numbers pages from 0, and returns the second page if the request doesn't contain a page number. */
function secondByDefault({ path, query, response }: Asked): boolean {
  const number = Number(query.get('page') ?? 1)
  return (
    path.startsWith('sections/') &&
    page(response, headings(450).slice(number * 200, number * 200 + 200), { items: 450 })
  )
}

/** Each page repeats the last item of the previous page. */
function overlapping({ path, query, response }: Asked): boolean {
  const number = Number(query.get('page') ?? 1) - 1
  return (
    path.startsWith('sections/') &&
    page(response, headings(45).slice(Math.max(0, number * 20 - 1), number * 20 + 20), { items: 45 })
  )
}

export const pages: Row[] = [
  {
    row: 32,
    fault: 'paging base 0, base 1, default page differs',
    must: 'read default page; page=1 equal => base 1, else base 0; verify set',
    async run(bench) {
      const asked: string[] = []
      for (const base of [0, 1] as const) {
        const {
          items,
          pages: seen,
          warnings,
        } = await read(bench, { items: headings(450), pages: { base, size: 200 } }, { strict: true })
        expect(numbers(items)).toEqual(upTo(450))
        expect(warnings).toEqual([])
        expect(seen.slice(0, 2)).toEqual([null, '1'])
        asked.push(`base ${base}: ${seen.map((number) => number ?? 'none').join(' ')}`)
      }
      // The number of items reveals that a page precedes the default one.
      const odd = await read(bench, {}, { instead: secondByDefault, strict: true })
      expect(numbers(odd.items)).toEqual(upTo(450))
      expect(odd.warnings).toEqual([])
      asked.push(`base 0 with a default of 1: ${odd.pages.map((number) => number ?? 'none').join(' ')}`)
      return `all 450 items in order; pages requested, ${asked.join('; ')}`
    },
  },
  {
    row: 33,
    fault: 'items repeat across pages',
    must: 'dedupe by uuid; mark unstable, refetch once',
    async run(bench) {
      const { items, warnings, pages: asked } = await read(bench, {}, { instead: overlapping })
      expect(numbers(items)).toEqual(upTo(45))
      expect(warnings).toEqual([expect.stringContaining('repeats items')])
      expect(asked.filter((number) => number === null)).toHaveLength(2)
      await expect(read(bench, {}, { instead: overlapping, strict: true })).rejects.toMatchObject({
        code: 'invalidResponse',
      })
      // Items are repeated only the first time, so the second read is accepted.
      const settled = await read(
        bench,
        { items: headings(45), pages: { base: 1, size: 20 } },
        {
          instead: (asking) => asking.at < 4 && overlapping(asking),
        },
      )
      expect(settled.warnings).toEqual([])
      expect(numbers(settled.items)).toEqual(upTo(45))
      return 'each item once and in order; read twice; a warning with "repeats items", an error when strict'
    },
  },
  {
    row: 34,
    fault: 'counts.items high/low',
    must: 'refetch; strict fail, else warn',
    async run(bench) {
      const seen: string[] = []
      // If the count is reached at the end of a page, the section is complete, and no further page is requested.
      for (const counted of [500, 460, 440, 390, 150, 1]) {
        const content = { items: headings(450), section: { counts: { items: counted } } }
        const { warnings, pages: asked } = await read(bench, content)
        expect(warnings, `counts ${counted}`).toEqual([expect.stringContaining(String(counted))])
        expect(
          asked.filter((number) => number === null),
          `first pages when it counts ${counted}`,
        ).toHaveLength(2)
        await expect(read(bench, content, { strict: true })).rejects.toMatchObject({ code: 'invalidResponse' })
        seen.push(String(counted))
      }
      return `450 items with a count of ${seen.join(', ')}: read twice, a warning, an error when strict`
    },
  },
  {
    row: 35,
    fault: '`limit=200` yields 50',
    must: 'do not stop on short page; need count or empty page',
    async run(bench) {
      const counts = [{ items: 180 }, {}]
      for (const base of [0, 1] as const) {
        for (const counted of counts) {
          const { items, warnings, server } = await read(
            bench,
            { items: headings(180), pages: { base, size: 50 }, section: { counts: counted } },
            { strict: true },
          )
          expect(numbers(items)).toEqual(upTo(180))
          expect(warnings).toEqual([])
          for (const { url } of server.requests) expect(url).toContain('limit=200')
        }
      }
      return 'all 180 items of four pages, with or without a count, for either page base'
    },
  },
  {
    row: 36,
    fault: 'same page forever',
    must: 'stop: no new uuids',
    async run(bench) {
      const seen: number[] = []
      for (const counts of [{ items: 20 }, {}, { items: 1000 }, { items: 1e9 }]) {
        const { items, server } = await read(
          bench,
          {},
          { instead: ({ path, response }) => path.startsWith('sections/') && page(response, headings(20), counts) },
        )
        expect(numbers(items)).toEqual(upTo(20))
        // A wrong count costs one batch of pages for each read.
        expect(server.requests.length).toBeLessThan(200)
        seen.push(server.requests.length)
      }
      // Pages with new items never end, but the service stops at a limit that the client must not reach.
      for (const counts of [{ items: 400 }, {}, { items: 1e9 }]) {
        const enough = 3000
        const instead = ({ path, at, response }: Asked) => {
          if (!path.startsWith('sections/')) return false
          return at < enough
            ? page(
                response,
                Array.from({ length: 100 }, (_, item) => headingItem(at * 100 + item)),
                counts,
              )
            : (refusal(response, 103, 400), true)
        }
        const server = await bench.serve(contentService({}, instead))
        const { space, warnings } = await bench.open(server.url)
        const outcome = await space.section(sectionUuid, 1).then(
          () => warnings.join(),
          async (error: unknown) => (await bench.failure(Promise.reject(error))).code,
        )
        expect(server.requests.length, `pages asked for when it counts ${JSON.stringify(counts)}`).toBeLessThan(enough)
        // Reading up to the count succeeds.
        if (counts.items !== 400) expect(outcome).not.toBe('')
        seen.push(server.requests.length)
      }
      return `requests: ${seen.slice(0, 4).join(', ')}; for endless new pages: ${seen.slice(4).join(', ')}`
    },
  },
  {
    row: 37,
    fault: '10,000 items',
    must: 'all, ordered; <=1 s parse, bounded memory',
    alone: true,
    async run(bench) {
      const items = Array.from({ length: 10_000 }, (_, at) => assetItem(at, upload(at, `Mark ${at}`).record))
      const server = await bench.serve(contentService({ items }))
      const few = await bench.serve(contentService({ items: items.slice(0, 10) }))
      const [all, small] = [await listingIn(server.url, sectionUuid), await listingIn(few.url, sectionUuid)]
      expect(all).toMatchObject({ count: 10_000, ordered: true })
      expect(small).toMatchObject({ count: 10, ordered: true })
      expect(all.parseMilliseconds).toBeLessThanOrEqual(1000)
      const listing = JSON.stringify(items).length / 2 ** 20
      const growth = all.peakMegabytes - small.peakMegabytes
      expect(growth).toBeLessThanOrEqual(64 + 4 * listing)
      return `${all.count} items in order, parsed in ${Math.round(all.parseMilliseconds)} ms; ${Math.round(growth)} MB more at the peak for ${Math.round(listing)} MB of JSON`
    },
  },
  {
    row: 38,
    fault: 'equal/negative/missing display_order',
    must: 'stable tie by server index then uuid',
    async run(bench) {
      // Sorted by `display_order`. Ties are in the order of the service, and items without a valid order come last.
      const places = [5, 0, null, -3, 5, 'x', 0, -3, undefined, 5, '9', -1e9]
      const items = places.map((place, at) => headingItem(at, { display_order: place }))
      const expected = [11, 3, 7, 1, 6, 0, 4, 9, 2, 5, 8, 10]
      for (const size of [200, 5, 2]) {
        for (const slow of [0, 1, 2]) {
          // Pages that are requested in parallel arrive in any order.
          const content = { items, pages: { base: 1 as const, size } }
          const service = contentService(content)
          const server = await bench.serve((response, request, at) => {
            setTimeout(() => service(response, request, at), at % 3 === slow ? 60 : 0)
          })
          const { space, warnings } = await bench.open(server.url, { strict: true })
          expect(numbers((await space.section(sectionUuid, 1)).items)).toEqual(expected)
          expect(warnings).toEqual([])
        }
      }
      return `${expected.join(' ')} in 9 orders of arrival`
    },
  },
]

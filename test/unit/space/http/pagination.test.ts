import { fc } from '../../../support/random.js'
import { describe, expect, test } from 'vitest'
import { ContentSpaceError } from '../../../../src/errors.js'
import { readSection } from '../../../../src/space/http/pagination.js'
import { parsePage } from '../../../../src/space/wire/records.js'

const kit = 'AAAAAAAA-0000-4000-8000-000000000000'
const uuid = (at: number) => `AAAAAAAA-0000-4000-8000-${at.toString(16).toUpperCase().padStart(12, '0')}`

interface Service {
  items: number
  size: number
  base: 0 | 1
  /** Undefined if the section doesn't have a count. */
  counted?: number | undefined
  /** How many items a page repeats from the previous page. */
  overlap?: number
  /** Whether the service repeats the last page for every later page. */
  stuck?: boolean
  /** The error for pages after the last one. */
  refusal?: 'objectNotFound' | 'invalidParams' | undefined
  /** Whether the last item is displayed first. */
  reversed?: boolean
}

/** Returns a section as a service paginates it, and the page numbers that were requested. */
function service({ items, size, base, counted, overlap = 0, stuck = false, refusal, reversed = false }: Service) {
  const asked: (number | undefined)[] = []
  const last = Math.max(0, Math.ceil(items / size) - 1)
  const ask = (page: number | undefined) => {
    asked.push(page)
    const at = (page ?? base) - base
    const shown = stuck ? Math.min(at, last) : at
    const start = Math.max(0, shown * size - (shown > 0 ? overlap : 0))
    const numbers = Array.from(
      { length: Math.max(0, Math.min(items, (shown + 1) * size) - start) },
      (_, index) => start + index,
    )
    if (refusal && at > last) return Promise.reject(new ContentSpaceError(refusal, 'No such page.'))
    const section = {
      uuid: kit,
      kit_uuid: kit,
      name: 'All',
      status: 'active',
      version: 1,
      counts: counted === undefined ? {} : { items: counted },
      items: numbers.map((number) => ({
        uuid: uuid(number),
        type: 'heading',
        status: 'active',
        display_order: reversed ? -number : number,
        data: {},
      })),
    }
    return Promise.resolve(parsePage({ section }))
  }
  return { asked, ask }
}

async function read(given: Service, strict = false) {
  const warnings: string[] = []
  const { ask, asked } = service(given)
  const section = await readSection({
    readPage: ask,
    base: {},
    strict,
    warn: (message) => void warnings.push(message),
  })
  return { found: section.items.map((item) => item.uuid), asked, warnings }
}

describe('pages', () => {
  test('return items in display order, whatever the order of the service', async () => {
    const { found } = await read({ items: 25, size: 10, base: 1, counted: 25, reversed: true })
    expect(found).toEqual(Array.from({ length: 25 }, (_, at) => uuid(24 - at)))
  })

  test('return every item once and in order, for any base, size and overlap', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 2, max: 20 }),
        fc.constantFrom(0 as const, 1 as const),
        fc.integer({ min: 0, max: 1 }),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom(undefined, 'objectNotFound' as const, 'invalidParams' as const),
        async (items, size, base, overlap, counts, stuck, refusal) => {
          const counted = counts ? items : undefined
          const { found } = await read({ items, size, base, overlap, stuck, counted, refusal })
          expect(found).toEqual(Array.from({ length: items }, (_, at) => uuid(at)))
        },
      ),
    )
  })

  test.each([
    [{ items: 200, size: 200, base: 1 as const }, [undefined]],
    [{ items: 450, size: 200, base: 1 as const }, [undefined, 1, 2, 3]],
    [{ items: 450, size: 200, base: 0 as const }, [undefined, 1, 2]],
    [{ items: 450, size: 50, base: 0 as const }, [undefined, 1, 2, 3, 4, 5, 6, 7, 8]],
  ])('need no more requests than necessary: %j', async (given, pages) => {
    const { asked } = await read({ ...given, counted: given.items })
    expect(asked).toEqual(pages)
  })

  test('detect their base once for all sections', async () => {
    const base = {}
    const sections = [450, 450].map((items) => service({ items, size: 200, base: 1, counted: items }))
    await Promise.all(sections.map(({ ask }) => readSection({ readPage: ask, base, strict: true, warn: () => {} })))
    expect(sections.flatMap(({ asked }) => asked).filter((page) => page === 1)).toHaveLength(1)
  })

  test('detect their base again when the first page changed while it was detected', async () => {
    const base = {}
    const { ask } = service({ items: 450, size: 200, base: 1, counted: 450 })
    let isEdited = false
    const readPage: typeof ask = async (page) => {
      const section = await ask(page)
      if (!isEdited) section.items.shift()
      isEdited = true
      return section
    }
    for (const edited of [true, false]) {
      const { items } = await readSection({ readPage: edited ? readPage : ask, base, strict: true, warn: () => {} })
      expect(items.map((item) => item.uuid)).toEqual(Array.from({ length: 450 }, (_, at) => uuid(at)))
    }
  })

  test.each([
    ['more', 30],
    ['fewer', 15],
  ])(
    'with a count of %s than they contain are read twice with a warning, and refused when strict',
    async (_, counted) => {
      const given = { items: 20, size: 10, base: 1 as const, counted }
      const { asked, warnings } = await read(given)
      expect(asked.filter((page) => page === undefined)).toHaveLength(2)
      expect(warnings.join()).toContain(String(counted))
      await expect(read(given, true)).rejects.toMatchObject({ code: 'invalidResponse' })
      const refused = read({ ...given, refusal: 'objectNotFound' }).catch((error: unknown) => error)
      const named = expect.stringContaining(`page 3 of section All (${kit}) of kit ${kit} after 20 of ${counted} items`)
      const error = { code: 'objectNotFound', message: named, hint: expect.stringContaining('contradict') }
      const expected = counted > given.items ? error : { found: { length: 20 }, warnings }
      expect(await refused).toMatchObject(expected)
    },
  )
})

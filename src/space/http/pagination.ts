import { ContentSpaceError, ignoreOwnErrors } from '../../errors.js'
import type { SectionRecord } from '../space.js'
import { inDisplayOrder, type PlacedItem } from '../wire/records.js'
import { isCredible, maxItems, maxPages } from './page-limits.js'

type Page = Omit<SectionRecord, 'items'> & { items: PlacedItem[] }

/** Reads one page. Without a number, reads the service's default page. */
export type ReadPage = (number: number | undefined) => Promise<Page>

/** The number of the first page, which the interface doesn't define. It is determined once per space. */
export interface PageBase {
  number?: Promise<0 | 1> | undefined
}

interface PageReading {
  readPage: ReadPage
  base: PageBase
  /** Makes an inconsistent section an error instead of a warning. */
  strict: boolean
  warn: (message: string) => void
  /** The page limit of a gallery, which counts assets. Absent for a section. */
  galleryLimit?: number
}

/** The items of a section, as found by one pass over its pages. */
type Pass = Awaited<ReturnType<typeof readPages>>

/**
 * The number of pages that are requested in parallel. A count that is far too high costs one batch, not thousands of
 * requests.
 */
const batchSize = 64

/**
 * Reads all items of a section, in display order.
 * @throws ContentSpaceError `invalidResponse` when the section changes during each of three passes, when it is
 *   inconsistent and `strict` is set, or when its pages exceed the limits; any error of `readPage`
 */
export async function readSection(reading: PageReading): Promise<SectionRecord> {
  const { first, items, inconsistency, changed } = await readConsistently(reading)
  const name = `${reading.galleryLimit === undefined ? 'Section' : 'Gallery'} ${first.name}`
  const facts = { section: first.uuid, kit: first.kitUuid }
  if (changed) {
    throw new ContentSpaceError('invalidResponse', `${name} changed each time it was read.`, {
      ...facts,
      hint: 'Someone is editing it: try again, or use a published version.',
      retryable: true,
    })
  }
  if (inconsistency !== undefined) {
    const message = `${name} ${inconsistency}.`
    if (reading.strict) throw new ContentSpaceError('invalidResponse', message, facts)
    reading.warn(message)
  }
  return { ...first, items: inDisplayOrder(items) }
}

/**
 * Reads the pages up to three times, because items may move from page to page while someone edits a section. The first
 * pass is accepted if it is consistent. The second pass is also accepted if the section didn't change while it was
 * read, because then the service itself is inconsistent. The third pass is always accepted.
 */
async function readConsistently(reading: PageReading): Promise<Pass> {
  return (
    (await passIf(({ inconsistency }) => inconsistency === undefined, reading)) ??
    (await passIf(({ changed }) => !changed, reading)) ??
    (await readPages(reading))
  )
}

/** Returns undefined instead of a rejected pass, so that two passes are never in memory at the same time. */
async function passIf(accept: (pass: Pass) => boolean, reading: PageReading): Promise<Pass | undefined> {
  const pass = await readPages(reading)
  if (accept(pass)) return pass
  // The first page may have changed before we compared page 1 with it.
  reading.base.number = undefined
  return undefined
}

/** The usual number of items of a page if the request doesn't specify one. */
const defaultLimit = 50

async function readPages({ readPage, base, galleryLimit }: PageReading) {
  const first = await readPage(undefined)
  let refused: { number: number; error: ContentSpaceError } | undefined
  /** Reads a page, but treats a refusal as an empty page: a service may refuse pages after the last one. */
  const readNumbered = (number: number): Promise<Page> =>
    readPage(number).catch((error: unknown) => {
      const isRefusal = error instanceof ContentSpaceError && ['objectNotFound', 'invalidParams'].includes(error.code)
      if (!isRefusal) throw error
      if (number < (refused?.number ?? Infinity)) refused = { number, error }
      return { ...first, items: [] }
    })
  const isGallery = galleryLimit !== undefined
  const collection = createCollection(first, isGallery)
  const { length } = first.items
  // A short first page of a gallery is its last page, so a small gallery costs one request.
  const isShort = isGallery && length < galleryLimit && length !== defaultLimit && length >= (first.counts.items ?? 0)
  // If the first page is empty, so is the section, even if the service doesn't send a count.
  if (length > 0 && !isShort && !collection.isComplete()) {
    const known = new Map<number, Page>()
    const determine = async (): Promise<0 | 1> => {
      const page = await readNumbered(1)
      if (hasSameItems(page, first)) return 1
      known.set(1, page)
      return 0
    }
    base.number ??= determine().catch((error: unknown) => {
      base.number = undefined
      throw error
    })
    const firstNumber = await base.number
    const readKnown = async (number: number) => known.get(number) ?? readNumbered(number)
    await readRemainingPages(firstNumber, first, collection, readKnown)
    // The default page may be the second page. A gallery's count may include members that the gallery doesn't list.
    const isFirstMissing = firstNumber === 1 && !isGallery && collection.items.size < (first.counts.items ?? 0)
    const zero = isFirstMissing ? await readPage(0).catch(ignoreOwnErrors) : undefined
    if (zero) collection.add(zero)
    if (refused && collection.items.size < (first.counts.items ?? 0))
      throw refusedError(refused, first, collection.items.size)
  }
  return {
    first,
    items: [...collection.items.values()],
    /** Whether the section changed between the first page and the last. */
    changed: collection.hasChanged(),
    /** Why the items may be incomplete, phrased as the end of a sentence about the section. */
    inconsistency: collection.inconsistency(),
  }
}

function refusedError(
  { number, error }: { number: number; error: ContentSpaceError },
  { uuid, name, kitUuid, counts }: Page,
  read: number,
): ContentSpaceError {
  const place = `section ${name} (${uuid}) of kit ${kitUuid}`
  const message = `The service refuses page ${number} of ${place} after ${read} of ${counts.items} items.`
  return new ContentSpaceError(error.code, `${message} ${error.summary}`, {
    ...error.facts,
    kit: kitUuid,
    hint: 'Ask the administrators of the service: its item count contradicts its pages.',
    cause: error,
  })
}

function hasSameItems(a: Page, b: Page): boolean {
  return a.items.length === b.items.length && a.items.every(({ uuid }, index) => uuid === b.items[index]?.uuid)
}

/** Collects the items of pages without duplicates. */
function createCollection(first: Page, isGallery: boolean) {
  const items = new Map<string, PlacedItem>()
  const total = first.counts.items
  let [repeated, changed] = [false, false]
  /** Adds the items of a page. Returns whether any of them is new. */
  const add = (page: Page): boolean => {
    changed ||= page.dateUpdated !== first.dateUpdated || page.counts.items !== total
    const added = page.items.filter(({ uuid }) => !items.has(uuid))
    repeated ||= added.length < page.items.length
    for (const item of added) items.set(item.uuid, item)
    return added.length > 0
  }
  add(first)
  return {
    items,
    add,
    isComplete(): boolean {
      const all = [...items.values()]
      return (isGallery ? all.filter((item) => item.asset && item.status === 'active') : all).length === total
    },
    hasChanged: () => changed,
    inconsistency(): string | undefined {
      if (!isGallery && total !== undefined && items.size !== total)
        return `has ${items.size} items, but its count is ${total}`
      if (repeated) return 'repeats items'
      return changed ? 'changed while it was read' : undefined
    },
  }
}

/**
 * Reads the pages after the first one: in parallel up to the count, then one by one until a page doesn't have new
 * items. Therefore, no items are lost if the count is too low.
 * @throws ContentSpaceError `invalidResponse` for more pages or items than the limits allow
 */
async function readRemainingPages(
  firstNumber: 0 | 1,
  first: Page,
  collection: ReturnType<typeof createCollection>,
  readPage: (number: number) => Promise<Page>,
): Promise<void> {
  const total = first.counts.items
  const pageSize = first.items.length
  const expected = isCredible(total) ? Math.ceil((total - pageSize) / pageSize) : 0
  for (let requested = 0; !collection.isComplete();) {
    if (collection.items.size > maxItems(total) || requested > maxPages(total, pageSize)) {
      throw new ContentSpaceError(
        'invalidResponse',
        `The pages of section ${first.name} do not end: ${requested} pages have ${collection.items.size} items, ` +
          `and the count is ${total ?? 'missing'}.`,
        { section: first.uuid, kit: first.kitUuid },
      )
    }
    const length = Math.min(batchSize, Math.max(1, expected - requested))
    const numbers = Array.from({ length }, (_, index) => firstNumber + 1 + requested + index)
    const pages = await Promise.all(numbers.map(readPage))
    if (!pages.map(collection.add).every(Boolean)) return
    requested += length
  }
}

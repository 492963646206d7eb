import { ContentSpaceError } from '../../errors.js'
import type { SectionRecord } from '../space.js'
import { inDisplayOrder, type PlacedItem } from '../wire/records.js'

type Page = Omit<SectionRecord, 'items'> & { items: PlacedItem[] }

/** Asks for one page; without a number, for whichever the service gives first. */
type AskPage = (page: number | undefined) => Promise<Page>

/** The number of the first page, which the interface leaves open: learnt once for a space. */
export interface PageBase {
  learn(ask: () => Promise<0 | 1>): Promise<0 | 1>
}

export function pageBase(): PageBase {
  let known: Promise<0 | 1> | undefined
  return {
    learn(ask) {
      const learning = (known ??= ask())
      learning.catch(() => (known = undefined))
      return learning
    },
  }
}

/** A section with all its items. `unsure` says what does not add up, `moved` that its pages are not of one moment. */
interface Whole {
  section: Page
  items: PlacedItem[]
  moved: boolean
  unsure?: string
}

/** Pages asked for side by side: a count that is far too high costs one such lot, not thousands of requests. */
const wave = 64

/** What a section may have. A count that is higher than `credible` bounds nothing. */
const most = {
  credible: 100_000,
  uncounted: 12_000,
  pages: { least: 300, most: 4000 },
  bytes: { least: 24e6, most: 32e6, item: 8192 },
}

/** Items that a section may have that counts so many: some more, for it may have grown meanwhile, or count too few. */
function mostItems(count: number | undefined): number {
  return Math.max(most.uncounted, isCredible(count) ? Math.ceil(count * 1.1) : 0)
}

function mostPages(count: number | undefined, size: number): number {
  const { least, most: highest } = most.pages
  return Math.max(least, isCredible(count) ? Math.min(highest, Math.ceil((2 * count) / size)) : 0)
}

/** Bytes that the pages of a section may have together that counts so many items. */
export function mostBytes(count: number | undefined): number {
  const { least, most: highest, item } = most.bytes
  return Math.max(least, isCredible(count) ? Math.min(highest, count * item) : 0)
}

function isCredible(count: number | undefined): count is number {
  return count !== undefined && count <= most.credible
}

/**
 * All items of a section, in display order.
 * @param strict whether what does not add up is an error, or a warning
 * @throws ContentSpaceError `invalidResponse`, also for a section that changes each time it is read, and for pages
 *   without end; what `ask` throws
 */
export async function readSection(
  ask: AskPage,
  base: PageBase,
  strict: boolean,
  warn: (message: string) => void,
): Promise<SectionRecord> {
  // Items may have moved between pages while they were read: a second look settles that.
  const { section, items, unsure, moved } =
    (await keepIf(isSure, readPages(ask, base))) ??
    (await keepIf(isStill, readPages(ask, base))) ??
    (await readPages(ask, base))
  if (moved) {
    throw new ContentSpaceError('invalidResponse', `Section ${section.name} changed each time it was read.`, {
      section: section.uuid,
      kit: section.kitUuid,
      hint: 'Somebody is editing it: try again, or use a published version.',
      retryable: true,
    })
  }
  if (unsure !== undefined) {
    const message = `Section ${section.name} ${unsure}.`
    if (strict) throw new ContentSpaceError('invalidResponse', message, { section: section.uuid, kit: section.kitUuid })
    warn(message)
  }
  return { ...section, items: inDisplayOrder(items) }
}

const isSure = ({ unsure }: Whole): boolean => unsure === undefined
const isStill = ({ moved }: Whole): boolean => !moved

/** Lets go what is read again, so that memory holds it once. */
async function keepIf(isWanted: (whole: Whole) => boolean, reading: Promise<Whole>): Promise<Whole | undefined> {
  const whole = await reading
  return isWanted(whole) ? whole : undefined
}

async function readPages(ask: AskPage, base: PageBase): Promise<Whole> {
  const section = await ask(undefined)
  const found = new Map<string, PlacedItem>()
  let [repeated, moved] = [false, false]
  const add = ({ items, dateUpdated, counts }: Page): boolean => {
    moved ||= dateUpdated !== section.dateUpdated || counts.items !== section.counts.items
    const fresh = items.filter(({ uuid }) => !found.has(uuid))
    repeated ||= fresh.length < items.length
    for (const item of fresh) found.set(item.uuid, item)
    return fresh.length > 0
  }
  add(section)
  const total = section.counts.items
  // A service that counts nothing, and sends nothing, has nothing.
  if (section.items.length > 0 && found.size !== total) {
    const pages = new Map<number, Page>()
    const first = await base.learn(async () => {
      const page = await ask(1)
      const same =
        page.items.length === section.items.length &&
        page.items.every(({ uuid }, at) => uuid === section.items[at]?.uuid)
      if (!same) pages.set(1, page)
      return same ? 1 : 0
    })
    await addRest(first, section, ask, pages, add, found)
  }
  const unsure =
    found.size !== (total ?? found.size)
      ? `has ${found.size} items and counts ${total}`
      : repeated
        ? 'repeats items'
        : moved
          ? 'changed while it was read'
          : undefined
  return { section, items: [...found.values()], moved, ...(unsure === undefined ? {} : { unsure }) }
}

/**
 * The pages behind the first: side by side as far as the count tells, then one by one while they bring anything new.
 * Where pages hold more than is counted, the count is wrong, and they are read on.
 * @throws ContentSpaceError `invalidResponse` for pages without end
 */
async function addRest(
  first: 0 | 1,
  { counts: { items: total }, items: { length: size }, name, uuid, kitUuid }: Page,
  ask: AskPage,
  known: ReadonlyMap<number, Page>,
  add: (page: Page) => boolean,
  found: ReadonlyMap<string, PlacedItem>,
): Promise<void> {
  const promised = isCredible(total) ? Math.ceil((total - size) / size) : 0
  const limits = { items: mostItems(total), pages: mostPages(total, size) }
  for (let asked = 0; found.size !== total;) {
    if (found.size > limits.items || asked > limits.pages) {
      throw new ContentSpaceError(
        'invalidResponse',
        `Section ${name} has no end: ${asked} pages hold ${found.size} items, and it counts ${total ?? 'none'}.`,
        {
          section: uuid,
          kit: kitUuid,
        },
      )
    }
    const length = Math.min(wave, Math.max(1, promised - asked))
    const numbers = Array.from({ length }, (_, at) => first + 1 + asked + at)
    const pages = await Promise.all(numbers.map(async (number) => known.get(number) ?? ask(number)))
    if (!pages.map(add).every(Boolean)) return
    asked += length
  }
}

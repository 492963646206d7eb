/**
 * Upper limits for the pages of one section, derived from the item count that the service sends. They stop a listing
 * whose pages never end. A count above `credible` is ignored.
 */
const limits = {
  credible: 100_000,
  /** The item limit for a section without a credible count. */
  uncounted: 12_000,
  pages: { min: 300, max: 4000 },
  bytes: { min: 24e6, max: 32e6, perItem: 8192 },
}

export function isCredible(count: number | undefined): count is number {
  return count !== undefined && count <= limits.credible
}

/** Allows 10 % more items than counted, because the section may have grown since, or the count may be too low. */
export function maxItems(count: number | undefined): number {
  return Math.max(limits.uncounted, isCredible(count) ? Math.ceil(count * 1.1) : 0)
}

/** Allows twice as many pages as the count requires. */
export function maxPages(count: number | undefined, pageSize: number): number {
  const { min, max } = limits.pages
  return Math.max(min, isCredible(count) ? Math.min(max, Math.ceil((2 * count) / pageSize)) : 0)
}

/** Returns the maximum total size of a section's pages in bytes. */
export function maxBytes(count: number | undefined): number {
  const { min, max, perItem } = limits.bytes
  return Math.max(min, isCredible(count) ? Math.min(max, count * perItem) : 0)
}

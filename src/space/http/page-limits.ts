/**
 * Upper limits for the pages of one section, by the number of items that the service sends. They stop a listing whose
 * pages never end. A number above `credible` is ignored.
 */
const limits = {
  credible: 100_000,
  /** Items of a section without a credible count. */
  uncounted: 12_000,
  pages: { min: 300, max: 4000 },
  bytes: { min: 24e6, max: 32e6, perItem: 8192 },
}

export function isCredible(count: number | undefined): count is number {
  return count !== undefined && count <= limits.credible
}

/** Allows 10 % more items than counted: the section may have grown since, or the count may be too low. */
export function maxItems(count: number | undefined): number {
  return Math.max(limits.uncounted, isCredible(count) ? Math.ceil(count * 1.1) : 0)
}

/** Allows twice the pages that the count needs. */
export function maxPages(count: number | undefined, pageSize: number): number {
  const { min, max } = limits.pages
  return Math.max(min, isCredible(count) ? Math.min(max, Math.ceil((2 * count) / pageSize)) : 0)
}

/** Returns the bytes that all pages of a section may have together. */
export function maxBytes(count: number | undefined): number {
  const { min, max, perItem } = limits.bytes
  return Math.max(min, isCredible(count) ? Math.min(max, count * perItem) : 0)
}

/**
 * What is read of an SVG at most. Nesting is what librsvg and libxml2 take as well, and half of what Chromium's HTML
 * parser keeps before it flattens a tree, which leaves room for the page around an inlined drawing.
 */
export const limits = {
  bytes: 16 * 1024 * 1024,
  /** Elements within each other. */
  depth: 256,
  /** Attributes of one element. */
  attributes: 1000,
  /** Elements, attributes, comments and instructions together. */
  parts: 1_000_000,
}

export const tooLarge = `more than ${limits.bytes / 1024 / 1024} MB`

/** A limit is exceeded: the message says what there is too much of, as a noun. */
export class LimitError extends Error {}

/** Counts what is read, and throws a LimitError as soon as there is too much of it. */
export interface Meter {
  /** Elements, attributes, comments and instructions. */
  parts(count: number): void
  /** @param count of one element, as far as it is read */
  attributes(count: number): void
  open(): void
  close(): void
}

/** @param extra levels that the parser adds around the drawing */
export function openMeter(extra = 0): Meter {
  let [all, depth] = [0, 0]
  return {
    parts(count) {
      all += count
      if (all > limits.parts) throw new LimitError(`more than ${limits.parts} elements and attributes`)
    },
    attributes(count) {
      if (count > limits.attributes) throw new LimitError(`more than ${limits.attributes} attributes of one element`)
    },
    open() {
      depth++
      if (depth > limits.depth + extra) throw new LimitError(`more than ${limits.depth} elements within each other`)
    },
    close: () => void depth--,
  }
}

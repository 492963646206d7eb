/**
 * Limits for parsing an SVG. librsvg and libxml2 have the same limit for nesting. Chromium's HTML parser flattens a
 * tree at twice this depth, so elements of a page can contain an inlined drawing.
 */
export const limits = {
  bytes: 16 * 1024 * 1024,
  depth: 256,
  attributes: 1000,
  /** Drawings in each other, as embedded pictures. */
  drawings: 4,
  /** Elements, attributes, comments and processing instructions together. */
  nodes: 1_000_000,
  /** The number of findings with names from the file, and the characters in each. */
  findings: 50,
  finding: 60,
}

export const tooLarge = `more than ${limits.bytes / 1024 / 1024} MB`

/** A limit is exceeded. The message is a noun phrase, such as `more than 256 nested elements`. */
export class LimitError extends Error {}

/**
 * Counts what a parser reads, and throws a LimitError when a limit is exceeded.
 * @param extraDepth levels that the parser adds around the drawing
 */
export function createLimitCounter(extraDepth = 0) {
  let [nodes, depth] = [0, 0]
  return {
    addNodes(count: number): void {
      nodes += count
      if (nodes > limits.nodes) throw new LimitError(`more than ${limits.nodes} elements and attributes`)
    },
    checkAttributes(count: number): void {
      if (count > limits.attributes) throw new LimitError(`more than ${limits.attributes} attributes on an element`)
    },
    open(): void {
      depth++
      if (depth > limits.depth + extraDepth) throw new LimitError(`more than ${limits.depth} nested elements`)
    },
    close: () => void depth--,
  }
}

/** Adds a finding that contains a name of the file, which can contain any number of names, of any length. */
export function addNamed(findings: Set<string>, text: string): void {
  if (findings.size >= limits.findings) return
  findings.add(text.length > limits.finding ? `${text.slice(0, limits.finding)}…` : text)
}

/** Bytes. A smaller SVG is checked in the process of the build, which takes a few milliseconds. */
export const checkedHere = 64 * 1024

/** Bytes. The text of a larger one is checked in a child process when it is read from a cache. */
export const checkedInPage = 512 * 1024

/**
 * Limits for parsing an SVG. librsvg and libxml2 have the same nesting limit. Chromium's HTML parser flattens trees
 * that are nested twice as deep, so a page may nest an inline SVG in its own elements.
 */
export const limits = {
  bytes: 16 * 1024 * 1024,
  depth: 256,
  attributes: 1000,
  /** SVGs that are embedded in each other as images. */
  drawings: 4,
  /** Elements, attributes, comments, and processing instructions together. */
  nodes: 1_000_000,
  /** The maximum number of findings that quote names from the file, and the maximum length of each. */
  findings: 50,
  finding: 60,
}

export const tooLarge = `more than ${limits.bytes / 1024 / 1024} MB`

/** Thrown if a limit is exceeded. The message is a noun phrase, such as `more than 256 nested elements`. */
export class LimitError extends Error {}

/**
 * Creates a counter for a parser. Its methods throw a LimitError if a limit is exceeded.
 * @param extraDepth the number of levels that the parser adds around the SVG
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

/**
 * Adds a finding that quotes a name from the file. Limits their number and length, because a file may contain any
 * number of names of any length.
 */
export function addNamed(findings: Set<string>, text: string): void {
  if (findings.size >= limits.findings) return
  findings.add(text.length > limits.finding ? `${text.slice(0, limits.finding)}…` : text)
}

/**
 * The size in bytes up to which we check an SVG in the build's own process, because that takes only a few milliseconds.
 */
export const checkedHere = 64 * 1024

/** The size in bytes up to which we check cached text in the build's own process. Larger text is checked in a child. */
export const checkedInPage = 512 * 1024

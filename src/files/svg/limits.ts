/**
 * Limits for parsing an SVG. librsvg and libxml2 have the same limit for nesting. Chromium's HTML parser flattens a
 * tree at twice this depth, so a page can nest an inline SVG in its own elements.
 */
export const limits = {
  bytes: 16 * 1024 * 1024,
  depth: 256,
  attributes: 1000,
  /** SVGs nested in each other as embedded images. */
  drawings: 4,
  /** Elements, attributes, comments and processing instructions together. */
  nodes: 1_000_000,
  /** The number of findings that quote names from the file, and the characters of each. */
  findings: 50,
  finding: 60,
}

export const tooLarge = `more than ${limits.bytes / 1024 / 1024} MB`

/** Thrown when a limit is exceeded. The message is a noun phrase, such as `more than 256 nested elements`. */
export class LimitError extends Error {}

/**
 * Creates a counter for a parser. Its methods throw a LimitError when a limit is exceeded.
 * @param extraDepth levels that the parser adds around the SVG
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
 * Adds a finding that quotes a name from the file. Caps count and length, because a file can contain any number of
 * names of any length.
 */
export function addNamed(findings: Set<string>, text: string): void {
  if (findings.size >= limits.findings) return
  findings.add(text.length > limits.finding ? `${text.slice(0, limits.finding)}…` : text)
}

/** In bytes. Smaller SVGs are checked in the build's own process, because that takes only a few milliseconds. */
export const checkedHere = 64 * 1024

/** In bytes. Larger SVGs are checked in a child process when they are read from a cache. */
export const checkedInPage = 512 * 1024

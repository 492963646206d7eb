/*
 * After a merge of branches, a lockfile may contain git's conflict markers, or the lines of both sides without markers.
 * `JSON.parse` rejects markers, and if two entries have the same key, it keeps the last entry, which may be the older
 * one.
 */

/** The next part of a conflict, by the current part and the marker's character. */
const parts: Readonly<Record<string, Part>> = {
  'both <': 'ours',
  'ours |': 'base',
  'ours =': 'theirs',
  'base =': 'theirs',
  'theirs >': 'both',
}

type Part = 'both' | 'ours' | 'base' | 'theirs'

/**
 * Splits a file's text at its conflict markers into both sides, without the common base that git may add.
 * @returns undefined for text without complete markers
 */
export function splitConflicts(text: string): [ours: string, theirs: string] | undefined {
  const [ours, theirs]: [string[], string[]] = [[], []]
  const lines = { both: [ours, theirs], ours: [ours], base: [], theirs: [theirs] } satisfies Record<Part, string[][]>
  let part: Part | undefined = 'both'
  let markers = 0
  for (const line of text.split('\n')) {
    const [, mark] = /^(<|\||=|>)\1{6}(?:\s|$)/.exec(line) ?? []
    if (mark === undefined) lines[part].forEach((side) => side.push(line))
    else {
      markers++
      part = parts[`${part} ${mark}`]
      if (part === undefined) return undefined
    }
  }
  return markers > 0 && part === 'both' ? [ours.join('\n'), theirs.join('\n')] : undefined
}

/** The maximum nesting of objects and lists. A valid lockfile is nested less deeply. */
const maxDepth = 200

/**
 * Reads JSON whose objects may repeat keys and lack commas, because a merge kept the lines of both sides.
 * @returns the value of each side, or a single value if every key is unique; undefined if the text isn't JSON even then
 */
export function readSides(text: string): unknown[] | undefined {
  try {
    const json = readJson(text)
    return Array.from({ length: countSides(json) }, (_, side) => sideOf(json, side))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Reads JSON. An object becomes a map with all values of each key. @throws SyntaxError */
function readJson(text: string): unknown {
  const pattern = /[{}[\]:,]|"[^"\\]*(?:\\.[^"\\]*)*"|[^ \t\r\n{}[\]:,"]+|"/gs
  const tokens = Array.from(text.matchAll(pattern), ([token]) => token)
  let at = 0

  function readValue(depth: number): unknown {
    const token = tokens[at++] ?? ''
    if (depth > maxDepth) throw new SyntaxError('The nesting is too deep.')
    if (token === '[') return readUntil(']', [], (list: unknown[]) => list.push(readValue(depth + 1)))
    if (token !== '{') return JSON.parse(token)
    return readUntil('}', new Map<string, unknown[]>(), (members) => {
      const key = String(JSON.parse(tokens[at++] ?? ''))
      if (tokens[at++] !== ':') throw new SyntaxError('A colon is missing.')
      const values = members.get(key) ?? []
      members.set(key, values)
      values.push(readValue(depth + 1))
    })
  }

  function readUntil<T>(end: string, target: T, readOne: (target: T) => void): T {
    while (tokens[at] !== end) {
      if (tokens[at] === ',') at++
      else readOne(target)
    }
    at++
    return target
  }

  const value = readValue(0)
  if (at < tokens.length) throw new SyntaxError('There is more after the end.')
  return value
}

function countSides(json: unknown): number {
  let count = 1
  const lists: Iterable<unknown[]> = json instanceof Map ? json.values() : Array.isArray(json) ? [json] : []
  for (const values of lists) {
    if (json instanceof Map) count = Math.max(count, values.length)
    for (const value of values) count = Math.max(count, countSides(value))
  }
  return count
}

/** Returns the value of one side. A key that occurs once belongs to every side. */
function sideOf(json: unknown, side: number): unknown {
  if (Array.isArray(json)) return json.map((one: unknown) => sideOf(one, side))
  if (!(json instanceof Map)) return json
  const members: [string, unknown[]][] = [...json]
  const own = members.map(([key, values]) => [key, sideOf(values[Math.min(side, values.length - 1)], side)])
  return Object.fromEntries(own)
}

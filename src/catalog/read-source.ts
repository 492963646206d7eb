import { integrityOf } from '../disk/content.js'
import type { SourceMemory } from '../source/memory.js'
import type { NarrowImport } from '../source/narrow-imports.js'
import type { Use } from '../source/scan.js'
import { areNarrowImports, areUses } from './read-source-schema.js'

/** What was found in texts of the source, by a hash of what was looked for, the file and the text. */
export type ReadSource = Record<string, Use[] | NarrowImport[]>

/** How many times more texts are kept than a build has read: its variants, such as one for a server, read others. */
const variants = 4

/** Collects what a build finds. */
export interface ReadSources extends SourceMemory {
  /** What to remember. Undefined, if all is known. */
  learned(this: void): ReadSource | undefined
  all(this: void): ReadSource
}

export function openReadSources(before: ReadSource): ReadSources {
  const read = new Map<string, Use[] | NarrowImport[]>()
  let isNew = false

  async function recall<T extends Use[] | NarrowImport[]>(
    key: string,
    isValid: (found: unknown) => found is T,
    find: () => Promise<T>,
  ): Promise<T> {
    const known = Object.hasOwn(before, key) ? before[key] : undefined
    const found = isValid(known) ? known : await find()
    if (found !== known) isNew = true
    read.set(key, found)
    return found
  }

  function all(): ReadSource {
    const others = Object.entries(before).filter(([key]) => !read.has(key))
    return Object.fromEntries([...read, ...others.slice(0, read.size * (variants - 1))])
  }

  return {
    uses(code, file, find) {
      const isOfFile = (found: unknown): found is Use[] => areUses(found) && found.every((one) => one.file === file)
      return recall(keyOf('uses', code, file), isOfFile, find)
    },
    imports(code, file, find) {
      const isOfCode = (found: unknown): found is NarrowImport[] =>
        areNarrowImports(found) && found.every((one) => isWritten(one, code))
      return recall(keyOf('imports', code, file), isOfCode, find)
    },
    learned: () => (isNew ? all() : undefined),
    all,
  }
}

function keyOf(what: string, code: string, file: string): string {
  return integrityOf(JSON.stringify([what, file, code]))
}

/** Whether a place contains its specifier. Only it is replaced, even if the cache was changed. */
function isWritten({ specifier: { value, start, end } }: NarrowImport, code: string): boolean {
  return [`'${value}'`, `"${value}"`].includes(code.slice(start, end))
}

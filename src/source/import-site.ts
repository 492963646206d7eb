import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { ContentSpaceError } from '../errors.js'
import { omitUndefined } from '../text/omit-undefined.js'

/** Where something is imported, as far as it is known. */
export interface ImportSite {
  /** The specifier as it is written in the source. */
  specifier?: string | undefined
  /** The importing file. */
  importer?: string | undefined
  /** From 1. Default: read from the importing file. */
  line?: number | undefined
}

/**
 * Adds the specifier, the importing file and the line to an error of this package. Facts that the error already has
 * stay. Connection errors concern no single import and stay unchanged.
 */
export function withImportSite(error: unknown, { specifier, importer, line }: ImportSite): unknown {
  if (!(error instanceof ContentSpaceError) || error.code === 'unreachable') return error
  const { facts } = error
  // The line belongs to the importing file that the error already has.
  const file = facts.importer ?? importer
  const found = file === importer ? line : undefined
  return error.with(
    omitUndefined({ import: specifier, importer, line: found ?? lineOf(facts.import ?? specifier, file) }),
  )
}

/**
 * Finds the line of an import. Bundlers report only the importing file, so it is read again. Returns undefined when the
 * file on disk does not contain the specifier, for example for generated modules.
 */
function lineOf(specifier: string | undefined, importer: string | undefined): number | undefined {
  if (specifier === undefined || importer === undefined || !isAbsolute(importer)) return undefined
  // Compilers of Vue and Svelte import the blocks of a file with a query: `App.vue?vue&type=script`.
  const [file = ''] = importer.split('?')
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    const index = lines.findIndex((line) =>
      surroundings.some(([before, after]) => line.includes(before + specifier + after)),
    )
    return index === -1 ? undefined : index + 1
  } catch {
    return undefined
  }
}

/** What precedes and follows an id: quotes, or the parentheses of `url()`. */
const surroundings = ["''", '""', '``', '()'] as const

import { eachLimit } from '../../async/each-limit.js'
import type { ResolvedOptions } from '../../config/options.js'
import type { Derived } from '../../disk/derived.js'
import { ContentSpaceError } from '../../errors.js'
import type { Files } from '../../files/files.js'
import type { ValueDescriptor } from '../../files/plan.js'
import type { Request } from '../../request/request.js'
import { findMisplaced } from '../../source/scan.js'
import type { Use } from '../../source/use.js'
import { compareStrings } from '../../text/compare.js'
import { misplacedError } from '../misplaced.js'
import type { ImportProblem, ResolvedImports } from './resolve-imports.js'

interface Context {
  options: Pick<ResolvedOptions, 'root' | 'scan' | 'concurrency'>
  derived: Derived
  files: Pick<Files, 'value'>
  parse: (specifier: string) => Request
}

/**
 * Returns the imports whose modules can't contain the file, such as `?raw` for a photo, or `?inline` for a file that is
 * too large. They make builds fail.
 * @param reported errors about files to leave out
 */
export async function unreadableValues(
  { used }: Pick<ResolvedImports, 'used'>,
  reported: readonly ContentSpaceError[],
  { files, options }: Context,
): Promise<ImportProblem[]> {
  const texts = used.flatMap(({ use, assets, plans }) =>
    assets.flatMap((uuid) => {
      const { value, placeholder, dark } = plans.get(uuid) ?? {}
      const values = [value, placeholder, dark?.value].flatMap((one) => one ?? [])
      return values.map((text): [Use, ValueDescriptor] => [use, text])
    }),
  )
  const problems: ImportProblem[] = []
  await eachLimit(texts, options.concurrency, undefined, async ([use, text]) => {
    const error: unknown = await files.value(text).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error === undefined) return
    if (!(error instanceof ContentSpaceError)) throw error
    if (!reported.some(({ summary }) => summary === error.summary)) problems.push(problemOfUse(use, error))
  })
  return problems.toSorted((a, b) => compareStrings(keyOfProblem(a), keyOfProblem(b)))
}

/** Returns the ids in the source that remain plain text, because bundlers don't resolve ids at these locations. */
export async function misplacedIds({ options, derived, parse }: Context): Promise<ImportProblem[]> {
  const uses = await findMisplaced(options.root, options.scan, derived)
  return uses.map((use) => problemOfUse(use, misplacedError(use, parse)))
}

function problemOfUse(use: Use, error: ContentSpaceError): ImportProblem {
  return { specifier: use.specifier, error, uses: [use] }
}

function keyOfProblem({ specifier, uses }: ImportProblem): string {
  return JSON.stringify([specifier, uses])
}

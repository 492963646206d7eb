import { ContentSpaceError } from '../../errors.js'
import { compareStrings } from '../../text/compare.js'

export interface Differences {
  /** One line per difference. */
  lines: readonly string[]
  /**
   * Slugs of the kits whose locked version now has different files or a different listing. Only `update` accepts such
   * changes.
   */
  replaced: readonly string[]
  /** Describes the checks that `verify` skipped because the service was unreachable. */
  unchecked?: string
}

export function frozenError({ lines, replaced }: Differences): ContentSpaceError | undefined {
  if (lines.length === 0) return undefined
  return new ContentSpaceError('frozen', 'The lockfile is frozen but out of date:', {
    lines: [...new Set(lines)].toSorted(compareStrings),
    hint: nextStep(replaced),
  })
}

/** Returns the command that resolves differences. @param replaced as in `Differences` */
export function nextStep(replaced: readonly string[]): string {
  if (replaced.length === 0)
    return 'Run `npx content-space sync`, or `npx content-space update` for new versions, and commit the changes.'
  const kits = [...new Set(replaced)].toSorted(compareStrings)
  const commands = kits.map((kit) => `\`npx content-space update ${kit}\``).join(', ')
  return [
    'The content of a locked version was replaced.',
    '`npx content-space diff` lists the differences, except for notes, keywords and order.',
    `To accept it, run ${commands} and commit the changes.`,
  ].join(' ')
}

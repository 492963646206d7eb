import { ContentSpaceError, fileErrors, type ErrorCode } from '../../errors.js'
import type { NamedKit } from '../../kit/named-kit.js'
import { compareStrings } from '../../text/compare.js'

/** Errors about the content of one file. After any other error, the next file would fail in the same way. */
const codes: readonly ErrorCode[] = [...fileErrors, 'unsafeSvg', 'invalidQuery']

export type BadFiles = ReturnType<typeof openBadFiles>

/** Collects the errors of files, so that one run names all bad files. */
export function openBadFiles({ kit, assets }: NamedKit) {
  const errors = new Map<string, ContentSpaceError>()
  return {
    /** Runs the work for a file. @throws errors that do not concern a single file */
    async collect(work: () => Promise<void>): Promise<void> {
      try {
        await work()
      } catch (error) {
        if (!(error instanceof ContentSpaceError) || !codes.includes(error.code)) throw error
        errors.set(error.summary, error)
      }
    },
    /** @throws ContentSpaceError the one that was collected, or one that lists all of them */
    check(): void {
      const [first, ...others] = [...errors.values()].toSorted((a, b) => compareStrings(a.summary, b.summary))
      if (first === undefined) return
      if (others.length === 0) throw first
      const bad = [first, ...others]
      const slugs = bad.flatMap(({ facts }) => (facts.asset === undefined ? [] : (assets.get(facts.asset)?.slug ?? [])))
      const flags = [...new Set(slugs)].toSorted(compareStrings).join(' ')
      throw new ContentSpaceError(first.code, `${bad.length} files of kit ${kit.name} cannot be used:`, {
        kit: kit.uuid,
        version: kit.version,
        lines: bad.map(({ summary }) => summary),
        hint: `Correct them in the space, or leave them out: --exclude ${flags}`,
        cause: first,
      })
    },
  }
}

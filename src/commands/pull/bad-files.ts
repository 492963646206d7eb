import { ContentSpaceError, fileErrors, type ErrorCode } from '../../errors.js'
import type { NamedKit } from '../../kit/named-kit.js'
import { compareStrings } from '../../text/compare.js'
import { shortList } from '../../text/quantities.js'

/** Errors that concern the content of a single file. Any other error would also affect the next file. */
const codes: readonly ErrorCode[] = [...fileErrors, 'unsafeSvg', 'invalidQuery']

export type BadFiles = ReturnType<typeof openBadFiles>

/** Collects the errors about files of all kits, so that one run names all bad files. */
export function openBadFiles() {
  const found = new Map<string, { error: ContentSpaceError; named: NamedKit }>()
  return {
    /** Runs the work for a file or a whole kit. @throws any error that doesn't concern a single file */
    async collect(named: NamedKit, work: () => Promise<void>): Promise<void> {
      try {
        await work()
      } catch (error) {
        if (!(error instanceof ContentSpaceError) || !codes.includes(error.code)) throw error
        found.set(`${named.kit.uuid}@${named.kit.version} ${error.summary}`, { error, named })
      }
    },
    /**
     * @throws ContentSpaceError the only collected error, or an error that lists all errors of one kit or of all kits
     */
    check(only?: NamedKit): void {
      const [first, ...others] = [...found.values()]
        .filter(({ named }) => only === undefined || named.kit === only.kit)
        .toSorted((a, b) => compareStrings(a.error.summary, b.error.summary))
      if (first === undefined) return
      if (others.length === 0) throw first.error
      const bad = [first, ...others]
      const kits = [...new Set(bad.map(({ named }) => named))]
      const slugs = bad.flatMap(({ error: { facts }, named: { assets } }) =>
        facts.asset === undefined ? [] : (assets.get(facts.asset)?.slug ?? []),
      )
      const flags = [...new Set(slugs)].toSorted(compareStrings).join(' ')
      const names = kits.map(({ kit }) => kit.name).toSorted(compareStrings)
      const owner = names.length === 1 ? `kit ${names[0]}` : `the kits ${shortList(names)}`
      throw new ContentSpaceError(first.error.code, `${bad.length} files of ${owner} cannot be used:`, {
        ...(kits.length === 1 && { kit: first.named.kit.uuid, version: first.named.kit.version }),
        lines: bad.map(({ error, named }) => (kits.length === 1 ? '' : `${named.kit.name}: `) + error.summary),
        hint: `Correct them in the space, or leave them out: --exclude ${flags}`,
        cause: first.error,
      })
    },
  }
}

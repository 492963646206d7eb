import { ContentSpaceError, type ErrorCode } from '../errors.js'
import type { NamedKit } from '../kit/named-kit.js'
import { provisionalIn } from '../kit/processing.js'
import { hasUse, type NeededParts } from '../lock/table.js'
import type { LockSession } from '../lock/session.js'
import type { KitReference } from '../request/request.js'
import type { Space } from '../space/space.js'
import { shortList, versionText } from '../text/quantities.js'
import type { KitIndex } from './kit-index.js'
import type { openLoadedVersions } from './loaded-versions.js'
import { isPastRevision, type VersionReference } from './versions.js'

/** The part of a kit that an import needs, and its inputs. */
export interface Answer<T> {
  named: NamedKit
  value: T
  use: NeededParts
  /** Whether the kit contains only the part of its content that is in the lockfile. */
  isPartial: boolean
}

/**
 * Reads the part of a kit that an import needs.
 * @param isPartial whether the kit contains only the locked content, so that anything missing must be an error
 */
export type Read<T> = (named: NamedKit, isPartial: boolean) => Pick<Answer<T>, 'value' | 'use'>

/** The codes of errors about content that an import needs but the kit lacks. */
const missingErrors: readonly ErrorCode[] = [
  'sectionNotFound',
  'headingNotFound',
  'assetNotFound',
  'unknownExport',
  'ambiguousName',
]

/** Errors of a service that temporarily can't list a kit. */
const unavailableErrors: readonly ErrorCode[] = ['unreachable', 'offline', 'rateLimited', 'serverError', 'sourceFailed']

interface AnswersContext {
  space: Space
  lock: Pick<LockSession, 'version' | 'lockedKit'>
  index: Pick<KitIndex, 'lockedUuid'>
  versions: Pick<ReturnType<typeof openLoadedVersions>, 'locked'>
  frozen: boolean
  load: (reference: KitReference) => Promise<NamedKit>
  warn: (message: string) => void
}

/** Answers imports from the lockfile, with listings as a fallback. */
export function openAnswers({ space, lock, index, versions, frozen, load, warn }: AnswersContext) {
  /** Answers from the lockfile alone, or returns undefined if it lacks anything that the import needs. */
  async function answerLocked<T>(version: VersionReference, read: Read<T>): Promise<Answer<T> | undefined> {
    const found = await versions.locked(version)
    if (found === undefined) return undefined
    const { named, table } = found
    try {
      const { value, use } = read(named, true)
      const isSamePattern = table.darkPattern === named.dark.pattern
      return isSamePattern && hasUse(table, use) ? { named, value, use, isPartial: true } : undefined
    } catch (error) {
      const isComplete = table.whole?.['kit'] !== undefined
      if (!(error instanceof ContentSpaceError) || !missingErrors.includes(error.code) || isComplete) throw error
      // Don't list a frozen kit merely because an asset was removed or renamed.
      if (frozen && isFormer(error, named)) throw error
      return undefined
    }
  }

  /**
   * Reads the part of a kit that an import needs: from the lockfile if the lockfile contains all of it, otherwise from
   * the listing.
   * @throws ContentSpaceError `frozen` if a frozen lockfile lacks this part; any error of `load`
   */
  async function answer<T>(reference: KitReference, read: Read<T>): Promise<Answer<T>> {
    const lockedUse = lockedVersion(reference)
    const known = lockedUse && (await answerLocked(lockedUse, read))
    const names = known ? provisionalOf(known) : []
    if (known && (frozen || names.length === 0)) {
      if (names.length > 0) warn(provisionalWarning(known, names, 'Run `npx content-space sync` to check again.'))
      return known
    }
    requireLocked(reference)
    try {
      return await answerFrom(reference, read)
    } catch (error) {
      if (known === undefined || !isAway(error)) throw error
      warn(provisionalWarning(known, names, `The next build asks the service again: ${error.summary}`))
      return known
    }
  }

  async function answerFrom<T>(reference: KitReference, read: Read<T>): Promise<Answer<T>> {
    const named = await load(reference)
    return { named, ...read(named, false), isPartial: false }
  }

  /** Returns the version of a reference if the lockfile has it. */
  function lockedVersion({ kit, version: selector }: KitReference): VersionReference | undefined {
    const uuid = index.lockedUuid(kit)
    const version = uuid === undefined ? undefined : lock.version(uuid, selector)
    return uuid === undefined || version === undefined || version === 0 ? undefined : { uuid, version }
  }

  /**
   * Checks that a reference may be listed. With a frozen lockfile, only drafts may.
   * @throws ContentSpaceError `frozen` for any other version
   */
  function requireLocked({ kit, version }: KitReference): void {
    const uuid = index.lockedUuid(kit)
    const found = uuid === undefined ? undefined : lock.version(uuid, version)
    if (!frozen || found === 0) return
    const { name = kit } = (uuid === undefined ? undefined : lock.lockedKit(uuid)) ?? {}
    const asked = version === 'use' ? '' : ` (${versionText(version)})`
    const what = found === undefined ? `Kit ${name}${asked}` : `This import of kit ${name} (${versionText(found)})`
    throw new ContentSpaceError('frozen', `${what} is not in the lockfile, which is frozen.`, {
      hint: 'Run `npx content-space sync` and commit the lockfile.',
    })
  }

  return {
    answer,
    lockedVersion,
    requireLocked,
    /** Reads from the listing, or from the lockfile if the space temporarily can't list the kit. */
    async answerListed<T>(this: void, reference: KitReference, read: Read<T>): Promise<Answer<T>> {
      try {
        return await answerFrom(reference, read)
      } catch (error) {
        const version = lockedVersion(reference)
        const isPast = version !== undefined && isPastRevision(error, version.uuid, space)
        const known = version && (isPast || isAway(error)) ? await answerLocked(version, read) : undefined
        if (known === undefined || !(error instanceof ContentSpaceError)) throw error
        const { name } = known.named.kit
        if (isPast) warn(`${error.summary} ${error.hint}`)
        else if (error.code !== 'offline')
          warn(`Kit ${name} cannot be listed, so this run knows only the assets in the lockfile: ${error.summary}`)
        return known
      }
    },
  }
}

function isAway(error: unknown): error is ContentSpaceError {
  return error instanceof ContentSpaceError && unavailableErrors.includes(error.code)
}

/**
 * Returns the names of the content that an import needs, if the service was still processing this content when we
 * locked it.
 */
function provisionalOf({ named: { kit }, use }: Answer<unknown>): string[] {
  const [part] = use.whole ?? []
  const isWhole = part !== undefined && part !== 'outline'
  const assets = isWhole ? Object.values(kit.assets) : [...use.assets].flatMap((uuid) => kit.assets[uuid] ?? [])
  const items = isWhole ? kit.sections.flatMap((section) => section.items) : []
  const found = provisionalIn({ assets, items })
  return [...found.assets, ...found.items]
}

function provisionalWarning({ named }: Answer<unknown>, names: readonly string[], next: string): string {
  const { name, version } = named.kit
  const what = `${shortList(names)} of kit ${name} (${versionText(version)})`
  return `The lockfile has ${what} as listed while the service was still processing it. ${next}`
}

/** Returns whether an error is about a name that the kit had earlier. */
function isFormer({ facts }: ContentSpaceError, { gone, former }: NamedKit): boolean {
  const names = [facts.asset, facts.export, facts.section].filter((name) => name !== undefined)
  return names.some((name) => gone.has(name) || former.assets.has(name) || former.parts.has(name))
}

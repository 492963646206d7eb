import { ContentSpaceError, ignoreCodes } from '../../errors.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { LockSession } from '../../lock/session.js'
import { scanSources } from '../../source/scan.js'
import type { ResolvedOptions } from '../../config/options.js'
import { parseKit, parseVersion, type Request, type VersionSelector } from '../../request/request.js'
import { breaksIn, type RequestUse } from './breaks.js'
import { compare } from './compare.js'
import { diffOf, type ComparedKit, type Diff } from './report.js'
import { drawKit, type PictureContext } from './pictures.js'
import { createComparisons, type Comparisons } from './comparisons.js'

/** What to compare: two versions of a kit, or what the lock has with what the space has now. */
export interface DiffRequest {
  /**
   * An alias, uuid or slug; `@<version>` behind it is the same as `to`, and goes without. Default: every kit of the
   * lock.
   */
  kit?: string
  /** A number, `draft`, or `use`, which is what the lock pins. Default: what the lock has. */
  from?: number | 'draft' | 'use'
  /** Default: `use`, as the space says now; where `from` is left out too, what each version of the lock means now. */
  to?: number | 'draft' | 'use'
  /** Whether both sides get a small picture. It downloads what the pictures are made from. Default false. */
  pictures?: boolean
  /** Calls it off. */
  signal?: AbortSignal
}

export interface DiffContext extends PictureContext {
  options: ResolvedOptions
  catalog: Pick<Catalog, 'find' | 'useVersion' | 'peek' | 'lastLoaded'>
  memory: Pick<LockSession, 'kits' | 'lockedKit'>
  /** What a specifier of the source asks for. */
  read: (specifier: string) => Request
}

/** Compares kits. */
export interface Differ {
  diff(this: void, request: DiffRequest): Promise<Diff>
  /** What an update would change of these kits, and without pictures. */
  sinceLock(this: void, kits: readonly string[]): Promise<Diff>
}

export function createDiff(context: DiffContext): Differ {
  const { options, catalog, memory, read } = context
  const { sinceLock, between } = createComparisons(context)

  async function statesOf({ kit, from, to }: DiffRequest): Promise<Comparisons[]> {
    const reference = kit === undefined ? undefined : parseKit(kit, options.kits)
    // an alias may name a version, too: only one that is asked for counts here
    const own = kit?.includes('@') ? reference?.version : undefined
    if (own !== undefined && to !== undefined) {
      throw new ContentSpaceError('invalidOption', `${kit} and to are two versions to compare to.`, {
        hint: 'Name the other version with from.',
      })
    }
    const [start, end = own] = [selectorOf(from), selectorOf(to)]
    const kits = reference ? [await catalog.find(reference.kit)] : Object.keys(memory.kits())
    const states = kits.map(async (uuid) =>
      start === undefined && end === undefined ? sinceLock(uuid) : [await between(uuid, start, end ?? 'use')],
    )
    return (await Promise.all(states)).flat()
  }

  /** Every place of the source that asks for something. What is no id is broken already. */
  async function usesInSource(): Promise<RequestUse[]> {
    const uses = await scanSources(options.root, options.scan)
    return uses.flatMap((use) => {
      try {
        return [{ ...use, request: read(use.specifier) }]
      } catch (error) {
        return ignoreCodes('invalidId', 'invalidQuery')(error) ?? []
      }
    })
  }

  async function compareAll(states: readonly Comparisons[]): Promise<ComparedKit[]> {
    const uses = await usesInSource()
    return states.map((kit) => ({ ...kit, pairs: compare(kit.before, kit.after), breaks: breaksIn(uses, kit) }))
  }

  return {
    async diff(request) {
      const compared = await compareAll(await statesOf(request))
      if (!request.pictures) return diffOf(compared)
      const drawn: ComparedKit[] = []
      for (const kit of compared) drawn.push({ ...kit, pictures: await drawKit(kit, context) })
      return diffOf(drawn)
    },
    async sinceLock(kits) {
      const states = await Promise.all(kits.map((kit) => sinceLock(kit)))
      return diffOf(await compareAll(states.flat()))
    },
  }
}

function selectorOf(version: DiffRequest['from']): VersionSelector | undefined {
  const selector = version === undefined ? undefined : parseVersion(String(version))
  if (selector !== undefined || version === undefined) return selector
  throw new ContentSpaceError('invalidOption', `${version} is no version.`, {
    hint: 'A version is a number, draft or use.',
  })
}

import { attempt } from '../../../async/attempt.js'
import { isNameOf } from '../../../kit/lookup.js'
import { isData } from '../../../space/asset-type.js'
import { eachLimit } from '../../../async/each-limit.js'
import { createHash } from 'node:crypto'
import { abortable } from '../../../async/abortable.js'
import { abortSignal, checkEach, flag, text, versionOption, type Checks } from '../../../config/validate.js'
import type { Engine } from '../../../engine/engine.js'
import { ContentSpaceError, ignoreCodes } from '../../../errors.js'
import { readCommittedLock } from '../../../lock/committed.js'
import type { ReplacedFiles } from '../../../lock/drift.js'
import { parseKit, type VersionSelector } from '../../../request/request.js'
import { originOf } from '../../../space/space.js'
import { scanSources } from '../../../source/scan.js'
import { breaksIn, type RequestUse } from './breaks.js'
import { compare, hasUnknownHash, isChanged } from './compare.js'
import { pairStructure } from './compare-structure.js'
import { between, isNamed, requireLocked, sinceLock, type KitComparison } from './comparisons.js'
import type { AddedOrRemoved } from './kits.js'
import { alignRenamed, withoutUnknown } from './side.js'
import { makePictures } from './pictures.js'
import { diffOf, type KitDifferences, type Diff } from './report.js'
import { compareLocks, replacedOriginals, type LockedPair } from './since-commit.js'

/** Selects what to compare: two versions of a kit, or the lockfile with the current state of the space. */
export interface DiffOptions {
  /**
   * Alias, uuid or slug of a kit. `brand@2` is the same as `brand` with `to: 2`. Default: every kit of the lockfile.
   */
  kit?: string
  /** The version to compare from. `use` is the locked version. Default: the locked version. */
  from?: number | 'draft' | 'use'
  /**
   * The version to compare with. `use` is the version that the space currently uses. Default: `use`, or, without
   * `from`, the version that each locked selector currently resolves to.
   */
  to?: number | 'draft' | 'use'
  /**
   * A git commit, such as `HEAD` or `origin/main`. Compares its lockfile with the project's lockfile, instead of
   * comparing versions. If the commit doesn't contain a lockfile, there are no differences.
   */
  since?: string
  /**
   * Adds a small picture to both sides of each entry, and downloads the files that the pictures are made from.
   * @default false
   */
  pictures?: boolean
  /**
   * Downloads the locked files of locked versions again, to find files that were replaced although the service lists
   * the same `file_hash` or doesn't list any.
   * @default false
   */
  download?: boolean
  /** Stops the comparison. */
  signal?: AbortSignal
}

const versionCheck = [versionOption, "a number, 'draft' or 'use'"] as const

const checks = {
  kit: [text, 'the alias, uuid or slug of a kit'],
  from: versionCheck,
  to: versionCheck,
  since: [text, 'a git commit'],
  pictures: flag,
  download: flag,
  signal: abortSignal,
} as const satisfies Checks<keyof DiffOptions>

interface Compared {
  compared: KitDifferences[]
  /** Kits that exist in only one of two lockfiles. */
  single: AddedOrRemoved[]
}

/** @internal */
export async function diff(engine: Engine, request: DiffOptions = {}): Promise<Diff> {
  checkEach(request, checks, 'diff')
  return abortable(compareRequested(engine, request), request.signal)
}

/**
 * Returns the changes that an update of these kits makes, without pictures.
 * @param replaced the files whose bytes the update found changed, by uuid of the kit
 * @internal
 */
export async function diffSinceLock(
  engine: Engine,
  kits: readonly string[],
  replaced: ReadonlyMap<string, ReplacedFiles>,
): Promise<Diff> {
  const comparisons = await Promise.all(kits.map((kit) => sinceLock(engine, kit)))
  const replacedIn = async ({ names }: KitComparison) => [...replaced].find(([uuid]) => names.has(uuid))?.[1].assets
  return diffOf(await compareAll(comparisons.flat(), engine, replacedIn))
}

async function compareRequested(engine: Engine, request: DiffOptions): Promise<Diff> {
  const { compared, single } = await (request.since === undefined ? compareVersions : compareSince)(engine, request)
  if (request.pictures) for (const kit of compared) kit.pictures = await makePictures(kit, engine)
  return diffOf(compared, single)
}

async function compareVersions(engine: Engine, request: DiffOptions): Promise<Compared> {
  const { download = false, signal } = request
  const compared = await compareAll(await comparisonsOf(engine, request), engine, async (kit) =>
    download ? downloadReplaced(kit, engine, signal) : undefined,
  )
  return { compared, single: [] }
}

async function compareSince(engine: Engine, { kit, from, to, since = '' }: DiffOptions): Promise<Compared> {
  if (from !== undefined || to !== undefined || kit?.includes('@')) {
    throw new ContentSpaceError(
      'invalidOption',
      'Option since in diff compares lockfiles, so it cannot be used with a version.',
    )
  }
  const { pairs, single } = await lockedKits(engine, kit, since)
  const replaced = new Set(pairs.flatMap((pair) => [...replacedOriginals(pair)]))
  const comparisons = await Promise.all(pairs.map((pair) => compareLocks(pair, engine)))
  return { compared: await compareAll(comparisons.flat(), engine, async () => replaced), single }
}

async function comparisonsOf(engine: Engine, { kit, from, to }: DiffOptions): Promise<KitComparison[]> {
  const { options, catalog, lock } = engine
  const reference = kit === undefined ? undefined : parseKit(kit, options.kits)
  // Use only a version in the id, although an alias may specify a version, too.
  const named = kit?.includes('@') ? reference?.version : undefined
  if (named !== undefined && to !== undefined) {
    throw new ContentSpaceError('invalidOption', `Both ${kit} and option to specify the version to compare with.`, {
      hint: 'Specify the other version with option from.',
    })
  }
  const [start, end = named] = [selectorOf(from), selectorOf(to)]
  const kits = reference ? [await catalog.find(reference.kit)] : Object.keys(lock.kits())
  if (start === undefined) for (const uuid of kits) requireLocked(engine, uuid, kit?.replace(/@.*/, ''))
  const comparisons = kits.map(async (uuid) =>
    start === undefined && end === undefined
      ? sinceLock(engine, uuid)
      : [await between(engine, uuid, start, end ?? 'use')],
  )
  return (await Promise.all(comparisons)).flat()
}

async function compareAll(
  comparisons: readonly KitComparison[],
  engine: Engine,
  replacedIn: (kit: KitComparison) => Promise<ReadonlySet<string> | undefined>,
): Promise<KitDifferences[]> {
  const uses = await usesInSource(engine)
  const { names: given } = engine.options
  const compared = comparisons.map(async (kit): Promise<KitDifferences> => {
    const before = alignRenamed(kit.before, kit.after)
    const aligned = { ...kit, before, after: before.isPartial ? withoutUnknown(kit.after, before.assets) : kit.after }
    const pairs = compare(before, aligned.after, await replacedIn(kit))
    const structure = pairStructure(before, aligned.after)
    const dark = new Map(given.flatMap((one) => (isNamed(kit, one.kit) ? [...(one.dark?.pairs ?? [])] : [])))
    return { ...aligned, pairs, breaks: breaksIn(uses, aligned, structure, dark), structure }
  })
  return Promise.all(compared)
}

async function lockedKits(
  { options, lock }: Engine,
  kit: string | undefined,
  commit: string,
): Promise<{ pairs: LockedPair[]; single: AddedOrRemoved[] }> {
  const [pairs, single]: [LockedPair[], AddedOrRemoved[]] = [[], []]
  const kits = options.lockfile === false ? undefined : (await readCommittedLock(options.lockfile, commit))?.kits
  if (kits === undefined) return { pairs, single }
  const reference = kit === undefined ? undefined : parseKit(kit, options.kits)
  for (const uuid of new Set([...Object.keys(kits), ...Object.keys(lock.kits())])) {
    const [before, after] = [kits[uuid], lock.lockedKit(uuid)]
    if (reference && ![before, after].some((one) => one && isNameOf(reference.kit, { uuid, ...one }))) continue
    if (before && after) pairs.push({ uuid, before, after })
    else if (after) single.push({ uuid, locked: after, change: 'added' })
    else if (before) single.push({ uuid, locked: before, change: 'removed' })
  }
  return { pairs, single }
}

/** Returns the imports of the source, except invalid ones, which are already broken. */
async function usesInSource({ options, parse }: Engine): Promise<RequestUse[]> {
  const uses = await scanSources(options.root, options.scan)
  return uses.flatMap((use) => {
    const request = attempt(() => parse(use.specifier), ignoreCodes('invalidId', 'invalidQuery'))
    return request ? [{ ...use, request }] : []
  })
}

function selectorOf(version: DiffOptions['from']): VersionSelector | undefined {
  return version === 'draft' ? 0 : version
}

/**
 * Downloads the locked originals of a locked version, and compares their bytes with the lockfile, because a service may
 * replace a file without a visible change in its listing. Bypasses the cache, because it contains the earlier bytes.
 * @returns uuids of assets with different bytes
 */
async function downloadReplaced(
  { before, after, uuid: kit }: KitComparison,
  { space, options }: Engine,
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const replaced = new Set<string>()
  if (after.version === 0) return replaced
  const files = [...before.assets].flatMap(([uuid, was]) => {
    const is = after.assets.get(uuid)
    const expected =
      before.version === after.version || (is && hasUnknownHash(was, is)) ? was.files?.['original'] : undefined
    if (expected === undefined || is?.record === undefined || isData(is.record) || isChanged(was, is)) return []
    return [
      { uuid, expected, hash: is.record.fileHash, size: is.record.size, from: originOf(space, kit, is.record.from) },
    ]
  })
  await eachLimit(files, options.concurrency, signal, async ({ expected, ...target }, call) => {
    const found = await space.download(target, undefined, integrityOfBody, { signal: call })
    if (found !== expected) replaced.add(target.uuid)
  })
  return replaced
}

async function integrityOfBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of body) hash.update(chunk)
  return `sha256-${hash.digest('base64')}`
}

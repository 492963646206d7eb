import { oneLine } from './text/display.js'
import { omitUndefined } from './text/omit-undefined.js'

/** A step of the work. Sizes are in bytes. */
export type ProgressEvent =
  | { type: 'kit'; kit: string; version: number; assets: number }
  | {
      type: 'download'
      asset: string
      name: string
      cut?: string
      size: number
      done: number
      total: number
      cached: boolean
    }
  /**
   * The plan of a pull: how many files it writes, how many of them it downloads, and how many `reused` files are up to
   * date.
   */
  | { type: 'plan'; kit: string; version: number; files: number; bytes: number; downloads: number; reused: number }
  /** A pull has written a file. `bytes` counts the originals so far, out of `totalBytes`. */
  | { type: 'file'; kit: string; name: string; done: number; total: number; bytes: number; totalBytes: number }
  /** Requests are waiting, because they reached the rate limit or the service asked to wait. */
  | { type: 'wait'; seconds: number }

export function waitText(seconds: number): string {
  return `waiting ${seconds} s for the rate limit`
}

/** Creates a listener that announces each wait once, although its event repeats every second. */
export function createWaitListener(say: (line: string) => void): (event: ProgressEvent) => void {
  let until = 0
  return (event) => {
    if (event.type !== 'wait') return
    const now = Date.now()
    if (now >= until) say(waitText(event.seconds))
    until = now + event.seconds * 1000
  }
}

/** The content that a build has used. */
export interface Summary {
  kits: {
    uuid: string
    name: string
    version: number
    assets: number
    /** The number of assets whose files were read. */
    used: number
    /** The total size of these files at the service, in bytes. */
    size: number
    /** Files that the build received, including converted ones. */
    files: number
    /** Files inlined in modules, such as components. */
    inlined: number
    /** The size of `files`, plus the size of inlined files at the service, in bytes. */
    bytes: number
  }[]
  /** HTTP requests, including downloads. */
  requests: number
  downloads: number
  /** The total size of all downloads. */
  bytes: number
  /** Conversions that ran. Results from a cache don't count. */
  conversions: number
  /** Files that the build received, including converted ones. */
  files: number
  /** Where the files or their originals came from. Set only with option `remote`. */
  origins?: { local: number; remote: number; downloaded: number }
  warnings: string[]
}

interface KitStats {
  uuid: string
  name: string
  version: number
  assets: number
  /**
   * Checks whether the kit contains an asset with this file. Absent if the kit wasn't loaded, because its modules came
   * from an earlier run.
   * @param hash `file_hash` of the file that was read
   */
  has?(this: void, asset: string, hash: string | undefined): boolean
}

/** A file of the service, or a file made from it. */
interface CountedFile {
  /** Uuid. */
  asset: string
  label: string
  cut?: string | undefined
  /** As the service lists it. */
  hash?: string | undefined
  recipe?: unknown
}

/** Where this run read a file of the service: from the local or the remote cache. */
type SourceRead = { size: number; cached: boolean; remote?: boolean }

type Origin = keyof NonNullable<Summary['origins']>

export type BuildStats = ReturnType<typeof createBuildStats>

export type BuildCounts = ReturnType<typeof createBuildCounts>

/** Creates the counters of a command, which may run several builds. */
export function createBuildCounts() {
  const totals = { requests: 0, downloads: 0, bytes: 0, conversions: 0 }
  return {
    kits: new Map<string, KitStats>(),
    sources: new Map<string, { asset: string; hash: string | undefined; size: number; origin: Origin }>(),
    /** Uuids and hashes of the assets in modules, by version. */
    shown: new Map<string, Set<string>>(),
    files: new Map<string, { source: string; size: number }>(),
    warnings: new Set<string>(),
    totals,
    /** The totals of earlier builds. */
    earlier: { ...totals },
  }
}

/**
 * Counts what a build uses, and reports each step.
 * @param hasRemote whether option `remote` is set
 * @param counts receives the counts of this build
 */
export function createBuildStats(
  onProgress: (event: ProgressEvent) => void,
  hasRemote = false,
  counts: BuildCounts = createBuildCounts(),
) {
  const { kits, sources, shown, files, warnings, totals } = counts
  const readFrom = (kit: KitStats) =>
    [...sources].filter(([, { asset, hash }]) => {
      const shows = ({ uuid, version }: KitStats) => shown.get(`${uuid}@${version}`)?.has(`${asset} ${hash}`) === true
      const isOwn = kit.has ? kit.has(asset, hash) : shows(kit)
      return isOwn && (shows(kit) || ![...kits.values()].some(shows))
    })
  return {
    /**
     * Records a warning. Makes any content in it safe and keeps it on one line.
     * @param lines a list that follows the message, one entry per line
     */
    warn: (message: string, lines: readonly string[] = []): void =>
      void warnings.add([message, ...lines.map((line) => `  ${line}`)].map(oneLine).join('\n')),
    request: (): void => void totals.requests++,
    conversion: (): void => void totals.conversions++,
    wait(this: void, milliseconds: number): void {
      try {
        onProgress({ type: 'wait', seconds: Math.ceil(milliseconds / 1000) })
      } catch {
        // Ignore errors that the listener throws here. If it also throws for another type of event, we report that
        // error.
      }
    },
    kit(this: void, kit: KitStats): void {
      const { uuid, name, version, assets } = kit
      const before = kits.get(`${uuid}@${version}`)
      if (before && !kit.has) return
      kits.set(`${uuid}@${version}`, kit)
      if (!before || before.has) onProgress({ type: 'kit', kit: name, version, assets })
    },
    /** Records that a module contains assets of this version. Several kits and versions may share a file. */
    use(
      this: void,
      { kit, version }: { kit: string; version: number },
      assets: Iterable<{ uuid: string; fileHash?: string | undefined }>,
    ): void {
      const key = `${kit}@${version}`
      const known = shown.get(key) ?? new Set()
      for (const { uuid, fileHash } of assets) known.add(`${uuid} ${fileHash}`)
      shown.set(key, known)
    },
    /** Counts a file of the service that was read to be returned or converted. */
    source(this: void, counted: CountedFile, { size, cached, remote = false }: SourceRead): void {
      const { asset, label, cut, hash } = counted
      const key = sourceKey(counted)
      if (sources.has(key)) return
      const origin = remote ? 'remote' : cached ? 'local' : 'downloaded'
      sources.set(key, { asset, hash, size, origin })
      if (origin === 'downloaded') {
        totals.downloads++
        totals.bytes += size
      }
      const count = sources.size
      const file = omitUndefined({ asset, name: label, cut })
      onProgress({ type: 'download', ...file, size, done: count, total: count, cached: origin !== 'downloaded' })
    },
    /** Counts a file that the build received. */
    file(this: void, file: CountedFile, size: number): void {
      const source = sourceKey(file)
      files.set(JSON.stringify([source, file.recipe]), { source, size })
    },
    /** Returns the number of requests in all builds. */
    requests: (): number => totals.requests,
    /** Returns the number of conversions in all builds. */
    conversions: (): number => totals.conversions,
    /**
     * Begins another build. That build reads its files again, but it may keep modules with values that are made from
     * files, without reading those files again.
     */
    next(this: void): void {
      for (const { source } of files.values()) sources.delete(source)
      files.clear()
      counts.earlier = { ...totals }
    },
    summary(): Summary {
      const { earlier } = counts
      return {
        kits: [...kits.values()].map((kit) => {
          const { uuid, name, version, assets } = kit
          const own = new Map(readFrom(kit))
          const used = new Set([...own.values()].map(({ asset }) => asset)).size
          const received = [...files.values()].filter(({ source }) => own.has(source))
          const emitted = new Set(received.map(({ source }) => source))
          const inlined = [...own].filter(([source]) => !emitted.has(source)).map(([, source]) => source)
          return {
            uuid,
            name,
            version,
            assets,
            used,
            size: totalSize(own.values()),
            files: received.length,
            inlined: inlined.length,
            bytes: totalSize(received) + totalSize(inlined),
          }
        }),
        requests: totals.requests - earlier.requests,
        downloads: totals.downloads - earlier.downloads,
        bytes: totals.bytes - earlier.bytes,
        conversions: totals.conversions - earlier.conversions,
        files: files.size,
        ...(hasRemote && {
          origins: countOrigins([...files.values()].map(({ source }) => sources.get(source)?.origin)),
        }),
        warnings: [...warnings].toSorted(),
      }
    },
  }
}

function totalSize(files: Iterable<{ size: number }>): number {
  return [...files].reduce((sum, { size }) => sum + size, 0)
}

function sourceKey({ asset, cut, hash }: CountedFile): string {
  return JSON.stringify([asset, cut, hash])
}

function countOrigins(origins: readonly (Origin | undefined)[]): NonNullable<Summary['origins']> {
  const count = (origin: Origin) => origins.filter((one = 'local') => one === origin).length
  return { local: count('local'), remote: count('remote'), downloaded: count('downloaded') }
}

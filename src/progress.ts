import { oneLine } from './text/display.js'

/** One step of the work. Sizes are bytes. */
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
   * What a pull of a kit has to do: files to write, of which so many have to be downloaded; `reused` ones are right
   * as they are.
   */
  | { type: 'plan'; kit: string; version: number; files: number; bytes: number; downloads: number; reused: number }
  /** A file of a pull is written. `bytes` are those of the originals so far, of `totalBytes`. */
  | { type: 'file'; kit: string; name: string; done: number; total: number; bytes: number; totalBytes: number }
  /** Requests are held back, because the rate of downloads is used up or the service asks to wait. */
  | { type: 'wait'; seconds: number }

/** What a build used and totals. */
export interface Summary {
  /** `used` assets are those whose bytes were read; `size` is that of their files at the service, in bytes. */
  kits: { uuid: string; name: string; version: number; assets: number; used: number; size: number }[]
  /** HTTP requests sent, downloads included. */
  requests: number
  downloads: number
  /** Bytes received as downloads. */
  bytes: number
  /** Files given out, converted ones included. */
  files: number
  warnings: string[]
}

/** A version of a kit, with its assets by uuid. */
interface CountedKit {
  uuid: string
  name: string
  version: number
  assets: Readonly<Record<string, unknown>>
}

/** A file of the service, or one that is made of it. */
interface CountedFile {
  /** Uuid. */
  asset: string
  label: string
  cut?: string | undefined
  /** As the service lists it. */
  hash?: string | undefined
  recipe?: unknown
}

/** Counts what a build uses and costs, and reports each step. */
export interface BuildStats {
  /** A warning is one line, whatever content it quotes. */
  warn(this: void, message: string): void
  request(this: void): void
  /** Requests are held back for so many milliseconds. */
  wait(this: void, milliseconds: number): void
  kit(this: void, kit: CountedKit): void
  /** A file of the service was read, to be given out as it is or to make others from. */
  source(this: void, file: CountedFile, read: { size: number; cached: boolean }): void
  /** A file was given out. */
  file(this: void, file: CountedFile): void
  /** What was used since the start. */
  summary(): Summary
}

export function createBuildStats(onProgress: (event: ProgressEvent) => void): BuildStats {
  const kits = new Map<string, CountedKit>()
  const sources = new Map<string, { asset: string; size: number }>()
  const files = new Set<string>()
  const warnings = new Set<string>()
  const totals = { requests: 0, downloads: 0, bytes: 0 }
  return {
    warn: (message) => void warnings.add(oneLine(message)),
    request: () => void totals.requests++,
    wait(milliseconds) {
      try {
        onProgress({ type: 'wait', seconds: Math.ceil(milliseconds / 1000) })
      } catch {
        // A listener that throws throws again at the next event, where the error is reported.
      }
    },
    kit(kit) {
      const { uuid, name, version, assets } = kit
      kits.set(`${uuid}@${version}`, kit)
      onProgress({ type: 'kit', kit: name, version, assets: Object.keys(assets).length })
    },
    source({ asset, label, cut, hash }, { size, cached }) {
      const key = JSON.stringify([asset, cut, hash])
      if (sources.has(key)) return
      sources.set(key, { asset, size })
      if (!cached) {
        totals.downloads++
        totals.bytes += size
      }
      const progress = { size, done: sources.size, total: sources.size, cached }
      onProgress({ type: 'download', asset, name: label, ...(cut === undefined ? {} : { cut }), ...progress })
    },
    file: ({ asset, cut, hash, recipe }) => void files.add(JSON.stringify([asset, cut, hash, recipe])),
    summary() {
      return {
        kits: [...kits.values()].map(({ uuid, name, version, assets }) => {
          const own = [...sources.values()].filter(({ asset }) => Object.hasOwn(assets, asset))
          const used = new Set(own.map(({ asset }) => asset)).size
          return {
            uuid,
            name,
            version,
            assets: Object.keys(assets).length,
            used,
            size: own.reduce((sum, { size }) => sum + size, 0),
          }
        }),
        ...totals,
        files: files.size,
        warnings: [...warnings].toSorted(),
      }
    },
  }
}

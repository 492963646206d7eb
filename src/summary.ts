import { oneLine } from './display.js'
import type { FileDescriptor } from './files/plan.js'
import type { NamedKit } from './kit/named.js'
import type { ProgressEvent } from './options.js'

/** What a build used and paid. */
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

/** Keeps count of a build, and tells of each step. */
export interface Ledger {
  /** A warning is one line, whatever content it quotes. */
  warn(this: void, message: string): void
  request(this: void): void
  /** Requests are held back for so many milliseconds. */
  wait(this: void, milliseconds: number): void
  kit(this: void, kit: NamedKit): void
  /** A file of the service was read, to be given out as it is or to make others from. */
  source(this: void, file: FileDescriptor, read: { size: number; cached: boolean }): void
  /** A file was given out. */
  file(this: void, file: FileDescriptor): void
  /** What was used since the ledger was opened. */
  summary(): Summary
}

export function openLedger(onProgress: (event: ProgressEvent) => void): Ledger {
  const kits = new Map<string, NamedKit>()
  const sources = new Map<string, { asset: string; size: number }>()
  const files = new Set<string>()
  const warnings = new Set<string>()
  const paid = { requests: 0, downloads: 0, bytes: 0 }
  return {
    warn: (message) => void warnings.add(oneLine(message)),
    request: () => void paid.requests++,
    wait(milliseconds) {
      try {
        onProgress({ type: 'wait', seconds: Math.ceil(milliseconds / 1000) })
      } catch {
        // Whoever throws throws at the next step as well, and there somebody hears of it.
      }
    },
    kit(named) {
      const { uuid, name, version, assets } = named.kit
      kits.set(`${uuid}@${version}`, named)
      onProgress({ type: 'kit', kit: name, version, assets: Object.keys(assets).length })
    },
    source({ asset, label, cut, hash }, { size, cached }) {
      const key = JSON.stringify([asset, cut, hash])
      if (sources.has(key)) return
      sources.set(key, { asset, size })
      if (!cached) {
        paid.downloads++
        paid.bytes += size
      }
      const progress = { size, done: sources.size, total: sources.size, cached }
      onProgress({ type: 'download', asset, name: label, ...(cut === undefined ? {} : { cut }), ...progress })
    },
    file: ({ asset, cut, hash, recipe }) => void files.add(JSON.stringify([asset, cut, hash, recipe])),
    summary() {
      return {
        kits: [...kits.values()].map(({ kit: { uuid, name, version, assets } }) => {
          const own = [...sources.values()].filter(({ asset }) => Object.hasOwn(assets, asset))
          const used = new Set(own.map(({ asset }) => asset)).size
          return { uuid, name, version, assets: Object.keys(assets).length, used, size: own.reduce((sum, { size }) => sum + size, 0) }
        }),
        ...paid,
        files: files.size,
        warnings: [...warnings].toSorted(),
      }
    },
  }
}

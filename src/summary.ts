import type { FileDescriptor } from './files/plan.js'
import type { NamedKit } from './kit/named.js'
import type { ProgressEvent } from './options.js'

/** What a build used and paid. */
export interface Summary {
  /** `size` is that of all files made of its assets, in bytes. */
  kits: { uuid: string; name: string; version: number; assets: number; used: number; size: number }[]
  /** HTTP requests sent, downloads included. */
  requests: number
  downloads: number
  /** Bytes received as downloads. */
  bytes: number
  files: number
  warnings: string[]
}

/** Keeps count of a build, and tells of each step. */
export interface Ledger {
  warn(this: void, message: string): void
  request(this: void): void
  kit(this: void, kit: NamedKit): void
  file(this: void, file: FileDescriptor, read: { size: number; cached: boolean }): void
  /** What was used since the ledger was opened. */
  summary(): Summary
}

export function openLedger(onProgress: (event: ProgressEvent) => void): Ledger {
  const kits = new Map<string, NamedKit>()
  const files = new Map<string, { asset: string; size: number }>()
  const warnings = new Set<string>()
  const paid = { requests: 0, downloads: 0, bytes: 0 }
  return {
    warn: (message) => void warnings.add(message),
    request: () => void paid.requests++,
    kit(named) {
      const { uuid, name, version, assets } = named.kit
      kits.set(`${uuid}@${version}`, named)
      onProgress({ type: 'kit', kit: name, version, assets: Object.keys(assets).length })
    },
    file(file, { size, cached }) {
      const key = [file.asset, file.cut, file.recipe].join('\n')
      if (files.has(key)) return
      files.set(key, { asset: file.asset, size })
      if (!cached) {
        paid.downloads++
        paid.bytes += size
      }
      const progress = { done: files.size, total: files.size, size, cached }
      onProgress({ type: 'download', asset: file.asset, name: file.label, ...(file.cut === undefined ? {} : { cut: file.cut }), ...progress })
    },
    summary() {
      return {
        kits: [...kits.values()].map(({ kit: { uuid, name, version, assets } }) => {
          const own = [...files.values()].filter(({ asset }) => Object.hasOwn(assets, asset))
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

import type { NamedKit } from '../kit/named-kit.js'
import { revisionsOf } from './record.js'
import type { Lock, LockedKit } from './schema.js'

/** A file as it was listed when it was downloaded. */
export interface DownloadedFile {
  /** Uuid. */
  asset: string
  /** Absent for the original. */
  cut?: string | undefined
  /** The `file_hash` that was listed. The download belongs to this revision of the file. */
  hash?: string | undefined
}

export function createDownloads() {
  /** By asset, then by cut and revision. */
  const downloads = new Map<string, Map<string, DownloadedFile & { integrity: string }>>()
  let count = 0
  return {
    /** Changes with each download that differs from an earlier one of the file. */
    count: () => count,
    add(this: void, file: DownloadedFile, integrity: string): void {
      const files = downloads.get(file.asset) ?? new Map()
      const key = JSON.stringify([file.cut, file.hash])
      if (files.get(key)?.integrity === integrity) return
      count++
      downloads.set(file.asset, files.set(key, { ...file, integrity }))
    },
    /**
     * Returns the lock with the hashes of the downloads. For files that were not downloaded in this run, keeps
     * the hashes of the same revision.
     * @param before the lockfile as it was read
     */
    addTo(lock: Lock, before: Lock, loaded: readonly NamedKit[]): Lock {
      const kits = Object.entries(lock.kits).map(([uuid, kit]) => {
        const changed: LockedKit['assets'] = {}
        const own = loaded.filter((named) => named.kit.uuid === uuid)
        for (const [asset, locked] of Object.entries(kit.assets)) {
          const was = before.kits[uuid]?.assets[asset]
          const known = was ? revisionsOf(was) : {}
          if (Object.keys(known).length === 0 && !downloads.has(asset)) continue
          const files = { ...known[locked.file_hash ?? ''], ...locked.files }
          const others = Object.entries(known).filter(([hash]) => isListed(asset, hash, own))
          const revisions = { ...Object.fromEntries(others), ...locked.revisions }
          delete revisions[locked.file_hash ?? '']
          for (const { cut = 'original', hash, integrity } of downloads.get(asset)?.values() ?? []) {
            if (hash === locked.file_hash && isListed(asset, hash, loaded)) files[cut] = integrity
            else if (hash !== undefined && isListed(asset, hash, own))
              revisions[hash] = { ...revisions[hash], [cut]: integrity }
          }
          const all = {
            ...(Object.keys(files).length > 0 && { files }),
            ...(Object.keys(revisions).length > 0 && { revisions }),
          }
          changed[asset] = { ...locked, ...all }
        }
        return [uuid, { ...kit, assets: { ...kit.assets, ...changed } }] as const
      })
      return { ...lock, kits: Object.fromEntries(kits) }
    },
  }
}

/** Whether a loaded kit lists this revision of a file. A draft may have changed since the download. */
function isListed(asset: string, hash: string | undefined, loaded: readonly NamedKit[]): boolean {
  return loaded.some(({ kit }) => Object.hasOwn(kit.assets, asset) && kit.assets[asset]?.fileHash === hash)
}

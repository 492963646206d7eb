import type { Query } from '../query.js'
import { isData } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'
import { chooseCut } from './cuts.js'
import { extensionOf, fileBase } from './file-name.js'

/**
 * One file of the output, described so that any process can make it from the description alone:
 * bundlers with a cache on disk load no module again, so nothing may live in memory only.
 */
export interface FileDescriptor {
  /** uuid of the asset. */
  asset: string
  /** The asset's name, for messages. */
  label: string
  /** ASCII base name of the output file, without extension. */
  name: string
  /** Extension of the output file, without dot. */
  ext: string
  /** Type of the original, as the service spells it. */
  type: string
  /** `file_hash` of the original as the listing gave it: the revision. */
  hash?: string
  /** Size of the original in bytes. */
  size?: number
  /** The service's cut to take, as the service spells it. */
  cut?: string
  /** Canonical recipe of what sharp, svgo and the sanitiser do; absent: the bytes of the service. */
  recipe?: string
}

/** A string of the module that needs the bytes of a file. */
export interface ValueDescriptor {
  file: FileDescriptor
  as: 'raw' | 'inline' | 'placeholder'
}

/** What an asset and a query amount to. No bytes are needed to make it. */
export interface AssetPlan {
  /** Absent for an asset that is data, and for `as=metadata`. */
  src?: FileDescriptor
  format?: string
  width?: number
  height?: number
  srcset?: SrcsetEntry[]
  sources?: { type: string; srcset: SrcsetEntry[] }[]
  value?: ValueDescriptor
  placeholder?: ValueDescriptor
}

export interface SrcsetEntry {
  file: FileDescriptor
  /** `640w` or `2x` */
  descriptor: string
}

/**
 * What an asset and a query amount to.
 * @throws ContentSpaceError `fileCutUnavailable`
 */
export function planAsset(asset: AssetRecord, query: Query): AssetPlan {
  if (isData(asset) || query.as === 'metadata') return {}
  const cut = query.cut && chooseCut(asset, query.cut.type, query.cut.orOriginal)
  const ext = extensionOf(cut ?? asset.type)
  const { uuid, name, type, fileHash, size, width, height } = asset
  const src: FileDescriptor = {
    asset: uuid,
    label: name,
    name: fileBase(asset),
    ext,
    type,
    ...(fileHash === undefined ? {} : { hash: fileHash }),
    ...(size === undefined ? {} : { size }),
    ...(cut === undefined ? {} : { cut }),
  }
  return {
    src,
    format: ext,
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(query.as === 'raw' || query.as === 'inline' ? { value: { file: src, as: query.as } } : {}),
  }
}

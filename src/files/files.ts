import { createHash } from 'node:crypto'
import { ContentSpaceError } from '../errors.js'
import type { Space } from '../space/space.js'
import type { FileDescriptor, ValueDescriptor } from './plan.js'
import { mismatch } from './sniff.js'
import { openStore } from './store.js'

export interface FilesContext {
  space: Space
  /** Absolute path. */
  cacheDir: string
  offline: boolean
  strict: boolean
  warn: (message: string) => void
  /** The `sha256-…` that the lock has for an original or a cut. */
  locked: (asset: string, cut: string | undefined) => string | undefined
  /** Told of each file that is read, once per reading. */
  onFile: (file: FileDescriptor, read: { integrity: string; size: number; cached: boolean }) => void
}

/** Bytes of files. */
export interface Files {
  /** @throws ContentSpaceError what the download throws; `contentMismatch`, `integrity`, `offline` */
  bytes(file: FileDescriptor): Promise<Uint8Array>
  /** A text made of the bytes: the text of the file, or a data URI. */
  value(value: ValueDescriptor): Promise<string>
}

export function createFiles(context: FilesContext): Files {
  const store = openStore(context.cacheDir, context.warn)

  async function bytes(file: FileDescriptor): Promise<Uint8Array> {
    const stored = await store.get(keyOf(file, context.space.key), () => download(file, context))
    compare(file, stored.integrity, context)
    context.onFile(file, { integrity: stored.integrity, size: stored.bytes.length, cached: stored.cached })
    return stored.bytes
  }

  return {
    bytes,
    async value({ file, as }) {
      const data = Buffer.from(await bytes(file))
      return as === 'raw' ? data.toString() : `data:${mediaTypes[file.ext] ?? 'application/octet-stream'};base64,${data.toString('base64')}`
    },
  }
}

const mediaTypes: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  tiff: 'image/tiff',
  pdf: 'application/pdf',
  webp: 'image/webp',
  avif: 'image/avif',
}

/** The service's own hash stands for the revision: a download says nothing of versions. */
function keyOf({ asset, hash, cut }: FileDescriptor, space: string): string {
  return ['file', space, asset, hash ?? 'unhashed', cut ?? 'original'].join('\n')
}

async function download(file: FileDescriptor, { space, offline, strict, warn }: FilesContext): Promise<Uint8Array> {
  const { asset, label, size, cut, type, hash } = file
  if (offline) {
    throw new ContentSpaceError('offline', `${label} is not in the cache${cut ? ` as ${cut}` : ''}.`, {
      asset,
      hint: 'Build once without `offline`, or take the cache of a machine that did.',
    })
  }
  const bytes = await space.download({ uuid: asset, size }, cut)
  const found = await mismatch(bytes, cut ?? type)
  if (found !== undefined) {
    throw new ContentSpaceError('contentMismatch', `${label} should be ${cut ?? type} and is ${found}.`, {
      asset,
      hint: 'Upload the file again under its right type.',
    })
  }
  if (cut === undefined && !hashMatches(bytes, hash)) {
    const message = `${label} does not have the file_hash that the service lists (${hash}).`
    if (strict) throw new ContentSpaceError('contentMismatch', message, { asset })
    warn(message)
  }
  return bytes
}

/** The interface does not name the algorithm of `file_hash`: its length tells it. */
const algorithms: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' }

function hashMatches(bytes: Uint8Array, hash: string | undefined): boolean {
  const algorithm = hash && algorithms[hash.length]
  return algorithm === undefined || algorithm === '' || createHash(algorithm).update(bytes).digest('hex') === hash
}

/** The service may make a cut anew for each request, so only originals must stay the same. */
function compare({ asset, label, cut }: FileDescriptor, integrity: string, { locked, strict, warn }: FilesContext): void {
  const expected = locked(asset, cut)
  if (expected === undefined || expected === integrity) return
  const message = `${label}${cut ? ` as ${cut}` : ''} is ${integrity}, and the lock has ${expected}.`
  if (cut !== undefined && !strict) return warn(message)
  throw new ContentSpaceError('integrity', message, {
    asset,
    hint: 'If the change is wanted, run `content-space update`.',
  })
}

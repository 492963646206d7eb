import { createHash } from 'node:crypto'
import { ContentSpaceError } from '../errors.js'
import type { Call, Space } from '../space/space.js'
import type { FileDescriptor } from './plan.js'
import { mismatch } from './sniff.js'
import type { Store, Stored } from './store.js'

/** What the service has: originals and cuts, checked when they come and whenever they are read. */
export interface Sources {
  /** @throws ContentSpaceError what the download throws; `contentMismatch`, `integrity`, `offline` */
  read(file: FileDescriptor, call?: Call): Promise<Stored>
  /** The hash alone, without the bytes where they are in the cache. */
  look(file: FileDescriptor, call?: Call): Promise<Look>
  /** Whether it can be read without a download. */
  has(file: FileDescriptor): Promise<boolean>
}

type Look = Omit<Stored, 'bytes'> & { size: number }

export interface SourceContext {
  space: Space
  offline: boolean
  strict: boolean
  /** Whether the lock may not change: a cut that differs is an error then, as it is under `strict`. */
  frozen: boolean
  warn: (message: string) => void
  /** The `sha256-…` that the lock has for an original or a cut. */
  locked: (asset: string, cut: string | undefined) => string | undefined
}

export function openSources(store: Store, context: SourceContext): Sources {
  const { space, locked } = context
  /** Several files are made of one, and each asks for its hash. */
  const looked = new Map<string, Look>()

  /** The service may make a cut anew for each request: the first bytes that were seen go on being used. */
  async function readLocked({ asset, cut }: FileDescriptor): Promise<Stored | undefined> {
    const expected = locked(asset, cut)
    // Offline, what the lock names is there under whatever key it came.
    const byHash = cut !== undefined || context.offline
    return byHash && expected !== undefined ? store.content(expected) : undefined
  }

  async function read(file: FileDescriptor, call?: Call): Promise<Stored> {
    const expected = locked(file.asset, file.cut)
    const stored = (await readLocked(file)) ?? (await store.get(keyOf(file, space.key), () => download(file, context, call)))
    compare(file, stored.integrity, expected, context)
    return stored
  }

  return {
    read,
    async look(file, call) {
      const key = keyOf(file, space.key)
      const known = looked.get(key) ?? (await store.look(key))
      if (known) looked.set(key, known)
      const expected = locked(file.asset, file.cut)
      if (known && (expected === undefined || expected === known.integrity)) return known
      const { bytes, integrity, cached } = await read(file, call)
      return { integrity, cached, size: bytes.length }
    },
    has: async (file) => ((await store.look(keyOf(file, space.key))) ?? (await readLocked(file))) !== undefined,
  }
}

/** The service's own hash stands for the revision: a download says nothing of versions. */
function keyOf({ asset, hash, updated, cut }: FileDescriptor, space: string): string {
  return ['file', space, asset, hash ?? updated ?? 'unhashed', cut ?? 'original'].join('\n')
}

async function download(file: FileDescriptor, { space, offline, strict, warn }: SourceContext, call: Call | undefined): Promise<Uint8Array> {
  const { asset, label, size, cut, type, hash } = file
  if (offline) {
    throw new ContentSpaceError('offline', `${label} is not in the cache${cut ? ` as ${cut}` : ''}.`, {
      asset,
      hint: 'Build once without `offline`, or take the cache of a machine that did.',
    })
  }
  const bytes = await space.download({ uuid: asset, size, hash }, cut, call)
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

/** Only originals must stay the same. */
function compare(
  { asset, label, cut }: FileDescriptor,
  integrity: string,
  expected: string | undefined,
  { strict, frozen, warn }: SourceContext,
): void {
  if (expected === undefined || expected === integrity) return
  const message = `${label}${cut ? ` as ${cut}` : ''} is ${integrity}, and the lock has ${expected}.`
  if (cut !== undefined && !strict && !frozen) return warn(message)
  throw new ContentSpaceError('integrity', message, {
    asset,
    hint: 'If the change is wanted, run `content-space update`.',
  })
}

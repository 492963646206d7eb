import { createHash } from 'node:crypto'
import { eachLimit } from '../../async/each-limit.js'
import { isData } from '../../space/asset-type.js'
import type { Space } from '../../space/space.js'
import { isChanged } from './compare.js'
import type { KitComparison } from './comparisons.js'

/**
 * Downloads the locked originals of a locked version, and compares their bytes with the lockfile: a service may replace
 * a file and list nothing that shows it. Neither reads nor writes the cache, which has the earlier bytes.
 * @returns uuids of assets with other bytes
 */
export async function downloadReplaced(
  { before, after }: Pick<KitComparison, 'before' | 'after'>,
  space: Pick<Space, 'download'>,
  concurrency: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<Set<string>> {
  const replaced = new Set<string>()
  if (before.version !== after.version || after.version === 0) return replaced
  const files = [...before.assets].flatMap(([uuid, was]) => {
    const is = after.assets.get(uuid)
    const expected = was.files?.['original']
    if (expected === undefined || is?.record === undefined || isData(is.record) || isChanged(was, is)) return []
    return [{ uuid, expected, hash: is.record.fileHash, size: is.record.size }]
  })
  await eachLimit(files, concurrency, signal, async ({ uuid, expected, hash, size }, call) => {
    const found = await space.download({ uuid, hash, size }, undefined, integrityOfBody, { signal: call })
    if (found !== expected) replaced.add(uuid)
  })
  return replaced
}

/** Hashes a body without keeping it. */
async function integrityOfBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of body) hash.update(chunk)
  return `sha256-${hash.digest('base64')}`
}

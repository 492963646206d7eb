import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import PQueue from 'p-queue'
import { algorithms } from '../../../files/download.js'
import { differenceOf, isDrawing, isLarge, lookAt, startOf, type Look } from './look.js'
import type { Known, KnownAsset } from './known.js'
import type { Finding } from './report.js'

/** A finding without its file and line. */
export type Match = Omit<Finding, 'file' | 'line'>

/**
 * The maximum differences, as returned by `differenceOf`. They are based on measured data (docs/audit.md), which
 * `bench/audit.ts` prints.
 */
export const thresholds = { redrawn: 0.04, likeness: 0.2 } as const

interface Matcher {
  /** Compares bytes with the assets, and returns the most certain finding. */
  match(this: void, bytes: Uint8Array): Promise<Match | undefined>
  /** Compares only the bytes of a file, which may have any size. */
  matchFile(this: void, path: string): Promise<Match | undefined>
}

export function createMatcher({ hashes, looks }: Known): Matcher {
  const lengths = new Set([...hashes.keys()].map((key) => key.length))
  const used = Object.entries(algorithms).flatMap(([length, name]) => (lengths.has(Number(length)) ? [name] : []))
  const large = new PQueue({ concurrency: 1 })
  const sameAs = (digests: readonly string[]): Match | undefined => {
    const same = digests.flatMap((digest) => hashes.get(digest) ?? [])[0]
    return same && { finding: same.version === undefined ? 'copy' : 'outdated', ...same }
  }
  return {
    async match(bytes) {
      const same = sameAs(used.map((name) => hash(name, bytes, 'hex')))
      if (same || looks.length === 0 || !hasPictureBytes(bytes)) return same
      // Large pictures need a lot of memory while they are decoded.
      const look = async () => lookAt(bytes)
      const found = await ((await isLarge(bytes)) ? large.add(look) : look())
      return mostAlike(found, isDrawing(bytes), looks)
    },
    async matchFile(path) {
      const digests = used.map((name) => createHash(name))
      for await (const piece of createReadStream(path)) for (const digest of digests) digest.update(piece)
      return sameAs(digests.map((digest) => digest.digest('hex')))
    },
  }
}

/** If assets look the same, prefer an SVG to a picture that was made from it, such as an animation. */
const preference = 0.01

/** Returns the most similar asset. If several are equally similar, returns the first. */
function mostAlike(found: readonly Look[], drawing: boolean, known: Known['looks']): Match | undefined {
  let best: { asset: KnownAsset; isDrawing: boolean; difference: number; score: number } | undefined
  for (const { asset, isDrawing: isKnownDrawing, looks } of known) {
    const handicap = isKnownDrawing ? 0 : preference
    for (const one of looks) {
      for (const look of found) {
        const limit = Math.min(thresholds.likeness, (best?.score ?? 1) - handicap)
        const difference = limit > 0 ? differenceOf(look, one, limit) : Infinity
        const score = difference + handicap
        if (difference <= limit && score < (best?.score ?? 1))
          best = { asset, isDrawing: isKnownDrawing, difference, score }
      }
    }
  }
  if (best === undefined) return undefined
  const { asset, isDrawing: isKnownDrawing, difference } = best
  const isRedrawn = drawing && isKnownDrawing && difference <= thresholds.redrawn
  const similarity = Math.floor((1 - difference) * 1000) / 1000
  return { finding: isRedrawn ? 'redrawn' : 'likeness', ...asset, similarity }
}

/** Returns whether bytes start like a picture: SVG, PNG, JPEG, GIF, WebP, TIFF, or AVIF. */
export function hasPictureBytes(bytes: Uint8Array): boolean {
  return isDrawing(bytes) || /^(?:\x89PNG|\xff\xd8|GIF8|RIFF|II\*|MM\0|.{4}ftyp)/s.test(startOf(bytes))
}

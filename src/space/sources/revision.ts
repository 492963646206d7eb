import { createHash } from 'node:crypto'

/** The least version of this kind. Versions have at most 15 digits, and services count from 1. */
const first = 100_000_000_000_000

/**
 * Returns the version that stands for the revision of a source: the number itself, or else one that is derived from the
 * text.
 */
export function versionOf(revision: string): number {
  if (/^[1-9]\d{0,14}$/.test(revision)) return Number(revision)
  const digest = createHash('sha256').update(revision).digest()
  return first + (digest.readUIntBE(0, 6) % (9 * first))
}

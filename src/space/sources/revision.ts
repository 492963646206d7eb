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

/** Digits of `revisionHash`. The hash of a file has another length. */
const digits = 24

/** Stands for the hash of a file, where a source doesn't list it: the file may change with each revision. */
export function revisionHash(revision: string): string {
  return createHash('sha256').update(revision).digest('hex').slice(0, digits)
}

/** Whether a listed hash only stands for the unknown one of a file. */
export function isRevisionHash(hash: string | undefined): boolean {
  return hash?.length === digits
}

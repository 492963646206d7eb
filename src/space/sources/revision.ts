import { createHash } from 'node:crypto'

/**
 * The smallest version that is derived from the text of a revision. It exceeds all versions of services, which count
 * from 1. Versions have at most 15 digits.
 */
const first = 100_000_000_000_000

/** Returns the version that stands for a source's revision: the number itself, or a number derived from the text. */
export function versionOf(revision: string): number {
  if (/^[1-9]\d{0,14}$/.test(revision)) return Number(revision)
  const digest = createHash('sha256').update(revision).digest()
  return first + (digest.readUIntBE(0, 6) % (9 * first))
}

/** The number of digits in `revisionHash`. A real file hash has a different length. */
const digits = 24

/**
 * Returns a substitute for a file's hash if the source doesn't list it. The substitute differs for each revision,
 * because the file may change with each revision.
 */
export function revisionHash(revision: string): string {
  return createHash('sha256').update(revision).digest('hex').slice(0, digits)
}

/** Checks whether a hash is only a substitute for a file's unknown hash. */
export function isRevisionHash(hash: string | undefined): boolean {
  return hash?.length === digits
}

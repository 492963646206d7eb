import { omitUndefined } from '../../text/omit-undefined.js'
import type { Release } from './releases.js'
import type { Side } from './side.js'

/** The versions of a kit on both sides. 0 is the draft. */
export interface ComparedVersions {
  from: number
  to: number
  /** Version identifiers, as far as they are known. */
  labels?: { from?: string; to?: string }
  /** The versions after `from` up to `to`, oldest first, that have a version identifier or release notes. */
  releases?: Release[]
}

/** The sides of a comparison, and the versions between them, without the first one. */
export interface ComparedSides {
  before: Side
  after: Side
  releases: readonly Release[]
}

export function versionsOf({ before, after, releases }: ComparedSides): ComparedVersions {
  const [from, to] = [before.version, after.version]
  return {
    from,
    to,
    ...labelsOf(before.label, after.label),
    ...(releases.length === 0 ? {} : { releases: [...releases] }),
  }
}

/** @param from version identifier; empty if it is not known */
export function labelsOf(from: string, to: string): Pick<ComparedVersions, 'labels'> {
  const labels = omitUndefined({ from: from || undefined, to: to || undefined })
  return Object.keys(labels).length === 0 ? {} : { labels }
}

import { hash } from 'node:crypto'
import type { RemoteKind } from './remote.js'

/**
 * The layout of a remote cache. Only this module knows it.
 *
 *     v1/sha256/9f/86d081884c…   an original or a cut, by the SHA-256 of its bytes
 *     v1/file/3b/0e51a2…         the signed hash of an original or a cut that a lockfile may not name yet
 *     v1/made/77/ab12…           a signed conversion
 *     v1/lease/5b/1e90…          who downloads or converts something now
 *     v1/rate/c4/77d0…           how many downloads runners have asked a service for
 *
 * Names other than the first are the SHA-256 of a key, so they reveal neither addresses nor names of content.
 */
const version = 'v1'

export type SignedKind = 'file' | 'made'

/** The kinds of entries that are counted, by folder. */
export const kinds: ReadonlyMap<string, RemoteKind['kind']> = new Map([
  ['sha256', 'file'],
  ['made', 'conversion'],
])

export const root = `${version}/`

/** @param integrity `sha256-…` */
export function blobName(integrity: string): string {
  return split('sha256', Buffer.from(integrity.slice('sha256-'.length), 'base64').toString('hex'))
}

/** @param key contains everything that the entry is made from, so equal keys mean equal content */
export function signedName(kind: SignedKind, key: string): string {
  return split(kind, hash('sha256', key, 'hex'))
}

export const leaseFolder = `${version}/lease/`

export function leaseName(entry: string): string {
  return split('lease', hash('sha256', entry, 'hex'))
}

export function rateName(service: string): string {
  return split('rate', hash('sha256', service, 'hex'))
}

/**
 * Returns the kind of an entry, or undefined for a lease, a signed hash, and an entry that this version doesn't write.
 */
export function kindOfEntry(name: string): RemoteKind['kind'] | undefined {
  const [first, folder = '', , , ...more] = name.split('/')
  return first === version && more.length === 0 ? kinds.get(folder) : undefined
}

function split(kind: string, hex: string): string {
  return `${version}/${kind}/${hex.slice(0, 2)}/${hex.slice(2)}`
}

import { objectOf } from '../text/json.js'
import { canonicalUuid } from './uuid.js'

/*
 * In addition to uuids, services have short ids for the addresses of their pages: a kit is at `…/k/<slug>-<short
 * id>`. We compare ids without case, so we treat two short ids that differ only in case as the same.
 */

/** Returns the short id of a record as the service sent it. */
export function shortIdOf(raw: unknown): string | undefined {
  const { short_id: id } = objectOf(raw)
  return typeof id === 'string' && form.test(id) ? id : undefined
}

const form = /^[A-Za-z0-9_]{1,40}$/

/**
 * Checks whether a name refers to a short id: the name is either the short id or the end of a page's address, which
 * ends with the short id.
 */
export function meansShortId(name: string, id: string): boolean {
  const [folded, meant] = [name.toLowerCase(), id.toLowerCase()]
  return folded === meant || folded.endsWith(`-${meant}`)
}

/** Returns the name at the end of a page's address, or undefined for any other string. */
export function nameInAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).pathname.replace(/\/+$/, '').split('/').pop() || undefined
}

/**
 * Normalizes the name of a kit, section, heading or asset: a uuid in upper case, or a slug or a short id in lower case.
 * For the address of a page of the service, uses the end of the path.
 */
export function canonicalName(name: string): string {
  return canonicalUuid(name) ?? (nameInAddress(name) ?? name).normalize('NFC').toLowerCase()
}

/**
 * Reads the address of a kit's page: `https://<host>[/<space>]/k/<slug>-<short id>`. The query may grant access.
 * @returns the address of the service, the id of the space if it is a number, and the kit; undefined for any other
 *   string
 */
export function readKitPage(text: string): { space: string; spaceId?: string; kit: string } | undefined {
  if (nameInAddress(text) === undefined) return undefined
  const url = new URL(text)
  const [, before = '', name = '', kit] = /^(.*?)(?:\/([^/]+))?\/k\/([^/]+)\/?$/.exec(url.pathname) ?? []
  if (kit === undefined) return undefined
  url.pathname = before
  url.search = url.hash = ''
  return { space: url.href.replace(/\/$/, ''), kit, ...(/^\d+$/.test(name) && { spaceId: name }) }
}

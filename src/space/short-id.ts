import { objectOf } from '../text/json.js'
import { canonicalUuid } from './uuid.js'

/*
 * Services have short ids beside uuids, for the addresses of their pages, such as `…/k/<slug>-<short id>` of a kit. Ids
 * are compared without case, so two short ids that differ only in case are the same here.
 */

/** Returns the short id of a record as the service sent it. */
export function shortIdOf(raw: unknown): string | undefined {
  const { short_id: id } = objectOf(raw)
  return typeof id === 'string' && form.test(id) ? id : undefined
}

const form = /^[A-Za-z0-9_]{1,40}$/

/** Whether a name means a short id: the short id, or what the address of the page ends with. */
export function meansShortId(name: string, id: string): boolean {
  const [folded, meant] = [name.toLowerCase(), id.toLowerCase()]
  return folded === meant || folded.endsWith(`-${meant}`)
}

/** Returns the name at the end of the address of a page. Undefined for any other text. */
export function nameInAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).pathname.replace(/\/+$/, '').split('/').pop() || undefined
}

/**
 * Normalizes the name of a kit, section, heading or asset: a uuid in upper case, or a slug or a short id in lower case.
 * In the address of a page of the service, it is the end of the path.
 */
export function canonicalName(name: string): string {
  return canonicalUuid(name) ?? (nameInAddress(name) ?? name).normalize('NFC').toLowerCase()
}

/**
 * Reads the address of a kit's page: `https://<host>[/<space>]/k/<slug>-<short id>`. Its query may grant access.
 * @returns the address of the service, the id of the space if it is a number, and the kit; undefined for any other text
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

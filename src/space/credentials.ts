import { inspect } from 'node:util'
import { ContentSpaceError } from '../errors.js'

/** The token, out of sight: printing, spreading or serialising this value shows no part of it. */
export interface Credentials {
  readonly spaceId: string
  /** The value of the Authorization header (RFC 7617). For the configured origin only. */
  header(this: void): string
  /** The text without the token, in whatever encoding it is echoed. @param least characters; shorter spellings stay, default 0 */
  redact(this: void, text: string, least?: number): string
  toJSON(): string
  [inspect.custom](): string
}

export interface SpaceAddress {
  /** Without credentials, query and fragment; the path ends in `/` and not in the interface's `/1/`. */
  address: URL
  credentials: Credentials
}

/**
 * Separates an address from its credentials.
 * @param text `https://host`, `https://<space_id>:<token>@host/1/`
 * @param spaceId wins over the one in the address
 * @param token wins over the one in the address
 * @throws invalidOption; no message repeats the address, which may hold a token
 */
export function readAddress(text: string, spaceId?: string | number, token?: string): SpaceAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ContentSpaceError('invalidOption', 'The address of the space is no http(s) address.', {
      hint: 'Option `space` is `https://host` or the path of a folder.',
    })
  }
  const credentials = createCredentials(
    String(spaceId ?? decode(url.username)),
    token ?? decode(url.password),
    url.origin,
  )
  const path = url.pathname.replace(/\/+$/, '').replace(/\/1$/, '')
  return { address: new URL(`${path}/`, url.origin), credentials }
}

function createCredentials(spaceId: string, token: string, origin: string): Credentials {
  const missing = [...(spaceId ? [] : ['`spaceId` (CONTENT_SPACE_ID)']), ...(token ? [] : ['`token` (CONTENT_SPACE_TOKEN)'])]
  if (missing.length > 0) {
    throw new ContentSpaceError('invalidOption', `The space at ${origin} needs a space id and a token.`, {
      hint: `Set ${missing.join(' and ')}.`,
    })
  }
  if (spaceId.includes(':')) {
    throw new ContentSpaceError('invalidOption', 'A space id holds no colon.', { hint: 'Check option `spaceId`.' })
  }
  const basic = Buffer.from(`${spaceId}:${token}`).toString('base64')
  const spellings = spellingsOf(token, basic)
  return {
    spaceId,
    header: () => `Basic ${basic}`,
    redact: (text, least = 0) =>
      spellings.reduce((clean, spelling) => (spelling.length < least ? clean : clean.replaceAll(spelling, '[secret]')), text),
    toJSON: () => '[secret]',
    [inspect.custom]: () => '[secret]',
  }
}

/** Longest first, so that no spelling leaves the rest of a longer one behind. */
function spellingsOf(token: string, basic: string): string[] {
  const bytes = Buffer.from(token)
  const encoded = encodeURIComponent(token)
  const spellings = [
    token,
    encoded,
    encoded.replaceAll(/%../g, (escape) => escape.toLowerCase()),
    JSON.stringify(token).slice(1, -1),
    basic,
    basic.replace(/=+$/, ''),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ]
  return [...new Set(spellings)].toSorted((a, b) => b.length - a.length)
}

/** A part of an address; one that is not encoded well stays as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

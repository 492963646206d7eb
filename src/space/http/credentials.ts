import { inspect } from 'node:util'
import { ContentSpaceError } from '../../errors.js'
import { createRedaction, type Redaction } from './redaction.js'

/** Characters. What is shorter is no secret, and a search for it would damage content. */
const leastSecret = 8

/** The token, out of sight: printing, spreading or serialising this value shows no part of it. */
export interface Credentials {
  readonly spaceId: string
  /** The value of the Authorization header (RFC 7617). For the configured origin only. */
  header(this: void): string
  /** What the service says, without the token, however it is spelled and however short it is. */
  redact(this: void, text: string): string
  /** A message of ours, which may name a host of the service's choice: in upper or lower case, from 8 characters on. */
  redactMessage(this: void, text: string): string
  /** Takes the token out of content. Spellings of under 8 characters stay: they stand in other words by chance. */
  readonly content: Redaction
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
  const missing = [
    ...(spaceId ? [] : ['`spaceId` (CONTENT_SPACE_ID)']),
    ...(token ? [] : ['`token` (CONTENT_SPACE_TOKEN)']),
  ]
  if (missing.length > 0) {
    throw new ContentSpaceError('invalidOption', `The space at ${origin} needs a space id and a token.`, {
      hint: `Set ${missing.join(' and ')}.`,
    })
  }
  if (spaceId.includes(':')) {
    throw new ContentSpaceError('invalidOption', 'A space id holds no colon.', { hint: 'Check option `spaceId`.' })
  }
  const basic = Buffer.from(`${spaceId}:${token}`).toString('base64')
  const redactMessage = createRedaction(token, basic, leastSecret, 'gi').clean
  return {
    spaceId,
    header: () => `Basic ${basic}`,
    redact: (text) => redactMessage(createRedaction(token, basic, 0, 'g').clean(text)),
    redactMessage,
    content: createRedaction(token, basic, leastSecret, 'g'),
    toJSON: () => '[secret]',
    [inspect.custom]: () => '[secret]',
  }
}

/** A part of an address; one that is not encoded well stays as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

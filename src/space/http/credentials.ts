import { hash } from 'node:crypto'
import { inspect } from 'node:util'
import { attempt } from '../../async/attempt.js'
import { ContentSpaceError } from '../../errors.js'
import { createRedaction, type Redaction } from './redaction.js'

/** Characters. A shorter token is not secret, and removing it would damage content. */
const minSecretLength = 8

/**
 * The token of a space, with the space's id if the service asks for both. Printing, spreading or serializing the value
 * does not reveal the token.
 */
export interface Credentials {
  readonly spaceId: string | undefined
  /** Tells spaces at one address apart, in caches: the space id, or a digest of the token where there is none. */
  readonly account: string
  /** Begins the names of the variables of the environment that set them, for messages: `CONTENT_SPACE_`. */
  readonly variables: string
  /**
   * Returns the value of the Authorization header: Basic with the space id (RFC 7617), Bearer without one (RFC 6750).
   * Send it to the configured origin only.
   */
  header(this: void): string
  /** Removes the token from a text of the service: in every encoding, and however short the token is. */
  redact(this: void, text: string): string
  /** Removes tokens of 8 or more characters, in any case, from a message, which may contain a host from a redirect. */
  redactMessage(this: void, text: string): string
  /** Removes the token from content. Encodings of under 8 characters stay: other words contain them by chance. */
  readonly content: Redaction
  toJSON(): string
  [inspect.custom](): string
}

/**
 * Separates the address of a space from its credentials.
 * @param text `https://host`, `https://<space_id>:<token>@host/1/`
 * @param spaceId takes precedence over the one in the address
 * @param token takes precedence over the one in the address
 * @param offline whether nothing is sent, so that no token is needed
 * @param variables the start of the names of the variables that set them, for messages
 * @returns the address without credentials, query and fragment. The path ends in `/`, and does not include the
 *   interface's `/1/`.
 * @throws ContentSpaceError `invalidOption`. The message does not repeat the address, which may contain a token.
 */
export function readAddress(
  text: string,
  spaceId?: string | number,
  token?: string,
  offline = false,
  variables = prefix,
) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ContentSpaceError('invalidOption', 'The address of the space is not a valid http(s) URL.', {
      hint: 'Set option `space` to `https://host`, or to the path of a folder, such as `./space`.',
    })
  }
  const credentials = createCredentials(
    String(spaceId ?? decodeOrKeep(url.username)),
    token ?? decodeOrKeep(url.password),
    url.origin,
    offline,
    variables,
  )
  const path = url.pathname.replace(/\/+$/, '').replace(/\/1$/, '')
  return { address: new URL(`${path}/`, url.origin), credentials }
}

/** Begins the names of the variables of the environment that set options. */
const prefix = 'CONTENT_SPACE_'

function createCredentials(
  spaceId: string,
  token: string,
  origin: string,
  offline: boolean,
  variables: string,
): Credentials {
  if (!token && !offline) {
    const also = spaceId ? '' : `, and ${variables}ID if the service has given you one`
    throw new ContentSpaceError('invalidOption', `The space at ${origin} requires a token.`, {
      hint: `Set ${variables}TOKEN${also}, in .env.local: a fresh clone does not contain that file.`,
    })
  }
  if (spaceId.includes(':')) {
    throw new ContentSpaceError('invalidOption', 'The space id contains a colon.', { hint: 'Check option `spaceId`.' })
  }
  const basic = Buffer.from(`${spaceId}:${token}`).toString('base64')
  const redactMessage = createRedaction(token, basic, minSecretLength, 'gi').clean
  return {
    spaceId: spaceId || undefined,
    variables,
    account: spaceId || hash('sha256', token, 'hex').slice(0, 16),
    header: () => (spaceId ? `Basic ${basic}` : `Bearer ${token}`),
    redact: (text) => redactMessage(createRedaction(token, basic, 0, 'g').clean(text)),
    redactMessage,
    content: createRedaction(token, basic, minSecretLength, 'g'),
    toJSON: () => '[secret]',
    [inspect.custom]: () => '[secret]',
  }
}

/** Decodes a part of a URL. Returns invalid encodings unchanged. */
export function decodeOrKeep(text: string): string {
  return attempt(() => decodeURIComponent(text)) ?? text
}

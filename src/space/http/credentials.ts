import { hash } from 'node:crypto'
import { inspect } from 'node:util'
import { attempt } from '../../async/attempt.js'
import { ContentSpaceError } from '../../errors.js'
import { createRedaction, type Redaction } from './redaction.js'

/** In characters. A shorter token isn't secret, and removing it would damage content. */
const minSecretLength = 8

/**
 * The token of a space, plus the space id if the service requires both. Printing, spreading or serializing this value
 * doesn't reveal the token.
 */
export interface Credentials {
  readonly spaceId: string | undefined
  /** Distinguishes spaces with the same address in caches: the space id, or otherwise a digest of the token. */
  readonly account: string
  /** The prefix of the environment variables that set the credentials, for messages: `CONTENT_SPACE_`. */
  readonly variables: string
  /**
   * Returns the value of the Authorization header: Basic with a space id (RFC 7617), Bearer without one (RFC 6750).
   * Send it only to the configured origin.
   */
  header(this: void): string
  /** Removes the token from a string that the service sent, in every encoding and regardless of its length. */
  redact(this: void, text: string): string
  /**
   * Removes tokens of 8 or more characters, in any case, from a message, because the message may contain a host from a
   * redirect.
   */
  redactMessage(this: void, text: string): string
  /**
   * Removes the token from content. Keeps encodings shorter than 8 characters, because other words contain them by
   * chance.
   */
  readonly content: Redaction
  toJSON(): string
  [inspect.custom](): string
}

/**
 * Separates the address of a space from its credentials.
 * @param text `https://host`, `https://<space_id>:<token>@host/1/`
 * @param spaceId takes precedence over the space id in the address
 * @param token takes precedence over the token in the address
 * @param offline whether a token is unnecessary, because no request will be sent
 * @param variables the prefix of the environment variables that set the credentials, for messages
 * @returns the address without credentials, query and fragment. The path ends in `/`, and doesn't include the
 *   interface's `/1/`.
 * @throws ContentSpaceError `invalidOption`. The message doesn't repeat the address, because it may contain a token.
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

/** The prefix of the environment variables that set options. */
const prefix = 'CONTENT_SPACE_'

function createCredentials(
  spaceId: string,
  token: string,
  origin: string,
  offline: boolean,
  variables: string,
): Credentials {
  if (!token && !offline) {
    const also = spaceId ? '' : `, and ${variables}ID if the service gave you one`
    throw new ContentSpaceError('invalidOption', `The space at ${origin} requires a token.`, {
      hint: `Set ${variables}TOKEN${also}, in .env.local: a fresh clone doesn't contain that file.`,
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

/** Decodes a part of a URL. Returns a part with an invalid encoding unchanged. */
export function decodeOrKeep(text: string): string {
  return attempt(() => decodeURIComponent(text)) ?? text
}

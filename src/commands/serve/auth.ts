import { hash, timingSafeEqual } from 'node:crypto'
import { failure, type Response } from './response.js'

/**
 * Checks the credentials of a request: Basic with the space id, or Bearer with only the token.
 * @param header the Authorization header of the request
 * @returns the response to wrong credentials, or undefined if they are right
 */
export function checkCredentials(header: string | undefined, spaceId: number, token: string): Response | undefined {
  const [, bearer] = /^bearer\s+(\S+)$/i.exec(header ?? '') ?? []
  if (bearer !== undefined && equalInConstantTime(bearer, token)) return undefined
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(header ?? '') ?? []
  const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const matches = [equalInConstantTime(user, String(spaceId)), equalInConstantTime(password, token)]
  if (matches.every(Boolean)) return undefined
  const challenge = { 'www-authenticate': 'Basic realm="content space"' }
  return failure('unauthorized', 'The space id or the token is missing or wrong.', challenge)
}

/** Compares strings in constant time, so that timing doesn't reveal how much of a secret was right. */
export function equalInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

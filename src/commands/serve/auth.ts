import { createHash, timingSafeEqual } from 'node:crypto'
import { failure, type Response } from './response.js'

/**
 * Checks HTTP basic authentication.
 * @param header of the request
 * @returns what to answer when the credentials are not those of the space
 */
export function checkCredentials(header: string | undefined, spaceId: number, token: string): Response | undefined {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(header ?? '') ?? []
  const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const right = [equalInConstantTime(user, String(spaceId)), equalInConstantTime(password, token)]
  if (right.every(Boolean)) return undefined
  const challenge = { 'www-authenticate': 'Basic realm="content space"' }
  return failure('unauthorized', 'The space id and the token are missing or wrong.', challenge)
}

/** Takes as long whatever differs: how much of a secret was right stays unknown. */
export function equalInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

import { readUpTo } from '../../space/http/body.js'
import type { Connection } from '../../space/http/connection.js'
import { listingEncodings, type Headers } from '../../space/http/encoding.js'
import { readResult } from '../../space/http/envelope.js'
import { fetchResponse } from '../../space/http/fetch.js'
import { ContentSpaceError, type ErrorCode } from '../../errors.js'
import { objectOf } from '../../text/json.js'

type Wire = Readonly<Record<string, unknown>>

/** A response of the service, with the facts that a report may contain. */
export interface Answer {
  status: number
  headers: Headers
  bytes: Uint8Array
  /** The `result` of the envelope, or undefined after an error. */
  result: Wire | undefined
  /** The error code, if any. */
  code: ErrorCode | undefined
  /** Whether the service redirected to the same path with or without a trailing slash. */
  slashed: boolean
  /** The number of redirects to another path, and to another origin. */
  redirects: { other: number; abroad: number }
}

/** The maximum number of bytes to read from one response. */
const limit = 32e6
/** Milliseconds within which one response must arrive. */
const deadline = 60_000

/**
 * Returns a function that sends one request without retries, and never throws because of a response.
 * @param most the maximum number of requests, including redirects. Further requests return undefined.
 */
export function createAsk(connection: Connection, most: number, signal: AbortSignal) {
  const { context: base, urlOf, credentials } = connection
  let sent = 0
  /**
   * Whether paths end with a slash. Known after the first redirect; without it, each redirected request would count
   * twice.
   */
  let hasSlash: boolean | undefined

  function addressOf(path: string, query: Record<string, string | number>): URL {
    const url = urlOf(path, query)
    if (hasSlash !== undefined) url.pathname = url.pathname.replace(/\/$/, '') + (hasSlash ? '/' : '')
    return url
  }

  async function ask(
    path: string,
    query: Record<string, string | number> = {},
    { isFile = false, url = addressOf(path, query) }: { isFile?: boolean; url?: URL } = {},
  ): Promise<Answer | undefined> {
    if (sent >= most) return undefined
    const redirects = { other: 0, abroad: 0 }
    let slashed = false
    const withoutSlash = url.pathname.replace(/\/$/, '')
    const onRedirect = (target: URL): void => {
      if (sent >= most) throw new ContentSpaceError('badRedirect', 'The report has sent all its requests.')
      const isSamePath = target.origin === url.origin && target.pathname.replace(/\/$/, '') === withoutSlash
      slashed ||= isSamePath
      if (isSamePath) hasSlash = target.pathname.endsWith('/')
      if (!isSamePath) redirects.other++
      if (target.origin !== url.origin) redirects.abroad++
    }
    const context = {
      ...base,
      onRedirect,
      onRequest: () => void sent++,
      ...(url.search !== '' && isFile && { origin: '' }),
    }
    const options = { accept: isFile ? '*/*' : 'application/json', deadline, facts: {}, signal }
    const empty = { status: 0, headers: {}, bytes: new Uint8Array(), result: undefined, code: undefined }
    try {
      const response = await fetchResponse(url, { ...options, ...(!isFile && { encoding: listingEncodings }) }, context)
      const parts: Uint8Array[] = []
      await readUpTo(response.body[Symbol.asyncIterator](), parts, limit)
      response.close()
      const { status, headers } = response
      const answer = { ...empty, status, headers, bytes: Buffer.concat(parts), slashed, redirects }
      if (isFile && status === 200 && answer.bytes[0] !== 0x7b) return answer
      try {
        return { ...answer, result: objectOf(readResult(answer, { facts: {}, credentials })) }
      } catch (error) {
        return { ...answer, code: codeOf(error) }
      }
    } catch (error) {
      signal.throwIfAborted()
      return { ...empty, slashed, redirects, code: codeOf(error) }
    }
  }

  return { ask, sent: () => sent }
}

/** Returns only the code of an error for the report, because the message may contain an address. */
function codeOf(error: unknown): ErrorCode {
  if (error instanceof ContentSpaceError) return error.code
  throw error
}

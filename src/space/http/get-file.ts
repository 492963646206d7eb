import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { readCut, type Space } from '../space.js'
import type { Connection } from './connection.js'
import { readDownloadResponse } from './download.js'
import { fetchResponse, type Response } from './fetch.js'
import { resolveRedirect } from './redirect.js'

/**
 * Milliseconds within which a file must arrive: at least `min`, and longer if its listed size requires that at
 * `bytesPerSecond`.
 */
const deadlines = { min: 15 * 60_000, bytesPerSecond: 32_768 }

/**
 * Creates a function that downloads files from the endpoint itself, or from the signed URL that the endpoint returns.
 */
export function createGetFile({
  urlOf,
  slashes,
  send,
  context: base,
  credentials,
  fileHosts,
}: Connection): Space['download'] {
  const context = { ...base, onRedirect: (target: URL) => void fileHosts.add(target.host) }
  return ({ uuid, size: bytes, hash }, cut, receive, call) => {
    const { type, ...size } = cut === undefined ? {} : readCut(cut)
    const expected = { size: cut === undefined ? bytes : undefined, cut: cut !== undefined }
    const deadline = Math.max(deadlines.min, ((expected.size ?? 0) / deadlines.bytesPerSecond) * 1000)
    return slashes.request(`assets/${uuid}/download`, (path, answered) => {
      const url = urlOf(path, omitUndefined({ type: type?.toLowerCase(), ...size }))
      const facts = { asset: uuid, endpoint: `GET ${url.pathname}` }
      const options = { accept: '*/*', deadline, facts, revision: hash }
      const open = (response: Response) => {
        requireUnexpiredUrl(response, url, facts)
        return readDownloadResponse(response, expected, { facts, credentials })
      }
      return send({
        kind: 'file',
        signal: call?.signal,
        facts,
        fetch: (signal) => fetchResponse(url, { ...options, signal }, context),
        async read(response, signal) {
          const direct = await open(response)
          answered(response.path)
          if ('body' in direct) return receive(direct.body)
          const fileUrl = resolveRedirect(url, direct.url, facts, context)
          fileHosts.add(fileUrl.host)
          // The URL is signed, so request it without credentials, even from the service's own origin.
          const fileResponse = await fetchResponse(fileUrl, { ...options, signal }, { ...context, origin: '' })
          try {
            const file = await open(fileResponse)
            if ('body' in file) return await receive(file.body)
          } finally {
            fileResponse.close()
          }
          throw new ContentSpaceError(
            'badRedirect',
            'The URL of the file returned another URL instead of the file.',
            facts,
          )
        },
      })
    })
  }
}

/**
 * Reports an error status of the storage behind the service as retryable: the signed URL has expired, the credentials
 * aren't wrong, and the next request to the service returns a new URL. The service itself may be the storage, under
 * another path. A path that differs only by a trailing slash is the same path.
 */
function requireUnexpiredUrl({ path, crossOrigin, status }: Response, { pathname }: URL, facts: ErrorFacts): void {
  const isExpired = crossOrigin ? status >= 400 : status === 403 && path.replace(/\/$/, '') !== pathname
  if (!isExpired) return
  throw new ContentSpaceError('badRedirect', `The storage of the service responded with HTTP status ${status}.`, {
    ...facts,
    status,
    retryable: true,
  })
}

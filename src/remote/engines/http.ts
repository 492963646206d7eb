import type { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import type { EngineCall, RemoteEngine } from '../engine.js'
import { httpRefusal } from '../reason.js'
import { bodyOf, sizeOf } from './body.js'

/** Connections at the same time. */
const connections = 32

type Method = 'GET' | 'HEAD' | 'PUT'

interface Upload {
  body: Buffer | Readable
  headers: Record<string, string>
}

/**
 * A server that answers GET and HEAD, and stores what is PUT, such as nginx with WebDAV. It has no leases.
 * @param base ends in `/`
 * @param authorization the header, if there is one
 */
export function httpEngine(base: URL, authorization: string | undefined): RemoteEngine {
  // The caller limits the time without progress.
  const dispatcher = new Agent({ connections, headersTimeout: 0, bodyTimeout: 0 })

  /** Redirects are not followed, so that credentials go to one origin only. */
  function send(method: Method, name: string, { signal }: EngineCall, upload?: Upload) {
    const headers = {
      'accept-encoding': 'identity',
      ...(authorization !== undefined && { authorization }),
      ...upload?.headers,
    }
    return request(new URL(name, base), { method, dispatcher, signal, headers, body: upload?.body ?? null })
  }

  return {
    async get(name, call) {
      const { statusCode, body } = await send('GET', name, call)
      if (statusCode === 200) return body
      await body.dump()
      return absentOr(statusCode)
    },
    async has(name, call) {
      const { statusCode, body } = await send('HEAD', name, call)
      await body.dump()
      return statusCode === 200 || (absentOr(statusCode) ?? false)
    },
    async put(name, entry, call) {
      const size = sizeOf(entry)
      const headers = { 'content-length': String(size), 'content-type': 'application/octet-stream' }
      const { statusCode, body } = await send('PUT', name, call, { headers, body: await bodyOf(entry, call) })
      await body.dump()
      if (![200, 201, 204].includes(statusCode)) throw httpRefusal(statusCode)
    },
    close: () => void dispatcher.destroy().catch(() => {}),
  }
}

function absentOr(status: number): undefined {
  if (status === 404 || status === 410) return undefined
  throw httpRefusal(status)
}

import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import * as undici from 'undici'
import { createAgent } from '../../space/proxies.js'
import { httpRefusal, refusal, type EngineCall, type RemoteEngine } from '../engine.js'
import { bodyOf, sizeOfBody } from './body.js'

const connections = 32

/**
 * The number of attempts at a request while the server is busy, and the milliseconds before the second attempt if the
 * server doesn't specify a delay.
 */
const [attempts, firstPause] = [6, 100]

/** Creates the body and headers of a PUT, once per attempt. */
type Upload = () => Promise<{ body: Buffer | Readable; headers: Record<string, string> }>

/**
 * Opens a server that responds to GET and HEAD, and stores the body of PUT, such as nginx with WebDAV. It doesn't
 * support leases.
 * @param base ends in `/`
 */
export function httpEngine(base: URL, authorization: string | undefined): RemoteEngine {
  // Don't set timeouts here, because the caller limits the time without progress.
  const dispatcher = createAgent(undici, { connections, headersTimeout: 0, bodyTimeout: 0 })

  let pause: Promise<unknown> = Promise.resolve()

  /**
   * Sends a request, and retries while the server is busy. Doesn't send other requests in the meantime. Doesn't follow
   * redirects, so that credentials go to only one origin.
   */
  async function send(method: 'GET' | 'HEAD' | 'PUT', name: string, call: EngineCall, upload?: Upload) {
    const { signal } = call
    for (let attempt = 1; ; attempt++) {
      await pause
      const { body = null, headers: own } = (await upload?.()) ?? {}
      const headers = { 'accept-encoding': 'identity', ...(authorization !== undefined && { authorization }), ...own }
      const sent = await undici.request(new URL(name, base), { method, dispatcher, signal, headers, body })
      if (attempt === attempts || ![429, 503].includes(sent.statusCode)) return sent
      await sent.body.dump()
      call.answered()
      const milliseconds = Number(sent.headers['retry-after']) * 1000 || firstPause * 2 ** (attempt - 1)
      pause = sleep(milliseconds, undefined, { signal }).catch(() => {})
    }
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
      const size = sizeOfBody(entry)
      const headers = { 'content-length': String(size), 'content-type': 'application/octet-stream' }
      const upload = async () => ({ headers, body: await bodyOf(entry, call) })
      const { statusCode, body } = await send('PUT', name, call, upload)
      await body.dump()
      if (![200, 201, 204].includes(statusCode)) throw refused(statusCode)
    },
    close: () => void dispatcher.destroy().catch(() => {}),
  }
}

function absentOr(status: number): undefined {
  if (status === 404 || status === 410) return undefined
  throw refused(status)
}

function refused(status: number): Error {
  return [301, 302, 303, 307, 308].includes(status)
    ? refusal(`it redirects with HTTP status ${status}`, 'Set option remote to the address that it redirects to.')
    : httpRefusal(status)
}

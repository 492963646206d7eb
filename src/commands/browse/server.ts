import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { ContentSpaceError } from '../../errors.js'
import type { KitBrowser } from './browser.js'
import { refusalOf } from './guard.js'
import { sendFailure, setCommonHeaders } from './respond.js'

export interface BrowserServer {
  /** `http://127.0.0.1:4747/` */
  url: string
  /** Answers requests from now on, and those that are waiting. */
  answerWith(this: void, browser: KitBrowser): void
  /** Stops the server and closes open connections. */
  close(this: void): Promise<void>
}

/** The port that is tried first, so that an open page still works when the command runs again. */
const usualPort = 4747

/**
 * Starts the server of the kit browser on this machine, before the kit browser is open.
 * @param port undefined: the usual one, or a free one if it is in use; 0: a free one
 * @throws ContentSpaceError `fileSystem` if the port is in use
 */
export async function serveBrowser(port: number | undefined): Promise<BrowserServer> {
  const opened = new EventEmitter()
  // Each waiting request is a listener. 0 turns off Node's warning about many listeners.
  opened.setMaxListeners(0)
  const browsers: KitBrowser[] = []
  async function waitForBrowser(): Promise<KitBrowser | undefined> {
    if (browsers.length === 0) await once(opened, 'open')
    return browsers[0]
  }
  const server = createServer((request, response) => {
    void answer(request, response, waitForBrowser).catch(() => response.destroy())
  })
  const host = '127.0.0.1'
  const listen = (number: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(number, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  if (port === undefined) await listen(usualPort).catch(() => listen(0))
  else {
    await listen(port).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      const message = `The kit browser cannot listen on ${host}:${port}: ${reason}.`
      throw new ContentSpaceError('fileSystem', message, { cause, hint: 'Choose another --port; 0 picks a free one.' })
    })
  }
  const address = server.address()
  const actual = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://${host}:${actual}/`,
    answerWith(opening) {
      browsers.push(opening)
      opened.emit('open')
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  open: () => Promise<KitBrowser | undefined>,
): Promise<void> {
  const refusal = refusalOf(request, { allowedHosts: [] })
  if (refusal) {
    setCommonHeaders(response)
    return sendFailure(response, refusal.status, refusal.message)
  }
  const [path = '', ...query] = (request.url ?? '').split('?')
  const browser = await open()
  // The target of a request may also be a whole address, which is not answered.
  return browser?.respond(path.startsWith('/') ? path.slice(1) : '*', `?${query.join('?')}`, request, response)
}

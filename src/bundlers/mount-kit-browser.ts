import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageOf } from '../errors.js'
import type { HostPolicy } from '../commands/browse/guard.js'
import type { KitBrowser } from '../commands/browse/browser.js'
import type { Engine } from '../engine/engine.js'
import type { Session } from './session/session.js'
import type { Answer } from './pack/dev-server.js'

interface MountOptions {
  /** Checks whether the kit browser is served below a path, which begins and ends with a slash. */
  isBase: (path: string) => boolean
  hosts: () => HostPolicy['allowedHosts']
  warn: (message: string) => void
}

/** Content files are at `__content-space/<16 hexadecimal digits>/<name>`. All other paths belong to the kit browser. */
const PATH = /^(?<base>\/(?:.*\/)?)__content-space(?:\/(?![\da-f]{16}\/)(?<path>.*))?$/

/**
 * Serves the kit browser below `__content-space/` of a dev server, loading its code with the first request.
 * @returns a function that answers requests to the kit browser and returns whether it has answered
 */
export function mountBrowser(session: Session, { isBase, hosts, warn }: MountOptions): Answer {
  /** One kit browser per engine, because a session opens another engine when its options change. */
  const browsers = new WeakMap<Engine, Promise<KitBrowser>>()
  let opened: KitBrowser | undefined
  session.followers.add({
    notify(what) {
      if (what === 'content') opened?.contentChanged()
      else opened?.sourceChanged()
    },
    isShown: () => opened?.isWatched() === true,
  })

  async function currentBrowser(): Promise<KitBrowser> {
    const engine = await session.engine()
    const browser = browsers.get(engine) ?? open(engine)
    browsers.set(engine, browser)
    return browser
  }

  async function open(engine: Engine): Promise<KitBrowser> {
    const { openBrowser } = await import('../commands/browse/browser.js')
    opened = openBrowser(engine, {
      mode: 'dev',
      warn,
      onPage() {
        // Start checking for new content, even if no page of the project is open.
        void session.watchedFile().catch(() => {})
        session.wake()
      },
    })
    return opened
  }

  async function respond(path: string | undefined, query: string, request: IncomingMessage, response: ServerResponse) {
    const [{ refusalOf }, { sendFailure, sendRedirect, setCommonHeaders }] = await Promise.all([
      import('../commands/browse/guard.js'),
      import('../commands/browse/respond.js'),
    ])
    setCommonHeaders(response)
    const refusal = refusalOf(request, { allowedHosts: hosts() })
    if (refusal) return sendFailure(response, refusal.status, refusal.message)
    if (path === undefined) return sendRedirect(response, './__content-space/')
    try {
      const browser = await currentBrowser()
      await browser.respond(path, query, request, response)
    } catch (error) {
      warn(messageOf(error))
      sendFailure(response, 502, 'The content could not be opened. The terminal of the dev server shows the reason.')
    }
  }

  return (request, response) => {
    const [target = '', ...query] = (request.url ?? '').split('?')
    const { base, path } = PATH.exec(target)?.groups ?? {}
    if (base === undefined || !isBase(base)) return false
    respond(path, `?${query.join('?')}`, request, response).catch(() => response.destroy())
    return true
  }
}

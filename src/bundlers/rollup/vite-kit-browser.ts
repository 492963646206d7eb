import type { ResolvedConfig, ViteDevServer } from 'vite'
import { styled } from '../../print.js'
import { mountBrowser } from '../mount-kit-browser.js'
import type { Middleware } from '../references/dev-files.js'
import { joinUrl } from '../references/file-names.js'
import type { Session } from '../session/session.js'

export function kitBrowser(session: Session, { base, server, logger }: ResolvedConfig): Middleware {
  const below = base === './' || base === '' ? '/' : base
  const answer = mountBrowser(session, {
    isBase: (path) => path === below,
    // All Vite versions with this setting check the host before they call plugins, so we accept any host here.
    hosts: () => ('allowedHosts' in server && server.allowedHosts !== undefined ? true : []),
    warn: (message) => logger.warn(message),
  })
  return (request, response, next) => {
    if (!answer(request, response)) next()
  }
}

/** Adds the URL of the kit browser to the URLs that Vite prints. */
export function printAddress(server: ViteDevServer): void {
  const print = server.printUrls.bind(server)
  server.printUrls = () => {
    print()
    const [address] = server.resolvedUrls?.local ?? []
    if (address === undefined) return
    const [arrow, label] = [styled('green', '➜'), styled('bold', 'Content')]
    server.config.logger.info(`  ${arrow}  ${label}: ${styled('cyan', joinUrl(address, '__content-space/'))}`)
  }
}

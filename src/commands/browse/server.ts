import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ResolvedOptions } from '../../config/options.js'
import { ContentSpaceError } from '../../errors.js'
import { locationsOf } from '../../space/places.js'
import { closeServer, listen } from '../shared/listen.js'
import type { KitBrowser } from './browser.js'
import { refusalOf } from './guard.js'
import { sendFailure, setCommonHeaders } from './respond.js'

/**
 * Checks that all spaces that are folders exist, so that the command fails immediately instead of on the page.
 * @throws ContentSpaceError `invalidSpace`
 */
export async function requireFolders(options: ResolvedOptions): Promise<void> {
  for (const place of locationsOf(options)) {
    if (!('folder' in place)) continue
    const stats = await stat(place.folder).catch(() => undefined)
    if (stats?.isDirectory() === true) continue
    const option = place.kit === undefined ? 'space, or --space,' : 'kits.<alias>.source'
    throw new ContentSpaceError('invalidSpace', `${place.folder} is not a readable folder.`, {
      hint: `Set option ${option} to the folder of a space or to the https:// address of a service.`,
    })
  }
}

/** The port to try first, so that an open page still works when the command is run again. */
const usualPort = 4747

/**
 * Serves the kit browser on this machine.
 * @param port undefined for the usual port, or a free one if that is in use; 0 for a free port
 * @returns its address, such as `http://127.0.0.1:4747/`
 * @throws ContentSpaceError `fileSystem` if the port is in use
 */
export async function serveBrowser(browser: KitBrowser, port: number | undefined) {
  const server = createServer((request, response) => {
    void answer(request, response, browser).catch(() => response.destroy())
  })
  const tryPort = (number: number): Promise<string> => listen(server, 'The kit browser', '127.0.0.1', number)
  const url = await (port === undefined ? tryPort(usualPort).catch(() => tryPort(0)) : tryPort(port))
  return { url: `${url}/`, close: () => closeServer(server) }
}

async function answer(request: IncomingMessage, response: ServerResponse, browser: KitBrowser): Promise<void> {
  const refusal = refusalOf(request, { allowedHosts: [] })
  if (refusal) {
    setCommonHeaders(response)
    return sendFailure(response, refusal.status, refusal.message)
  }
  const [path = '', ...query] = (request.url ?? '').split('?')
  // The target of a request may also be a complete URL, which we don't support.
  return browser.respond(path.startsWith('/') ? path.slice(1) : '*', `?${query.join('?')}`, request, response)
}

import { messageOf } from '../../errors.js'
import { withUse } from '../../commands/write-modules/render.js'
import type { Session } from '../../bundlers/session/session.js'
import { scanSources } from '../../source/scan.js'

/**
 * Returns the message of an error about a specifier, with the first file that imports it. A loader does not know the
 * importing file.
 */
export async function messageAtUse(error: unknown, specifier: string, session: Session): Promise<string> {
  const located = await locate(error, specifier, session).catch(() => error)
  return messageOf(located)
}

async function locate(error: unknown, specifier: string, session: Session): Promise<unknown> {
  const { root, scan } = (await session.engine()).options
  const uses = await scanSources(root, scan)
  return withUse(
    error,
    specifier,
    uses.find((use) => use.specifier === specifier),
  )
}

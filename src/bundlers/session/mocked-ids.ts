import { requestToId } from '../../request/request.js'
import { findMocks } from '../../source/mocks.js'
import type { Session } from './api.js'

/** Returns the resolved ids that any of the project's tests replaces with mocks. */
export async function mockedIds(session: Session): Promise<Set<string>> {
  const { options } = await session.engine()
  const found = await findMocks(options.root, options.scan)
  const ids = await Promise.all([...found].map((text) => session.parse(text, undefined).then(requestToId, () => '')))
  return new Set(ids)
}

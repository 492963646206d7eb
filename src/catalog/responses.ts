import { isDeepStrictEqual } from 'node:util'
import type { LoadedKit } from '../kit/load.js'
import { spaceOf, type Digests, type Space } from '../space/space.js'

/** Remembers the responses from which drafts were read, so that an unchanged draft isn't read again. */
export function rememberResponses(space: Space) {
  const known = new WeakMap<LoadedKit, { digests: Digests; areSteady: boolean }>()
  return {
    /**
     * Requests the responses of a kit again, and returns whether they are the same. Returns false without sending a
     * request if they probably differ.
     */
    async areUnchanged(kit: LoadedKit): Promise<boolean> {
      const last = known.get(kit)
      return last?.areSteady === true && (await spaceOf(space, kit.uuid).isUnchanged?.(last.digests)) === true
    },
    /**
     * Keeps the responses that a kit was last read from. If they differ although its content is the same, they probably
     * differ each time, for example because they contain signed addresses.
     */
    keep(kit: LoadedKit, digests: Digests): void {
      const last = known.get(kit)
      known.set(kit, { digests, areSteady: !last || isDeepStrictEqual(last.digests, digests) })
    },
  }
}

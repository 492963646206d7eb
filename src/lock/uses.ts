import type { NamedKit } from '../kit/named-kit.js'
import type { VersionSelector } from '../request/request.js'
import type { UsedBy } from './schema.js'
import type { NeededParts } from './table.js'

/** How a run uses a version of a kit. */
export interface VersionUses {
  named: NamedKit
  selectors: Set<VersionSelector>
  uses: Map<string, { by: UsedBy | undefined; use: NeededParts & { assets: Set<string> } }>
}

/** Collects what a run uses. */
export function collectUses() {
  const versions = new Map<string, VersionUses>()
  return {
    all: (): VersionUses[] => [...versions.values()],
    of: (kit: string): VersionUses[] => [...versions.values()].filter(({ named }) => named.kit.uuid === kit),
    /** Adds a use. @returns whether anything is new */
    add(given: NamedKit, selector: VersionSelector, { assets, ...rest }: NeededParts, by: UsedBy | undefined): boolean {
      const key = `${given.kit.uuid}@${given.kit.version}`
      const known = versions.get(key) ?? { named: given, selectors: new Set(), uses: new Map() }
      // Prefer a complete listing to a partial one that answered another import.
      const named = given.isPartial && !known.named.isPartial ? known.named : given
      const size = known.selectors.size
      let isNew = known.named !== named || !versions.has(key)
      versions.set(key, { ...known, named })
      known.selectors.add(selector)
      const part = JSON.stringify([by, rest])
      const own = known.uses.get(part) ?? { by, use: { assets: new Set<string>(), ...rest } }
      isNew ||= known.selectors.size > size || !known.uses.has(part)
      known.uses.set(part, own)
      for (const uuid of assets) {
        isNew ||= !own.use.assets.has(uuid)
        own.use.assets.add(uuid)
      }
      return isNew
    },
    clear: () => versions.clear(),
    /** Forgets the uses by the source, but keeps the uses by builds and pulled folders. */
    clearSource(): void {
      for (const [version, { uses }] of versions) {
        for (const [key, { by }] of uses) if (by === undefined) uses.delete(key)
        if (uses.size === 0) versions.delete(version)
      }
    },
  }
}

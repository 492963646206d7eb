import { exportName, noComponent } from '../components/collection.js'
import { ContentSpaceError } from '../errors.js'
import { goneError, type Collection, type NamedKit } from '../kit/named-kit.js'
import { formerHint } from '../kit/names.js'
import type { Query } from '../request/query.js'
import { suggestion } from '../text/nearest.js'
import { versionText } from '../text/quantities.js'
import { planEach } from './plans.js'

/**
 * Returns an `unknownExport` error for the import of a name that a kit doesn't export. It mentions the last version
 * that exported the name, or else the most similar names.
 */
export function unknownExport(
  name: string,
  { exports, withheld }: Collection,
  named: NamedKit,
  query: Query,
): ContentSpaceError {
  const { kit, assets, gone, former } = named
  const asset = withheld?.get(name)
  const withoutCut = asset && query.cut && planEach([asset], query, 'sanitize').withoutCut.get(asset.uuid)
  if (asset) return withoutCut ?? noComponent(asset, query)
  const lastSeen = [...gone].find(([earlier]) => exportName(earlier, query) === name)?.[1]
  if (lastSeen !== undefined) return goneError('unknownExport', name, lastSeen, named)
  const message = `Kit ${kit.name} (${versionText(kit.version)}) does not export ${name}.`
  const now = assets.get([...former.assets].find(([earlier]) => exportName(earlier, query) === name)?.[1] ?? '')
  return new ContentSpaceError('unknownExport', message, {
    kit: kit.uuid,
    version: kit.version,
    export: name,
    hint: query.lazy
      ? 'With lazy, there is only a default export.'
      : now
        ? formerHint(exportName(now.name, query))
        : suggestion(name, exports.keys(), 'exports'),
  })
}

import { exportName, noComponent } from '../components/collection.js'
import { ContentSpaceError } from '../errors.js'
import type { Collection, NamedKit } from '../kit/named-kit.js'
import type { Query } from '../request/query.js'
import { suggestion } from '../text/nearest.js'

/**
 * Returns the error for an import of a name that a kit does not export: `unknownExport`. It contains the last
 * version that exported the name, or the most similar names.
 */
export function unknownExport(
  name: string,
  { exports, withheld }: Collection,
  { kit, gone }: NamedKit,
  query: Query,
): ContentSpaceError {
  const asset = withheld?.get(name)
  if (asset) return noComponent(asset, query)
  const facts = { kit: kit.uuid, version: kit.version }
  const lastSeen = [...gone].find(([former]) => exportName(former, query) === name)?.[1]
  if (lastSeen !== undefined) {
    const message = `${name} is no longer in kit ${kit.name} (version ${kit.version}): ${lastSeen}.`
    return new ContentSpaceError('unknownExport', message, {
      ...facts,
      hint: 'Remove the import, or import it from that version.',
    })
  }
  const message = `Kit ${kit.name} (version ${kit.version}) does not export ${name}.`
  return new ContentSpaceError('unknownExport', message, {
    ...facts,
    hint: suggestion(name, exports.keys(), 'exports'),
  })
}

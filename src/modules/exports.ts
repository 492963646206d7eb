import { ContentSpaceError } from '../errors.js'
import type { Collection, NamedKit } from '../kit/named-kit.js'
import { suggestion } from '../text/nearest.js'

/**
 * Returns the error for an import of a name that a kit does not export: `unknownExport`. It contains the last
 * version that exported the name, or the most similar names.
 */
export function unknownExport(name: string, { exports }: Collection, { kit, gone }: NamedKit): ContentSpaceError {
  const facts = { kit: kit.uuid, version: kit.version }
  const lastSeen = gone.get(name)
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

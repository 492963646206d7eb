import { ContentSpaceError } from '../errors.js'
import type { Collection, NamedKit } from '../kit/named-kit.js'
import { suggestion } from '../text/nearest.js'

/**
 * What is wrong with the import of a name that a kit does not export: `unknownExport`, with where it was last, or the
 * nearest.
 */
export function unknownExport(name: string, { exports }: Collection, { kit, gone }: NamedKit): ContentSpaceError {
  const facts = { kit: kit.uuid, version: kit.version }
  const where = gone.get(name)
  if (where !== undefined) {
    const message = `${name} is no longer in kit ${kit.name} (version ${kit.version}): ${where}.`
    return new ContentSpaceError('unknownExport', message, {
      ...facts,
      hint: 'Remove the import, or import it from that version.',
    })
  }
  const message = `Kit ${kit.name} (version ${kit.version}) exports no ${name}.`
  return new ContentSpaceError('unknownExport', message, {
    ...facts,
    hint: suggestion(name, exports.keys(), 'exports'),
  })
}

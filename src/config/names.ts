import { ContentSpaceError } from '../errors.js'
import { agreeOnNames } from '../kit/chosen-names.js'
import { identifierOf, isExportName } from '../kit/identifiers.js'
import { canonicalName } from '../request/request.js'
import { foldName } from '../text/letters.js'
import type { KitNames, Options } from './options.js'

/**
 * Reads the names of assets in option `kits`.
 * @throws ContentSpaceError `invalidOption` for a name that is no identifier or given twice, and for different names of
 *   one kit
 */
export function readNames(kits: NonNullable<Options['kits']>): KitNames[] {
  const all = Object.entries(kits).flatMap(([alias, value]) => {
    const { kit, names, dark, darkPattern: pattern } = typeof value === 'string' ? { kit: value } : value
    if (names === undefined && dark === undefined && pattern === undefined) return []
    const pairs = new Map(Object.entries(dark ?? {}).map(([key, other]) => [canonicalName(key), canonicalName(other)]))
    return [
      {
        alias,
        kit: canonicalName(kit),
        names: readTable(alias, names ?? {}),
        ...((dark ?? pattern) !== undefined && { dark: { pairs, pattern } }),
      },
    ]
  })
  for (const { kit } of all) agreeOnNames(all.filter((other) => other.kit === kit))
  return all
}

function readTable(alias: string, table: Readonly<Record<string, string>>): Map<string, string> {
  const names = new Map<string, string>()
  const keys = new Map<string, string>()
  for (const [key, name] of Object.entries(table)) {
    const option = `Option kits.${alias}.names`
    if (!isExportName(name)) throw notAnIdentifier(option, key, name)
    const earlier = keys.get(foldName(name))
    if (earlier !== undefined || names.has(canonicalName(key))) {
      const problem = `gives the name ${name} to ${earlier ?? canonicalName(key)} and to ${key}`
      const hint = 'Names must differ in more than the case of their letters, because some are names of files.'
      throw new ContentSpaceError('invalidOption', `${option} ${problem}.`, { hint })
    }
    keys.set(foldName(name), key)
    names.set(canonicalName(key), name)
  }
  return names
}

function notAnIdentifier(option: string, key: string, name: string): ContentSpaceError {
  const near = identifierOf(name)
  const rule = 'A name is an identifier without $, no reserved word, and does not begin with two underscores.'
  return new ContentSpaceError('invalidOption', `${option} gives ${key} the name ${name}, which cannot be exported.`, {
    hint: near === '' ? rule : `Did you mean ${near}? ${rule}`,
  })
}

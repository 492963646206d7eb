import { derivedUuid, kitNamespace } from '../folder/naming.js'

/** Returns the uuid of a source's kit. */
export function uuidOfSource(name: string): string {
  return derivedUuid(kitNamespace, `source:${name}`)
}

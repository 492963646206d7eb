import { derivedUuid, kitNamespace } from '../folder/naming.js'

/** Returns the uuid of the kit of a source. */
export function uuidOfSource(name: string): string {
  return derivedUuid(kitNamespace, `source:${name}`)
}

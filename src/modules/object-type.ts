import { isIdentifierName } from '@babel/helper-validator-identifier'
import { escapeHidden } from '../text/display.js'

/** Returns the literal type of a string. Any string is safe in a declaration. */
export function stringType(text: string): string {
  const inner = escapeHidden(JSON.stringify(text)).slice(1, -1).replaceAll(`\\"`, '"').replaceAll("'", "\\'")
  return `'${inner}'`
}

export function objectType(properties: readonly (readonly [name: string, type: string])[]): string {
  const texts = properties.map(([name, type]) => `${isIdentifierName(name) ? name : stringType(name)}: ${type}`)
  return texts.length === 0 ? '{}' : `{ ${texts.join('; ')} }`
}

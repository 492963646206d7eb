import { isIdentifierName } from '@babel/helper-validator-identifier'
import { escapeHidden } from '../text/display.js'

/** Returns the literal type of a string. The result is safe in a declaration for any string. */
export function stringType(text: string): string {
  if (plain.test(text)) return `'${text}'`
  const inner = escapeHidden(JSON.stringify(text)).slice(1, -1).replaceAll(`\\"`, '"').replaceAll("'", "\\'")
  return `'${inner}'`
}

/** Matches text that doesn't need escaping: ASCII without quotes, backslashes, and `#`. */
const plain = /^[ !$-&(-[\]-~]*$/

export function objectType(properties: readonly (readonly [name: string, type: string])[]): string {
  const texts = properties.map(([name, type]) => `${isPropertyName(name) ? name : stringType(name)}: ${type}`)
  return texts.length === 0 ? 'Record<string, never>' : `{ ${texts.join('; ')} }`
}

function isPropertyName(name: string): boolean {
  return /^[a-z]+$/i.test(name) || isIdentifierName(name)
}

import { isIdentifierName } from '@babel/helper-validator-identifier'
import { escapeHidden, unicodeEscape } from '../text/display.js'

const codeKey = Symbol('code')

/** An expression inside a value. `literal` writes it unchanged. */
export interface Code {
  readonly [codeKey]: string
}

export function code(text: string): Code {
  return { [codeKey]: text }
}

function isCode(value: object): value is Code {
  return codeKey in value
}

type Writer = (text: string) => string

/**
 * Writes a value as a JavaScript expression. The result is safe for any text by content authors.
 *
 * The expression is a literal instead of a `JSON.parse` call, so that bundlers can tree-shake it. `__proto__` becomes a
 * computed key, because in a literal it would set the prototype. `<` is escaped because of `</script>`, U+2028 and
 * U+2029 because of old parsers, and invisible characters so that the code can be reviewed.
 * @param value plain data, which may contain `code`; undefined properties are omitted
 * @param write writes each string; by default, as a string literal
 */
export function literal(value: unknown, write: Writer = quote): string {
  if (Array.isArray(value)) return `[${value.map((element) => literal(element ?? null, write)).join(',')}]`
  // JSON may contain -0, but JSON.stringify writes it as 0.
  if (Object.is(value, -0)) return '-0'
  if (typeof value === 'string') return write(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (isCode(value)) return value[codeKey]
  const properties = Object.entries(value).filter(([, property]) => property !== undefined)
  return `{${properties.map(([key, property]) => `${literalKey(key, write)}:${literal(property, write)}`).join(',')}}`
}

/**
 * Writes content as an expression in a module that a bundler builds.
 *
 * Vite, Rollup, Rolldown, and this package search finished chunks for placeholders (`__VITE_ASSET__…__`, `!~{001}~`),
 * even in strings, after constants have been folded into longer strings. A text that could be a placeholder, or the
 * beginning or end of one, therefore becomes a `JSON.parse` call whose argument doesn't contain a placeholder. Bundlers
 * don't evaluate the call. Other strings become string literals.
 * @param value as in `literal`
 */
export function contentLiteral(value: unknown): string {
  return literal(value, writeContent)
}

/**
 * Every placeholder contains `__` or `!~`. Joined strings can't form a placeholder if they contain neither and don't
 * begin or end with half of one.
 */
const couldBePlaceholder = /^_|__|_$|^~|!~/
const secondHalf = /(?<=_)_|(?<=!)~/g

function writeContent(text: string): string {
  if (!couldBePlaceholder.test(text)) return quote(text)
  const json = JSON.stringify(text).replace(secondHalf, unicodeEscape)
  return `/* @__PURE__ */ JSON.parse(${quote(json)})`
}

/**
 * Writes content as an expression in a TypeScript source file, where a `JSON.parse` call needs a type.
 * @param value as in `literal`
 */
export function typedContentLiteral(value: unknown): string {
  return literal(value, (text) => (couldBePlaceholder.test(text) ? `${writeContent(text)} as string` : quote(text)))
}

function literalKey(key: string, write: Writer): string {
  if (key === '__proto__') return '["__proto__"]'
  const written = write(key)
  if (written !== quote(key)) return `[${written}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : written
}

function quote(text: string): string {
  return escapeHidden(JSON.stringify(text)).replaceAll('<', '\\u003c')
}

/**
 * Checks and returns a name that generated code uses as an identifier. Code that creates names or reads a lockfile
 * validates them too. This is the last check before a string becomes code.
 * @throws TypeError if the name isn't a valid identifier
 */
export function identifier(name: string): string {
  if (isIdentifierName(name)) return name
  throw new TypeError(`${JSON.stringify(name)} is not an identifier.`)
}

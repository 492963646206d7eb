import { isIdentifierName } from '@babel/helper-validator-identifier'
import { escapeHidden } from '../text/display.js'

const codeKey = Symbol('code')

/** An expression inside a value: `literal` puts it out as it is. */
export interface Code {
  readonly [codeKey]: string
}

export function code(text: string): Code {
  return { [codeKey]: text }
}

function isCode(value: object): value is Code {
  return codeKey in value
}

/** How a text becomes an expression. */
type Writer = (text: string) => string

/**
 * The one emitter of literals: a JavaScript expression that makes the value, whatever content authors wrote.
 *
 * It is a literal, not a `JSON.parse` call, so that bundlers can shake it. `__proto__` becomes a computed key, for in a
 * literal it would set the prototype. `<` is escaped against `</script>`, U+2028 and U+2029 against old parsers, and
 * what is not visible so that the code is what a reader sees.
 * @param value plain data, with `code` in places; undefined properties are dropped
 * @param write makes the expression of each text; default: a string literal
 */
export function literal(value: unknown, write: Writer = quote): string {
  if (Array.isArray(value)) return `[${value.map((element) => literal(element ?? null, write)).join(',')}]`
  // JSON has a negative zero, which JSON.stringify does not write.
  if (Object.is(value, -0)) return '-0'
  if (typeof value === 'string') return write(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (isCode(value)) return value[codeKey]
  const properties = Object.entries(value).filter(([, property]) => property !== undefined)
  return `{${properties.map(([key, property]) => `${literalKey(key, write)}:${literal(property, write)}`).join(',')}}`
}

/**
 * The literal of content in a module that a bundler builds.
 *
 * Vite, Rollup and Rolldown search finished chunks for placeholders (`__VITE_ASSET__…__`, `!~{001}~`), also within
 * strings, as this package does for its own, and bundlers fold constants into new strings before that. A text that
 * could be a placeholder, or the beginning or the end of one, is therefore written as a call that no bundler evaluates,
 * whose argument holds no placeholder. All other texts are string literals.
 * @param value as `literal` takes it
 */
export function contentLiteral(value: unknown): string {
  return literal(value, writeContent)
}

/**
 * Every placeholder has two underscores or `!~` side by side. A text that holds neither, and neither begins nor ends
 * with a half of them, gives no placeholder in whatever order such texts are joined.
 */
const SUSPICIOUS = /^_|__|_$|^~|!~/
const SECOND_HALF = /(?<=_)_|(?<=!)~/g

function writeContent(text: string): string {
  if (!SUSPICIOUS.test(text)) return quote(text)
  const json = JSON.stringify(text).replace(SECOND_HALF, unicodeEscape)
  return `/* @__PURE__ */ JSON.parse(${quote(json)})`
}

function literalKey(key: string, write: Writer): string {
  if (key === '__proto__') return '["__proto__"]'
  const written = write(key)
  if (written !== quote(key)) return `[${written}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : written
}

function quote(text: string): string {
  return escape(JSON.stringify(text))
}

function escape(text: string): string {
  return escapeHidden(text).replaceAll('<', '\\u003c')
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * A name as an identifier in generated code. Names are valid where they are made and where a lock is read: this is the
 * last line of defence against a text that becomes code.
 * @throws TypeError for any other text
 */
export function identifier(name: string): string {
  if (isIdentifierName(name)) return name
  throw new TypeError(`${JSON.stringify(name)} is not an identifier.`)
}

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

/**
 * The one emitter of literals: a JavaScript expression that makes the value, whatever content authors wrote.
 *
 * It is a literal, not a `JSON.parse` call, so that bundlers can shake it. `__proto__` becomes a computed key, for in a
 * literal it would set the prototype. `<` is escaped against `</script>`, and U+2028 and U+2029 against old parsers.
 * @param value plain data, with `code` in places; undefined properties are dropped
 */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((element) => literal(element ?? null)).join(',')}]`
  // JSON has a negative zero, which JSON.stringify does not write.
  if (Object.is(value, -0)) return '-0'
  if (typeof value !== 'object' || value === null) return escape(JSON.stringify(value) ?? 'undefined')
  if (isCode(value)) return value[codeKey]
  const properties = Object.entries(value).filter(([, property]) => property !== undefined)
  return `{${properties.map(([key, property]) => `${literalKey(key)}:${literal(property)}`).join(',')}}`
}

function literalKey(key: string): string {
  if (key === '__proto__') return '["__proto__"]'
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : escape(JSON.stringify(key))
}

function escape(text: string): string {
  return text.replace(/[<\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Whether a value of JSON is an object, or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Returns an object or a list of JSON as it is, and an empty object for any other value. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

/** Parses JSON. Undefined for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a JSON object. Undefined for any other text. */
export function jsonObjectOf(text: string): Record<string, unknown> | undefined {
  const value = jsonOf(text)
  return isObject(value) && !Array.isArray(value) ? { ...value } : undefined
}

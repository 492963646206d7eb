/** Returns whether a JSON value is an object or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Returns a JSON object or list unchanged, and an empty object for any other value. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

/** Parses JSON. Returns undefined if the string isn't valid JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a JSON object. Returns undefined for any other string. */
export function jsonObjectOf(text: string): Record<string, unknown> | undefined {
  const value = jsonOf(text)
  return isObject(value) && !Array.isArray(value) ? { ...value } : undefined
}

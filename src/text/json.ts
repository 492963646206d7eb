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
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

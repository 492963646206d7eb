/** Returns a copy of an object whose keys are in camelCase: `cardBackgroundColor` for `card_background_color`. */
export function camelKeys(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(value)).map(([key, one]) => [camelCase(key), one]))
}

/** Returns a copy of an object whose keys are in snake_case. */
export function snakeKeys(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(value)).map(([key, one]) => [snakeCase(key), one]))
}

function camelCase(key: string): string {
  return key.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Returns a copy of an object whose keys are in camelCase: `cardBackgroundColor` for `card_background_color`. */
export function camelKeys(value: unknown): Record<string, unknown> {
  return withKeys(value, (key) => key.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase()))
}

/** Returns a copy of an object whose keys are in snake_case. */
export function snakeKeys(value: unknown): Record<string, unknown> {
  return withKeys(value, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}

function withKeys(value: unknown, change: (key: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(value)).map(([key, one]) => [change(key), one]))
}

const form = /^\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?$/i

/**
 * Returns a uuid in the form that this package compares, stores and sends: in upper case, without braces.
 * @returns undefined for an invalid uuid
 */
export function canonicalUuid(text: string): string | undefined {
  return form.exec(text)?.[1]?.toUpperCase()
}

/** Checks whether a string looks like a mistyped uuid: without hyphens, or with a missing, extra or wrong character. */
export function isWrongUuid(text: string): boolean {
  return canonicalUuid(text) === undefined && almost.test(text)
}

const almost = /^\{?[0-9a-z]{7,9}(?:-?[0-9a-z]{4}){3}-?[0-9a-z]{11,13}\}?$/i

const form = /^\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?$/i

/**
 * Spells a uuid as this package compares, stores and sends it: in upper case, without braces.
 * @returns undefined for an invalid uuid
 */
export function canonicalUuid(text: string): string | undefined {
  return form.exec(text)?.[1]?.toUpperCase()
}

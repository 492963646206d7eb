const form = /^\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?$/i

/**
 * The one spelling of a uuid that this package compares, keeps and sends: upper case, without braces.
 * @returns undefined when the text is no uuid
 */
export function canonicalUuid(text: string): string | undefined {
  return form.exec(text)?.[1]?.toUpperCase()
}

/** Checks whether a string is an address with a scheme. */
function hasScheme(text: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\//i.test(text)
}

/**
 * Checks whether a space is an address rather than the path of a folder. An address without a scheme is recognized by
 * its credentials.
 */
export function isAddress(space: string): boolean {
  return hasScheme(space) || /^(?:\/\/)?(?![a-z]:[\\/])[^\\/:]+:.*@/i.test(space)
}

/** Whether a text is an address with a scheme. */
function hasScheme(text: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\//i.test(text)
}

/** Whether a space is an address, and not the path of a folder. Credentials tell one without a scheme. */
export function isAddress(space: string): boolean {
  return hasScheme(space) || /^(?:\/\/)?(?![a-z]:[\\/])[^\\/:]+:.*@/i.test(space)
}

/** Whether a space is an address, and not the path of a folder. Credentials tell one without a scheme. */
export function isAddress(space: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\/|:[^\\/]*@/i.test(space)
}

/** Names that Windows reserves for devices, with any extension. */
const reserved = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])$/

/** Whether Windows reserves a file name. @param name in lower case, without extension */
export function isReservedOnWindows(name: string): boolean {
  return reserved.test(name)
}

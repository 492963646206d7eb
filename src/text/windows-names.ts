/** Windows treats the superscript digits in these names as digits. */
const deviceName = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])$/i

/**
 * Returns whether Windows reserves a file name, with any extension, for a device. @param stem the name without
 * extension
 */
export function isReservedOnWindows(stem: string): boolean {
  return deviceName.test(stem)
}

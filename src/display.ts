/** Names come from a service: they must neither steer the terminal nor turn a line around. */
export function plain(line: string): string {
  return line.replaceAll(/[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu, ' ')
}

/** `1 file`, `2 files` @param several default: with an s */
export function count(number: number, what: string, several = `${what}s`): string {
  return `${number} ${number === 1 ? what : several}`
}

/** Names come from a service: they must neither steer the terminal nor turn a line around. */
export function plain(line: string): string {
  return line.replaceAll(/[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu, ' ')
}

/** A size in bytes for people: `1.2 kB`. */
export function bytes(size: number): string {
  return new Intl.NumberFormat('en', { style: 'unit', unit: size < 1000 ? 'byte' : 'kilobyte', maximumFractionDigits: 1 })
    .format(size < 1000 ? size : size / 1000)
}

/** `1 file`, `2 files` @param several default: with an s */
export function count(number: number, what: string, several = `${what}s`): string {
  return `${number} ${number === 1 ? what : several}`
}

/** Names come from a service: they must neither steer the terminal nor turn a line around. */
export function plain(line: string): string {
  return line.replaceAll(/[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu, ' ')
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in bytes for people: `1.2 kB`, `38 MB`. */
export function bytes(size: number): string {
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(size, 1)) / 3)))
  return new Intl.NumberFormat('en', { style: 'unit', unit: units[step] ?? 'byte', maximumFractionDigits: 1 }).format(size / 1000 ** step)
}

/** `1 file`, `2 files` @param several default: with an s */
export function count(number: number, what: string, several = `${what}s`): string {
  return `${number} ${number === 1 ? what : several}`
}

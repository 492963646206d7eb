import prettyBytes from 'pretty-bytes'

/** Formats a count: `1 file`, `2 files`. @param plural default: `noun` with an `s` */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** Formats a size: `0 B`, `22.1 kB`, `38 MB`. */
export function sizeText(bytes: number): string {
  return prettyBytes(bytes)
}

/** Formats a duration, rounded up: `8 s`, `5 min`. */
export function durationText(seconds: number): string {
  return seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}

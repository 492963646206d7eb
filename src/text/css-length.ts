/** Pixels per absolute CSS unit. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
}

/** Converts a CSS length to pixels. @returns undefined for a relative, invalid or non-positive length */
export function cssPixels(length = ''): number | undefined {
  const [, number, unit = ''] = /^\s*\+?(\d*\.?\d+(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(length) ?? []
  const value = Number(number) * (units[unit.toLowerCase()] ?? Number.NaN)
  return value > 0 && Number.isFinite(value) ? value : undefined
}

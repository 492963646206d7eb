/** Pixels per absolute unit of CSS. */
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

/** Converts a length of CSS to pixels. @returns undefined for one that is relative, invalid, or not positive */
export function cssPixels(length = ''): number | undefined {
  const [, number, unit = ''] = /^\s*\+?(\d*\.?\d+(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(length) ?? []
  const value = Number(number) * (units[unit.toLowerCase()] ?? Number.NaN)
  return value > 0 && Number.isFinite(value) ? value : undefined
}

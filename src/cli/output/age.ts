const day = 86_400_000

/** Formats how long ago something was: `today`, `yesterday`, `12 days ago`. @param date ISO 8601 */
export function ageText(date: string | undefined, now: number): string {
  if (date === undefined) return ''
  const days = Math.floor(now / day) - Math.floor(Date.parse(date) / day)
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  return days < 60 ? `${days} days ago` : `${Math.floor(days / 30)} months ago`
}

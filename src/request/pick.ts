import type { Request } from './request.js'

/**
 * Narrows a request to some of its exports.
 * @param members returns the used members of an export, or undefined for all
 * @returns undefined for a module with only a default export
 */
export function withPick(
  request: Request,
  pick: string[],
  members: (exported: string) => string[] | undefined = () => undefined,
): Request | undefined {
  const { kind } = request
  if (kind !== 'tokens') return kind === 'kit' || kind === 'section' ? { ...request, pick } : undefined
  const fonts = pick.includes('fonts') && !pick.includes('default') ? members('fonts') : undefined
  return { ...request, pick, ...(fonts && { fonts: [...new Set(fonts)].toSorted() }) }
}

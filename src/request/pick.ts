import type { Request } from './request.js'

/**
 * Narrows a request to some export names.
 * @returns undefined for modules that have only a default export
 */
export function withPick(request: Request, pick: string[]): Request | undefined {
  const { kind } = request
  return kind === 'kit' || kind === 'section' || kind === 'tokens' ? { ...request, pick } : undefined
}

import { parseRequest, type Request } from '../../src/request/request.js'

const specifier = /(from |^import )"(content-space:[^"]+)"/gm

/**
 * Evaluates a module and its imports as `data:` URLs.
 * @param source returns the ES module source for a request
 */
export async function evaluate(
  request: Request,
  source: (request: Request) => Promise<string>,
): Promise<Record<string, unknown>> {
  const made = new Map<string, Promise<string>>()
  const context = { kits: new Map(), query: () => ({ as: 'asset' as const, full: false }) }

  async function address(text: string): Promise<string> {
    const ids = [...new Set([...text.matchAll(specifier)].map(([, , id = '']) => id))]
    const addresses = new Map(await Promise.all(ids.map(async (id) => [id, await load(id)] as const)))
    const linked = text.replace(specifier, (_, before: string, id: string) => `${before}"${addresses.get(id)}"`)
    return `data:text/javascript;base64,${Buffer.from(linked).toString('base64')}`
  }

  function load(id: string): Promise<string> {
    const known = made.get(id)
    if (known) return known
    const making = source(parseRequest(id, context)).then(address)
    made.set(id, making)
    return making
  }

  return import(await address(await source(request)))
}

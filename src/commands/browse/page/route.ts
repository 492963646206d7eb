/** The state of the page, as in its URL: `#/brand/2/section/icons?q=arrow`. */
export interface Route {
  /** A reference or a uuid of a kit. */
  kit?: string
  version?: number
  view: 'assets' | 'usage' | 'changes'
  /** Slugs. */
  section?: string
  heading?: string
  /** The slug of the asset whose details are open, or its uuid if the slug isn't unique. */
  asset?: string
  /** The text of the search. */
  search: string
}

/** Parses a URL. Ignores unreadable parts, because people type and truncate URLs. */
export function parseRoute(hash: string): Route {
  const [path, query] = split(hash.replace(/^#?\/?/, ''), '?')
  const [kit, ...rest] = path.split('/').map(decodePart)
  const route: Route = { view: 'assets', search: new URLSearchParams(query).get('q') ?? '' }
  if (!kit) return route
  route.kit = kit
  const [first] = rest
  if (first !== undefined && /^(?:draft|\d{1,9})$/.test(first)) {
    route.version = first === 'draft' ? 0 : Number(first)
    rest.shift()
  }
  const [kind, name, heading] = rest
  if (kind === 'usage' || kind === 'changes') route.view = kind
  if (kind === 'asset' && name) route.asset = name
  if (kind === 'section' && name) {
    route.section = name
    if (heading) route.heading = heading
  }
  return route
}

export function formatRoute(route: Partial<Route>): string {
  const { kit, version, view, section, heading, asset, search } = route
  const parts: string[] = []
  if (kit) {
    parts.push(kit)
    if (version !== undefined) parts.push(version === 0 ? 'draft' : String(version))
    if (asset) parts.push('asset', asset)
    else if (section) parts.push('section', section, ...(heading ? [heading] : []))
    else if (view && view !== 'assets') parts.push(view)
  }
  const query = search ? `?${new URLSearchParams({ q: search }).toString()}` : ''
  return `#/${parts.map(encodeURIComponent).join('/')}${query}`
}

function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

import { byId, element } from './dom.js'

/** `demo.ts` writes this into the page after the build. */
export interface Paid {
  /** Parts of the plugin's summary, as printed: `45 files from Solvane Brand 1`. */
  facts: string[]
  /** The URL of the kit browser, relative to the page. */
  browser?: string
}

/** Shows what the page's content has cost: the summary of the build, or the requests to the dev server. */
export function showPaid(): void {
  const paid: Paid | null = JSON.parse(byId('paid-facts').textContent)
  if (paid !== null) show(paid.facts)
  else if (import.meta.env.DEV) watchRequests()
  const browser = import.meta.env.DEV ? '__content-space/' : paid?.browser
  if (browser !== undefined) link(browser)
}

function show(facts: readonly string[]): void {
  byId('paid').replaceChildren(
    ...facts.map((fact) => {
      const [, number = '', rest = ''] = /^([\d.]*)(.*)$/.exec(fact) ?? []
      return element('li', {}, element('strong', { textContent: number }), rest)
    }),
  )
}

/** Counts the kit's files that the page loads from the dev server, which makes each of them on request. */
function watchRequests(): void {
  const sizes = new Map<string, number>()
  const update = (entries: PerformanceEntryList): void => {
    for (const entry of entries) {
      if (entry instanceof PerformanceResourceTiming && entry.name.includes('/__content-space/'))
        sizes.set(entry.name, entry.decodedBodySize)
    }
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    show([`${sizes.size} files made, when this page asked for them`, `${Math.round(bytes / 1000)} kB`])
  }
  new PerformanceObserver((list) => update(list.getEntries())).observe({ type: 'resource', buffered: true })
  update([])
}

function link(address: string): void {
  for (const place of document.querySelectorAll('[data-kit-browser]')) {
    place.replaceChildren(element('a', { href: address, className: 'button', textContent: 'Kit browser' }))
  }
}

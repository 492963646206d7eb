import { readDrawing } from './check.js'
import type { XmlEvent } from './check-xml.js'
import { addNamed } from './limits.js'
import { limitStyle, movesRoot, rootAttributeAllowed, rootNames, type PlainElement } from './page-styles.js'
import { isScoped } from './scope.js'

/**
 * Lists everything that an inline SVG must not contain: the findings of `findActive`, data of drawing programs, ids
 * without its prefix, and anything that could cover or style other parts of the page.
 * @param prefix the prefix of all ids and of the class that style sheets are limited to
 */
export function findInPage(bytes: Uint8Array, prefix: string): string[] {
  const { findings, events } = readDrawing(bytes, 'page')
  return findings.length > 0 ? findings : checkStyles(events, prefix)
}

function checkStyles(events: readonly XmlEvent[], prefix: string): string[] {
  const findings = new Set<string>()
  const open: PlainElement[] = []
  let sheet = ''
  const [first] = events
  const root = rootNames(typeof first === 'object' ? first : { name: '', attributes: {} })
  for (const event of events) {
    if (typeof event === 'symbol') {
      if (open.pop()?.name === 'style' && !isScoped(sheet, root, prefix)) {
        findings.add('a <style> that applies to other parts of the page')
      }
      sheet = ''
    } else if (typeof event === 'string') {
      if (open.at(-1)?.name === 'style') sheet += event
    } else {
      checkElement(event, open.length, findings)
      if (movesRoot(event, open.length === 1, root)) addNamed(findings, `<${event.name}> of the root element`)
      const { id } = event.attributes
      if (id !== undefined && !['-', '_'].some((delim) => id.startsWith(prefix + delim)))
        addNamed(findings, `id="${id}"`)
      open.push(event)
    }
  }
  return [...findings]
}

function checkElement({ attributes }: PlainElement, depth: number, findings: Set<string>): void {
  const { style } = attributes
  if (style !== undefined && limitStyle(style, depth === 0) !== style) findings.add('style=')
  if (depth > 0) return
  for (const name of Object.keys(attributes)) if (!rootAttributeAllowed(name)) addNamed(findings, `${name}=`)
}

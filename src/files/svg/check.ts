import { attempt } from '../../async/attempt.js'
import { readAsHtml } from './check-html.js'
import { readAsXml, type XmlEvent } from './check-xml.js'
import { bytesIn, isDrawingAddress } from './embedded.js'
import { limits, tooLarge } from './limits.js'
import type { SvgTarget } from './rules.js'

/**
 * Lists the active content of an SVG in document order, such as `<script>`, `onload=`, or `entity declarations`.
 *
 * Browsers parse an SVG as XML if it is opened as a document, and as HTML if it is inlined. The SVG is safe if both
 * results are harmless and equal. We check the HTML only if the XML is harmless.
 * @returns an empty list if the file is safe without changes
 */
export function findActive(bytes: Uint8Array): string[] {
  return readDrawing(bytes, 'file').findings
}

/**
 * Returns the findings of `findActive` and the XML events.
 * @param use `page` allows less than `file`
 */
export function readDrawing(bytes: Uint8Array, use: SvgTarget): { findings: string[]; events: XmlEvent[] } {
  return readAt(bytes, use, 0)
}

/** @param depth how many levels of SVGs this one is embedded in */
function readAt(bytes: Uint8Array, use: SvgTarget, depth: number): { findings: string[]; events: XmlEvent[] } {
  if (bytes.length > limits.bytes) return { findings: [tooLarge], events: [] }
  const text = attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (text === undefined) return { findings: ['an encoding other than UTF-8'], events: [] }
  const { findings, events } = readAsXml(text, use)
  if (findings.length === 0) findings.push(...readAsHtml(text, events, use))
  if (findings.length === 0) findings.push(...findInEmbedded(events, depth))
  return { findings, events }
}

function findInEmbedded(events: readonly XmlEvent[], depth: number): string[] {
  for (const event of events) {
    if (typeof event !== 'object') continue
    for (const value of Object.values(event.attributes)) {
      if (!isDrawingAddress(value)) continue
      if (depth === limits.drawings) return [`more than ${limits.drawings} drawings in each other`]
      const bytes = bytesIn(value)
      const { findings } = bytes ? readAt(bytes, 'file', depth + 1) : { findings: ['an embedded drawing'] }
      if (findings.length > 0) return findings
    }
  }
  return []
}

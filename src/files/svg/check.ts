import { attempt } from '../../async/attempt.js'
import { readAsHtml } from './check-html.js'
import { readAsXml, type XmlEvent } from './check-xml.js'
import { bytesIn, isDrawingAddress } from './embedded.js'
import { limits, tooLarge } from './limits.js'
import type { SvgTarget } from './rules.js'

/**
 * Lists what makes an SVG more than a drawing, in reading order: `<script>`, `onload=`, `entity declarations`.
 *
 * An SVG can be opened as a document, which is parsed as XML, or be inlined, which is parsed as HTML. It is safe when
 * both results are harmless and equal. The HTML is checked only when the XML is harmless.
 * @returns an empty list for a file that is safe as it is
 */
export function findActive(bytes: Uint8Array): string[] {
  return readDrawing(bytes, 'file').findings
}

/** Returns what `findActive` lists, and the events of the XML. @param use for a page, less is allowed */
export function readDrawing(bytes: Uint8Array, use: SvgTarget): { findings: string[]; events: XmlEvent[] } {
  return readAt(bytes, use, 0)
}

/** @param depth the number of drawings that show this one as a picture */
function readAt(bytes: Uint8Array, use: SvgTarget, depth: number): { findings: string[]; events: XmlEvent[] } {
  if (bytes.length > limits.bytes) return { findings: [tooLarge], events: [] }
  const text = attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (text === undefined) return { findings: ['an encoding other than UTF-8'], events: [] }
  const { findings, events } = readAsXml(text, use)
  if (findings.length === 0) findings.push(...readAsHtml(text, events, use))
  if (findings.length === 0) findings.push(...findInEmbedded(events, depth))
  return { findings, events }
}

/** Lists what is active in the drawings that a drawing shows as pictures. */
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

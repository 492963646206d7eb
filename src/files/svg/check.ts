import { readAsHtml } from './check-html.js'
import { readAsXml } from './check-xml.js'
import { limits, tooLarge } from './limits.js'

/**
 * Lists what makes an SVG more than a drawing, in reading order: `<script>`, `onload=`, `entity declarations`.
 *
 * An SVG can be opened as a document, which is parsed as XML, or be inlined, which is parsed as HTML. It is safe when
 * both results are harmless and equal. The HTML is checked only when the XML is harmless.
 * @returns an empty list for a file that is safe as it is
 */
export function findActive(bytes: Uint8Array): string[] {
  if (bytes.length > limits.bytes) return [tooLarge]
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return ['an encoding other than UTF-8']
  }
  const { findings, events } = readAsXml(text)
  return findings.length > 0 ? findings : readAsHtml(text, events)
}

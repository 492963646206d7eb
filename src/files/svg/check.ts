import { readAsHtml } from './check-html.js'
import { readAsXml } from './check-xml.js'
import { limits, tooLarge } from './limits.js'

/**
 * What in an SVG is more than a drawing, in the order it comes: `<script>`, `onload=`, `entities`.
 * A file can be opened as a document, which reads it as XML, or be inlined, which reads it as HTML. Both readings must
 * be harmless, and the same. What HTML makes of it is named only where XML finds nothing.
 * @returns nothing for a file that is safe as it is
 */
export function findActive(bytes: Uint8Array): string[] {
  if (bytes.length > limits.bytes) return [tooLarge]
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return ['another encoding than UTF-8']
  }
  const { found, marks } = readAsXml(text)
  return found.length > 0 ? found : readAsHtml(text, marks)
}

import { SaxesParser } from 'saxes'
import { attributeAllowed, elementAllowed, styleAllowed } from './svg-rules.js'

/**
 * What in an SVG is more than a drawing, in the order it comes: `<script>`, `onload=`, `entities`.
 * Where XML and HTML would read the text differently, that counts as well: it may be inlined.
 * @returns nothing for a file that is safe as it is
 */
export function findActive(bytes: Uint8Array): string[] {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return ['another encoding than UTF-8']
  }
  const found = new Set<string>()
  const parser = new SaxesParser({ xmlns: true, position: false })
  let style: string | undefined
  parser.on('error', () => void found.add('malformed XML'))
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^(utf-8|us-ascii)$/i.test(encoding)) found.add('another encoding than UTF-8')
  })
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) found.add('entities')
  })
  parser.on('processinginstruction', ({ target }) => void found.add(`<?${target}?>`))
  parser.on('comment', (comment) => {
    if (/^-?>|--/.test(comment)) found.add('an ambiguous comment')
  })
  parser.on('opentag', (tag) => {
    if (!elementAllowed({ name: tag.name, local: tag.local, namespace: tag.uri })) found.add(`<${tag.name}>`)
    for (const { name, local, uri, value } of Object.values(tag.attributes)) {
      if (!attributeAllowed({ name, local, namespace: uri }, value)) found.add(`${name}=`)
    }
    if (tag.local === 'style') style = ''
  })
  const addStyle = (part: string) => {
    if (style !== undefined) style += part
  }
  parser.on('text', addStyle)
  parser.on('cdata', (part) => {
    addStyle(part)
    if (style === undefined && /[<>]/.test(part)) found.add('CDATA')
  })
  parser.on('closetag', ({ local }) => {
    if (local !== 'style') return
    if (style !== undefined && !styleAllowed(style)) found.add('<style> that loads or hides something')
    style = undefined
  })
  parser.write(text).close()
  return [...found]
}

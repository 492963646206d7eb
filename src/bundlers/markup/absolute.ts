import { MagicString } from 'magic-string'
import { elementsOf, rangeOf, writeAttribute } from '../../source/html.js'
import type { Session } from '../session/session.js'

/**
 * Marks URLs that we make absolute as soon as the URLs of files are known. The mark is an attribute of `<meta>`
 * elements or, in JSON, a prefix with a colon before the URL.
 */
export const ABSOLUTE = 'data-content-space-absolute'

const IN_DATA = new RegExp(`${ABSOLUTE}:([^"\\\\]*)`, 'g')

/**
 * Makes the marked URLs of a page absolute with the option `siteUrl`, and removes the marks. Without the option, warns
 * about URLs that remain relative. On a dev server, URLs always remain relative, because it isn't the site.
 * @param page the path of the page in the output, with forward slashes
 */
export async function makeAbsolute(session: Session, html: string, page: string): Promise<string> {
  if (!html.includes(ABSOLUTE)) return html
  const serving = session.host.command === 'serve'
  const { siteUrl } = (await session.engine()).options
  const base = siteUrl === undefined || serving ? undefined : new URL(page, siteUrl.replace(/\/?$/, '/'))
  const relative = new Set<string>()
  const withData = html.replace(IN_DATA, (_, address: string) => {
    if (URL.canParse(address)) return address
    if (base) return new URL(address, base).href
    if (!serving) relative.add(address)
    return address
  })
  const text = new MagicString(withData)
  for (const element of elementsOf(withData)) {
    const mark = rangeOf(element, ABSOLUTE)
    const content = rangeOf(element, 'content')
    if (mark === undefined || content === undefined) continue
    const address = element.attrs.find(({ name }) => name === 'content')?.value ?? ''
    if (!URL.canParse(address) && base) {
      text.update(content.startOffset, content.endOffset, writeAttribute('content', new URL(address, base).href))
    } else if (!URL.canParse(address) && !serving) relative.add(address)
    // Remove the preceding space too.
    text.remove(mark.startOffset - 1, mark.endOffset)
  }
  for (const address of relative) {
    session.host.log.warn(
      `content-space: ${page} gives other sites the relative URL ${address}, but most of them need an absolute one. ` +
        'Set option siteUrl.',
    )
  }
  return text.toString()
}

import { MagicString } from 'magic-string'
import { ContentSpaceError } from '../../errors.js'
import {
  idsInData,
  readPage,
  splitCandidates,
  writeAttribute,
  type AttributeWithId,
  type EmbeddedText,
} from '../../source/html.js'
import { idsInStyleSheet, readId } from '../../source/style-sheet.js'
import { escapeAttribute } from '../../text/attribute.js'
import type { Session } from '../session/session.js'
import { ABSOLUTE } from './absolute.js'
import { filesOfId } from './files.js'
import { writePairsInPage } from './pairs.js'
import { replaceIds, type AddressOf } from './style-sheet.js'

/**
 * What else reads a page. `nothing`: only this package, which replaces all ids. `styles`: the bundler, which reads
 * `<style>` and `style` attributes. `sources`: html-loader, which reads attributes of elements such as pictures, but
 * neither links nor styles.
 */
export type OtherReader = 'nothing' | 'styles' | 'sources'

/**
 * Replaces the ids in a page with URLs of files. Marks URLs for other sites with an attribute, or a prefix in JSON, so
 * that `makeAbsolute` finds them later.
 * @param page the path of the page, for errors
 * @throws ContentSpaceError `invalidId` if an attribute doesn't take a URL or an id isn't an asset with a file
 */
export async function replaceIdsInPage(
  session: Session,
  source: string,
  page: string,
  addressOf: AddressOf,
  reader: OtherReader = 'nothing',
): Promise<string> {
  const html = await writePairsInPage(session, source, page)
  const text = new MagicString(html)
  const { attributes: all, styles, data } = readPage(html)
  const icons = all.filter(({ value, link }) => link !== undefined && value.startsWith('content-space:app-icons/'))
  const attributes = all.filter((attribute) => !icons.includes(attribute))
  for (const attribute of all) {
    const unread = reader === 'sources' && (LINKS.has(attribute.element) || icons.includes(attribute))
    if (attribute.form === 'other' || unread) throw unsupported(attribute, page)
  }
  const sheets = reader === 'nothing' ? styles : []
  // html-loader doesn't read scripts.
  const strings = reader === 'sources' ? [] : data.flatMap(stringsOf)
  const ids = [
    ...strings,
    ...attributes.flatMap((attribute) => candidatesOf(attribute).flatMap(({ address }) => readId(address) ?? [])),
    ...sheets.flatMap(({ text: css }) => idsInStyleSheet(css)),
  ]
  await Promise.all(
    icons.map(async ({ value, link: place = { start: 0, end: 0 } }) => {
      const links = await iconLinks(session, value, page, addressOf)
      text.update(place.start, place.end, links.join('\n'))
    }),
  )
  // Find mistakes before loading the first file.
  await Promise.all(ids.map(({ id }) => filesOfId(session, id, page)))
  const values = await Promise.all(attributes.map((attribute) => valueOf(session, attribute, page, addressOf)))
  for (const [at, { name, form, start, end }] of attributes.entries()) {
    const mark = form === 'image' && reader !== 'sources' ? ` ${ABSOLUTE}` : ''
    text.update(start, end, writeAttribute(name, values[at] ?? '') + mark)
  }
  for (const { id, fragment, start, end } of strings) {
    const { file } = await filesOfId(session, id, page)
    text.update(start, end, `${ABSOLUTE}:${await addressOf(file, true)}${fragment}`)
  }
  for (const { text: css, attribute, start, end } of sheets) {
    const replaced = (await replaceIds(session, css, page, addressOf)).toString()
    text.update(start, end, attribute === undefined ? replaced : writeAttribute(attribute, replaced))
  }
  return text.toString()
}

/** Returns the ids in a page's JSON that other sites read, such as JSON-LD. */
function stringsOf({ text: json, start: from }: EmbeddedText) {
  return idsInData(json).flatMap(({ id, start, end }) => {
    const found = readId(id)
    return found ? [{ ...found, start: from + start, end: from + end }] : []
  })
}

async function iconLinks(session: Session, id: string, page: string, addressOf: AddressOf): Promise<string[]> {
  const [plan, { linkElement }] = await Promise.all([session.icons(id, page), import('../../modules/app-icons.js')])
  const { icons = [], links = [] } = plan ?? {}
  // Emit icons even if they have no link, because the manifest refers to them.
  await Promise.all(icons.map(async ({ file }) => addressOf(file)))
  return Promise.all(links.map(async (link) => linkElement(link, escapeAttribute(await addressOf(link.file)))))
}

/** Elements whose URLs html-loader doesn't read. */
const LINKS: ReadonlySet<string> = new Set(['a', 'feImage', 'iframe'])

function unsupported({ element, name, value, line }: AttributeWithId, page: string): ContentSpaceError {
  return new ContentSpaceError(
    'invalidId',
    `${value} is in attribute ${name} of <${element}>, which doesn't take an id.`,
    {
      hint: 'Import it in a script, or use it in an attribute for the address of a file, such as src or poster.',
      import: value,
      importer: page,
      line,
    },
  )
}

function candidatesOf({ value, form }: AttributeWithId): { address: string; descriptor: string }[] {
  return form === 'candidates' ? splitCandidates(value) : [{ address: value, descriptor: '' }]
}

/** Returns the value of an attribute with each id replaced by its URL. */
async function valueOf(session: Session, attribute: AttributeWithId, page: string, addressOf: AddressOf) {
  const isList = attribute.form === 'candidates'
  const isAlone = attribute.form === 'image' || /^(?:a|iframe|link)$/.test(attribute.element)
  const written = await Promise.all(
    candidatesOf(attribute).map(async ({ address, descriptor }) => {
      const found = readId(address)
      if (!found) return [[address, descriptor]]
      const { file, srcset } = await filesOfId(session, found.id, page)
      // A single id may stand for all candidates of a `srcset`.
      const entries = isList && descriptor === '' && srcset.length > 0 ? srcset : [{ file, descriptor }]
      return Promise.all(
        entries.map(async (entry) => {
          const start = await addressOf(entry.file, isAlone || found.fragment !== '')
          return [start + found.fragment, entry.descriptor]
        }),
      )
    }),
  )
  return written
    .flat()
    .map((parts) => parts.filter((part) => part !== '').join(' '))
    .join(', ')
}

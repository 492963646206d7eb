import { MagicString } from 'magic-string'
import { ContentSpaceError } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import { idsInStyleSheet } from '../../source/style-sheet.js'
import type { Session } from '../session/session.js'
import { filesOfId } from './files.js'
import { writePairs } from './pairs.js'

/**
 * Returns the text to write for a file in a style sheet or a page.
 * @param isAlone whether the file can't be inlined, because it needs its own URL, as in a link or for other sites, or
 *   because only a fragment of it is used
 */
export type AddressOf = (file: FileDescriptor, isAlone?: boolean) => Promise<string> | string

/**
 * Replaces the ids in a style sheet with URLs of files. All these files are used, because bundlers don't remove unused
 * rules.
 * @param sheet the path of the style sheet, for errors
 * @throws ContentSpaceError `invalidId` if an id isn't an asset with a file
 */
export async function replaceIds(
  session: Session,
  source: string,
  sheet: string,
  addressOf: AddressOf,
): Promise<MagicString> {
  const { options } = await session.engine()
  // In the style sheet for pairs, write the selector that controls dark mode.
  const written = source.replace(/\[data-mode=(["']?)content-space:dark\1\]/g, () => options.darkMode)
  const code = await writePairs(session, written, sheet)
  const text = new MagicString(code)
  const ids = idsInStyleSheet(code)
  const files = await Promise.all(ids.map(({ id }) => filesOfId(session, id, sheet)))
  const addresses = await Promise.all(files.map(async ({ file }, at) => addressOf(file, ids[at]?.fragment !== '')))
  for (const [at, { start, end, fragment }] of ids.entries()) {
    text.update(start, end, escapeForUrl((addresses[at] ?? '') + fragment))
  }
  return text
}

/** Wraps each id of a single asset in `url()`, including those in `image-set()` and in pairs. */
export async function wrapIds(session: Session, source: string, sheet: string): Promise<string> {
  const code = await writePairs(session, source, sheet)
  const text = new MagicString(code)
  for (const { start, end, bare } of idsInStyleSheet(code)) {
    if (bare) text.appendLeft(start - 1, 'url(').appendRight(end + 1, ')')
  }
  return text.toString()
}

/** Rejects `#icon` after an id, for bundlers whose URLs in style sheets can't have a fragment. */
export function requireNoFragments(source: string, sheet: string): void {
  const found = idsInStyleSheet(source).find(({ fragment }) => fragment !== '')
  if (found === undefined) return
  const { id, fragment } = found
  throw new ContentSpaceError('invalidId', `The bundler cannot keep ${fragment} after the address of ${id}.`, {
    hint: `Import ${id}?url in a script, and set the style there.`,
    import: id + fragment,
    importer: sheet,
  })
}

/** Escapes a URL for `url()`, with or without quotes. */
function escapeForUrl(address: string): string {
  return address.replace(/["'()\\\s]/g, (character) => `\\${character}`)
}

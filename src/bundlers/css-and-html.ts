import { MagicString } from 'magic-string'
import { ContentSpaceError } from '../errors.js'
import type { FileDescriptor } from '../files/plan.js'
import type { Session } from './session.js'

/** In a style sheet: behind `url(`, or as a string of `image-set()`. */
const IN_STYLES = /(?<=url\(\s*|["'])content-space:[^\s"')]*/g

/** In a page: the value of an attribute. Inline scripts may import as any script does. */
const IN_TAGS = /<[a-z][^<>]*=\s*(?:"[^"<>]*|'[^'<>]*)?(content-space:[^\s"'<>)]*)/i

/**
 * Gives the ids in a style sheet addresses. Style sheets do not shake: what stands in one is used.
 * @param address what to write for a file
 * @throws ContentSpaceError `invalidId` for an id that is no file
 */
export async function fillStyles(
  session: Session,
  code: string,
  sheet: string,
  address: (file: FileDescriptor) => Promise<string>,
): Promise<MagicString> {
  const text = new MagicString(code)
  const ids = [...code.matchAll(IN_STYLES)]
  const files = await Promise.all(ids.map(([id]) => fileBehind(session, id, sheet)))
  const addresses = await Promise.all(files.map(address))
  for (const [at, { index, 0: id }] of ids.entries()) text.update(index, index + id.length, addresses[at] ?? '')
  return text
}

/** @throws ContentSpaceError `invalidId` for an id in a tag, which would become a dead address */
export function refuseInTags(html: string, page: string): void {
  const id = IN_TAGS.exec(html)?.[1]
  if (id === undefined) return
  throw new ContentSpaceError('invalidId', `${id} cannot be an address in HTML.`, {
    hint: 'Import it in a script, or write it as url() in a style sheet.',
    import: id,
    importer: page,
  })
}

/** What the address of an asset shows: that of `?url`. */
async function fileBehind(session: Session, id: string, importer: string): Promise<FileDescriptor> {
  const opened = await session.importer()
  const request = opened.parse(id, importer)
  const files: FileDescriptor[] = []
  if (request.kind === 'asset') {
    const seen = (file: FileDescriptor): { code: string } => ({ code: JSON.stringify(files.push(file)) })
    const address = { ...request, query: { ...request.query, as: 'url' as const } }
    await opened.module(
      address,
      { layout: 'flat', address: seen, value: () => Promise.resolve({ code: '' }) },
      importer,
    )
  }
  const file = files.at(-1)
  if (file) return file
  throw new ContentSpaceError('invalidId', `${id} is not one file, and has no address.`, {
    hint: 'Write content-space:asset/<kit>/<asset>.',
    import: id,
    importer,
  })
}

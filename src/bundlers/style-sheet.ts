import { MagicString } from 'magic-string'
import { ContentSpaceError } from '../errors.js'
import type { FileDescriptor } from '../files/plan.js'
import type { Session } from './session/session.js'

/** After `url(`, or as a string of `image-set()`. */
const IDS = /(?<=url\(\s*|["'])content-space:[^\s"')]*/g

/**
 * Replaces the ids in a style sheet with addresses of files. Bundlers do not remove unused rules: all files are used.
 * @param sheet the path of the style sheet, for errors
 * @param addressOf returns the text to write for a file
 * @throws ContentSpaceError `invalidId` for an id that is not an asset with a file
 */
export async function replaceIds(
  session: Session,
  code: string,
  sheet: string,
  addressOf: (file: FileDescriptor) => Promise<string>,
): Promise<MagicString> {
  const text = new MagicString(code)
  const matches = [...code.matchAll(IDS)]
  const files = await Promise.all(matches.map(([id]) => fileOf(session, id, sheet)))
  const addresses = await Promise.all(files.map(addressOf))
  for (const [at, { index, 0: id }] of matches.entries()) text.update(index, index + id.length, addresses[at] ?? '')
  return text
}

/** Returns the file that `?url` of an id shows. */
async function fileOf(session: Session, id: string, sheet: string): Promise<FileDescriptor> {
  const importer = await session.importer()
  const request = importer.parse(id, sheet)
  const files: FileDescriptor[] = []
  if (request.kind === 'asset') {
    const urlRequest = { ...request, query: { ...request.query, as: 'url' as const } }
    const collect = (file: FileDescriptor): { code: string } => ({ code: JSON.stringify(files.push(file)) })
    const references = { layout: 'flat' as const, address: collect, value: () => Promise.resolve({ code: '' }) }
    await importer.module(urlRequest, references, sheet)
  }
  const file = files.at(-1)
  if (file) return file
  throw new ContentSpaceError('invalidId', `${id} has no address, because it is not an asset with a file.`, {
    hint: 'Write content-space:asset/<kit>/<asset>.',
    import: id,
    importer: sheet,
  })
}

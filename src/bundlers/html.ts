import { ContentSpaceError } from '../errors.js'

/** An id in the value of an attribute. Inline scripts may import ids as other scripts do. */
const ID_IN_TAG = /<[a-z][^<>]*=\s*(?:"[^"<>]*|'[^'<>]*)?(content-space:[^\s"'<>)]*)/i

/** @throws ContentSpaceError `invalidId` for an id in a tag, which would become a broken link */
export function rejectIdsInTags(html: string, page: string): void {
  const id = ID_IN_TAG.exec(html)?.[1]
  if (id === undefined) return
  throw new ContentSpaceError('invalidId', `${id} is not supported in HTML attributes.`, {
    hint: 'Import it in a script, or use it in url() in a style sheet.',
    import: id,
    importer: page,
  })
}

import { ContentSpaceError, ignoreCodes } from '../../errors.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { revisionHeader, type Call, type KitRecord, type Space } from '../space.js'
import type { SentPreviews } from '../wire/asset.js'
import { parseFields } from '../wire/custom-fields.js'
import { parseGalleryPage, parseKit, parseKits, parseOutline, parsePage } from '../wire/records.js'
import { createConnection, type HttpOptions } from './connection.js'
import { createGetFile } from './get-file.js'
import { createGetPreview } from './get-preview.js'
import {
  createGetRecord,
  createIsUnchanged,
  createRequestListing,
  expectUuid,
  expectVersion,
  versionQuery,
} from './get-record.js'
import { maxBytes } from './page-limits.js'
import { readSection, type PageBase, type ReadPage } from './pagination.js'

export type { HttpOptions } from './connection.js'

const pageSize = 200

const pages = {
  sections: { query: {}, parse: parsePage },
  items: { query: { include: 'items' }, parse: parseGallery },
} as const

/** @throws ContentSpaceError `objectNotFound` if the service doesn't send the gallery's items */
function parseGallery(result: object, previews: SentPreviews): ReturnType<typeof parsePage> {
  const page = parseGalleryPage(result, previews)
  if (page) return page
  throw new ContentSpaceError('objectNotFound', 'The service does not send the items of galleries.')
}

/**
 * The errors with which a service without galleries rejects a request for one, because it doesn't know the path, the
 * uuid or the query.
 */
const noGalleries = ['objectNotFound', 'kitNotFound', 'sectionNotFound', 'assetNotFound', 'invalidParams'] as const

/**
 * Opens the space behind a REST interface. Doesn't send a request before the first call.
 * @throws ContentSpaceError `invalidOption` for plain http beyond loopback
 */
export function httpSpace(options: HttpOptions): Space & Required<Pick<Space, 'preview' | 'isUnchanged'>> {
  const connection = createConnection(options)
  const request = createRequestListing(connection)
  const get = createGetRecord(connection, request)
  const base: PageBase = {}
  const { address, credentials, strict, warn } = options
  const paging = { base, strict, warn }

  function pageReader(path: keyof typeof pages, uuid: string, version: number, call: Call | undefined): ReadPage {
    const { query, parse } = pages[path]
    let bytes = 0
    return (page) =>
      get({
        path: `${path}/${uuid}`,
        query: { ...query, ...versionQuery(version), limit: pageSize, ...omitUndefined({ page }) },
        facts: { section: uuid, version },
        call,
        parse(result, { size, previews }) {
          const section = expectVersion(expectUuid(parse(result, previews), uuid), version)
          bytes = size + (page === undefined ? 0 : bytes)
          if (page === undefined || bytes <= maxBytes(section.counts.items)) return section
          const problem = `The pages of section ${section.name} do not end: they already have ${bytes} bytes.`
          throw new ContentSpaceError('invalidResponse', problem)
        },
      })
  }

  /**
   * Warns about invalid records, which are left out so that they don't affect the other kits. Throws if `strict` is
   * set.
   */
  function leaveOut(error: ContentSpaceError): void {
    if (strict) throw error
    warn(`${error.summary} They are left out.`)
  }

  return {
    label: connection.label,
    key: connection.key,
    spaceId: credentials.spaceId,
    kits: (call) =>
      get({ path: 'kits/', call, parse: (result, { previews }) => parseKits(result, leaveOut, previews) }),
    kit: (uuid, include, call) =>
      get({
        path: `kits/${uuid}`,
        // The documentation uses `include`, but the public client sends `options`.
        query: { include, options: include },
        facts: { kit: uuid },
        call,
        parse(result, { headers, previews }): KitRecord {
          const sent = headers[revisionHeader]
          const revision = typeof sent === 'string' ? credentials.content.clean(sent) : undefined
          return { ...expectUuid(parseKit(result, previews), uuid), ...omitUndefined({ revision }) }
        },
      }),
    outline: (kit, version, call) =>
      get({
        path: `kits/${kit}/outline/`,
        query: versionQuery(version),
        facts: { kit, version },
        call,
        parse: (result) => expectVersion(expectUuid(parseOutline(result), kit), version),
      }),
    section: (uuid, version, call) => readSection({ readPage: pageReader('sections', uuid, version, call), ...paging }),
    async gallery({ uuid }, version, call) {
      const read = pageReader('items', uuid, version, call)
      let isKnown = false
      const readPage: ReadPage = async (number) => {
        const page = await read(number)
        isKnown = true
        return page
      }
      try {
        return (await readSection({ readPage, ...paging, galleryLimit: pageSize })).items
      } catch (error) {
        if (isKnown) throw error
        return ignoreCodes(...noGalleries)(error)
      }
    },
    fields: (call) =>
      get({ path: 'fields', call, parse: parseFields }).catch((error) => ignoreCodes('objectNotFound')(error) ?? []),
    isUnchanged: createIsUnchanged(request),
    download: createGetFile(connection),
    preview: createGetPreview(connection, address),
    close: connection.close,
  }
}

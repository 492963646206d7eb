import { ContentSpaceError } from '../../errors.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { revisionHeader, type Call, type KitRecord, type SectionRecord, type Space } from '../space.js'
import { parseKit, parseKits, parseOutline, parsePage } from '../wire/records.js'
import { createConnection, type HttpOptions } from './connection.js'
import { getFile } from './get-file.js'
import { getPreview } from './get-preview.js'
import { createGetRecord, expectUuid, expectVersion, versionQuery, type GetRecord } from './get-record.js'
import { maxBytes } from './page-limits.js'
import { readSection, type PageBase, type ReadPage } from './pagination.js'

export type { HttpOptions } from './connection.js'

const pageSize = 200

/**
 * Opens the space behind a REST interface. No request is sent before the first call.
 * @throws ContentSpaceError `invalidOption` for plain http beyond loopback
 */
export function httpSpace(options: HttpOptions): Space {
  const connection = createConnection(options)
  const get = createGetRecord(connection)
  const base: PageBase = {}
  const { strict, warn } = options
  return {
    label: options.address.origin,
    key: connection.key,
    spaceId: options.credentials.spaceId,
    kits: (call) => get({ path: 'kits/', call, parse: parseKits }),
    kit: (uuid, include, call) => getKit(get, options, { uuid, include, call }),
    outline: (kit, version, call) =>
      get({
        path: `kits/${kit}/outline/`,
        query: versionQuery(version),
        facts: { kit, version },
        call,
        parse: (result) => expectVersion(expectUuid(parseOutline(result), kit), version),
      }),
    section: (uuid, version, call): Promise<SectionRecord> =>
      readSection({ readPage: pageReader(get, { uuid, version, call }), base, strict, warn }),
    download: (asset, cut, receive, call) => getFile(connection, { asset, cut, receive, call }),
    preview: (url, receive, call) => getPreview(connection, options.address, { url, receive, call }),
    close: connection.close,
  }
}

function getKit(
  get: GetRecord,
  { credentials }: HttpOptions,
  { uuid, include, call }: { uuid: string; include: string; call: Call | undefined },
): Promise<KitRecord> {
  return get({
    path: `kits/${uuid}`,
    query: { include },
    facts: { kit: uuid },
    call,
    parse(result, { headers }) {
      const revision = headers[revisionHeader]
      return {
        ...expectUuid(parseKit(result), uuid),
        ...omitUndefined({ revision: typeof revision === 'string' ? credentials.content.clean(revision) : undefined }),
      }
    },
  })
}

/**
 * Returns a function that reads single pages of a section.
 * @throws ContentSpaceError `invalidResponse` for pages that have too many bytes together
 */
function pageReader(
  get: GetRecord,
  { uuid, version, call }: { uuid: string; version: number; call: Call | undefined },
): ReadPage {
  let bytes = 0
  return (page) =>
    get({
      path: `sections/${uuid}`,
      query: { ...versionQuery(version), limit: pageSize, ...omitUndefined({ page }) },
      facts: { section: uuid, version },
      call,
      parse(result, { size }) {
        const section = expectVersion(expectUuid(parsePage(result), uuid), version)
        bytes = size + (page === undefined ? 0 : bytes)
        if (page === undefined || bytes <= maxBytes(section.counts.items)) return section
        throw new ContentSpaceError(
          'invalidResponse',
          `The pages of section ${section.name} do not end: they have ${bytes} bytes so far.`,
        )
      },
    })
}

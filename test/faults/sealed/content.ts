import {
  contentService,
  headingItem,
  assetItem,
  kitUuid,
  sectionUuid,
  upload,
  type Upload,
} from '../../support/content-service.js'
import { faultServer, type FaultServer } from '../../support/fault-server.js'
import { halves } from '../../support/pictures.js'
import { svg } from '../../support/space.js'

/** The content of a version of the kit. */
export interface Content {
  kit: { name: string }
  notes: string
  section: { name: string }
  heading: string
  uploads: Upload[]
  /** The numbers of the assets, in display order. */
  order: number[]
}

const picture = await halves(2, 2).png().toBuffer()

/** Returns a cut that isn't decoded, because decoding needs a process for each run. */
function cut(text: string): Record<string, Uint8Array> {
  const bytes = Buffer.from(`%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 24 24\n%${text}\n%%EOF\n`)
  return { eps: bytes, EPS: bytes }
}

const drawing = (text: string): Buffer => Buffer.from(svg(text))

const cuts = { available_types: [{ type: 'EPS', enabled: true, resizable: false }] }

/** Returns the content that the tests' lockfiles describe. */
function initialContent(): Content {
  return {
    kit: { name: 'Brand' },
    notes: 'First',
    section: { name: 'Logos' },
    heading: 'Primary',
    uploads: [
      upload(
        1,
        'Acme Logo',
        'SVG',
        drawing('acme'),
        { notes: 'The logo', keywords: 'logo, main', colors: [{ hex: '#336699' }], meta: { filecuts: cuts } },
        cut('first'),
      ),
      // The service doesn't list a hash for this file.
      upload(2, 'Best Logo', 'SVG', drawing('best'), { file_hash: null }),
      upload(3, 'Coral', 'COLOR', Buffer.alloc(0), { meta: { hex: '#E5603F' }, file_hash: null, dimensions: '' }),
      upload(4, 'Badge', 'SVG', drawing('badge')),
    ],
    order: [1, 2, 3, 4],
  }
}

/**
 * A version beside the one that changes. Its files are different if the service can tell which of them is requested.
 */
export const otherVersion = 9

function otherContent(): Content {
  const content = initialContent()
  content.uploads[0] = upload(
    1,
    'Acme Logo',
    'SVG',
    drawing('another acme'),
    { meta: { filecuts: cuts } },
    cut('other'),
  )
  content.uploads[3] = upload(4, 'Badge', 'SVG', drawing('another badge'))
  return content
}

/** Changes that the service makes within a version without changing its number and dates. */
export const serviceChanges: Readonly<Record<string, (content: Content) => void>> = {
  'a color': change(3, { meta: { hex: '#00FF00' } }),
  'colors of a file': change(1, { colors: [{ hex: '#112233' }] }),
  'notes of an asset': change(1, { notes: 'Another text' }),
  'notes of the version': (content) => void (content.notes = 'Second'),
  keywords: change(1, { keywords: 'logo, other' }),
  dimensions: change(1, { dimensions: '48x48' }),
  'a type alone': change(4, { type: 'PNG' }),
  'a type and its bytes': (content) => {
    const { record, bytes } = upload(4, 'Badge', 'PNG', picture)
    content.uploads[3] = { record, bytes }
  },
  'bytes and their hash': replace(1, 'ACME', true),
  'bytes of a file without hash': replace(2, 'BEST', false),
  'a cut turned off': change(1, { meta: { filecuts: { available_types: [{ type: 'EPS', enabled: false }] } } }),
  'a cut turned on': change(4, { meta: { filecuts: { available_types: [{ type: 'EPS', enabled: true }] } } }),
  'bytes of a cut': (content) =>
    void (content.uploads = content.uploads.map((one) => (one.cuts?.['EPS'] ? { ...one, cuts: cut('second') } : one))),
  'a name': change(1, { name: 'Corp Logo' }),
  'the case of a name': change(1, { name: 'ACME LOGO' }),
  'two names swapped': (content) =>
    [change(1, { name: 'Best Logo' }), change(2, { name: 'Acme Logo' })].forEach((one) => one(content)),
  'the name of the kit': (content) => void (content.kit.name = 'Corporation'),
  'the name of the section': (content) => void (content.section.name = 'Marks'),
  'a heading': (content) => void (content.heading = 'Secondary'),
  'the order': (content) => void (content.order = content.order.toReversed()),
  'an item removed': (content) => void (content.order = [1, 2, 3]),
  'an item in use removed': (content) => void (content.order = [2, 3, 4]),
  'an item added': (content) => {
    content.uploads.push(upload(5, 'Chart', 'SVG', Buffer.from(svg('chart'))))
    content.order.push(5)
  },
  'a field added': change(1, { rating: 5 }),
}

function change(number: number, fields: object): (content: Content) => void {
  return (content) => {
    const at = number - 1
    const one = content.uploads[at]
    if (one) content.uploads[at] = { ...one, record: { ...one.record, ...fields } }
  }
}

function replace(number: number, text: string, isListed: boolean): (content: Content) => void {
  return (content) => {
    const { record, bytes } = upload(number, '', 'SVG', Buffer.from(svg(text)))
    const { file_hash: hash, size } = record
    change(number, isListed ? { file_hash: hash, size } : { size })(content)
    const one = content.uploads[number - 1]
    if (one) content.uploads[number - 1] = { ...one, bytes }
  }
}

/** A service whose content the tests change while it runs. */
export interface Service extends FaultServer {
  /** The content by version. */
  versions: Map<number, Content>
  /** The version in use. */
  use: number
  /** Restores the initial content, including the other version. */
  reset(version: number): void
  /** Applies changes from `serviceChanges` to a version's initial content. */
  change(version: number, ...changes: string[]): void
}

export async function startService(): Promise<Service> {
  let asked = 1
  let hash: unknown
  const server = await faultServer(
    contentService(
      () => {
        const content = service.versions.get(asked) ?? initialContent()
        const heads = [...service.versions].map(([version, { notes }]) => head(version, notes))
        return {
          version: asked,
          kit: { ...content.kit, use_version: service.use, versions: heads },
          outline: {
            ...head(asked, content.notes),
            sections: [
              { uuid: sectionUuid, name: content.section.name, version: asked, display_order: 0, headers: [] },
            ],
          },
          section: content.section,
          // Downloads identify a file by its hash and don't name a version.
          uploads: [
            ...[...service.versions.values()].flatMap(({ uploads }) =>
              uploads.filter(({ record }) => record['file_hash'] === hash),
            ),
            ...(service.versions.get(service.use) ?? content).uploads,
          ],
          items: [
            headingItem(90, { data: { content: content.heading } }),
            ...content.order.map((number, at) =>
              assetItem(number, content.uploads[number - 1]?.record, { display_order: at + 1 }),
            ),
          ],
        }
      },
      ({ query, request }) => {
        hash = request.headers['content-revision'] ?? 'unknown'
        asked = Number(query.get('version') ?? service.use)
        return false
      },
    ),
  )
  const service: Service = {
    ...server,
    versions: new Map(),
    use: 1,
    reset(version) {
      service.versions.clear()
      service.versions.set(otherVersion, otherContent())
      service.change(version)
    },
    change(version, ...changes) {
      const content = initialContent()
      for (const name of changes) serviceChanges[name]?.(content)
      service.versions.set(version, content)
      service.use = version
    },
  }
  return service
}

function head(version: number, notes: string): object {
  return { version, version_identifier: `${version}.0`, status: 'active', notes, kit_uuid: kitUuid, counts: {} }
}

import { isKnownType } from '../../space/asset-type.js'
import { itemKinds } from '../../space/item-kinds.js'
import { isObject, objectOf } from '../../text/json.js'
import { countText, shortList } from '../../text/quantities.js'
import type { Answer } from './ask.js'

type Wire = Readonly<Record<string, unknown>>

/** The evidence about one assumption. Its strings come from this package, or are names of fields and types. */
export interface Finding {
  topic: string
  /** `fine` is as expected, `differs` is handled, `problem` needs an action, `unknown` couldn't be examined. */
  state: 'fine' | 'differs' | 'problem' | 'unknown'
  found: string
  /** The consequence for a project. */
  means: string
}

/** The responses and the facts in them. Facts that weren't requested are undefined. */
export interface Evidence {
  hasSpaceId: boolean
  kits: Answer | undefined
  list: readonly Wire[]
  versions?: Answer | undefined
  numbers?: readonly number[]
  outline?: Answer | undefined
  /** A version that isn't in use, and its outline as requested by each of the two selectors. */
  other?: number | undefined
  byVersion?: Answer | undefined
  byV?: Answer | undefined
  whole?: Answer | undefined
  items?: readonly Wire[]
  assets?: readonly Wire[]
  /** Responses with one item of the section: without a page number, and for page 1. */
  plain?: Answer | undefined
  first?: Answer | undefined
  file?: Wire | undefined
  download?: Answer | undefined
  /** Whether the download returned the file's address. */
  isLinked?: boolean
  /** Whether the file has the listed hash. */
  matches?: boolean | undefined
  fields?: Answer | undefined
}

type Verdict = Omit<Finding, 'topic'>

const fine = (found: string, means = 'Nothing to do.'): Verdict => ({ state: 'fine', found, means })
const differs = (found: string, means: string): Verdict => ({ state: 'differs', found, means })
const problem = (found: string, means: string): Verdict => ({ state: 'problem', found, means })
const unknown = (found: string): Verdict => ({ state: 'unknown', found, means: 'This cannot be checked here.' })

/** Each assumption that this package makes about a service, in the order of the report. */
const topics: Readonly<Record<string, (evidence: Evidence) => Verdict>> = {
  credentials({ kits, hasSpaceId }) {
    const form = hasSpaceId ? 'Basic, with the space id' : 'Bearer, without a space id'
    if (kits?.result) return fine(`accepted as ${form}`)
    if (kits?.code === 'unauthorized' || kits?.code === 'permissionDenied')
      return problem(
        `refused as ${form} (${kits.code})`,
        'Check CONTENT_SPACE_ID, CONTENT_SPACE_TOKEN and the address.',
      )
    if (kits?.code === 'requestBlocked')
      return problem('a firewall or a proxy refuses requests', 'Ask its administrators to allow this User-Agent.')
    return problem(`no list of kits (${kits?.code ?? 'no answer'})`, '`npx content-space ls` shows the whole error.')
  },
  kits({ kits, list }) {
    if (!kits?.result) return unknown('the response has no list of kits')
    if (list.length === 0) return problem('the space has no kits', 'Check that the token belongs to this space.')
    const isPlural = 'kits' in kits.result
    return (isPlural ? differs : fine)(
      `${countText(list.length, 'kit')}, under \`${isPlural ? 'kits' : 'kit'}\``,
      'Both forms are read.',
    )
  },
  paths({ kits, versions, outline, whole, download }) {
    const moved = [kits, versions, outline, whole, download].filter((answer) => answer?.slashed).length
    if (moved === 0) return fine('accepted as written')
    return differs('redirected to the path with or without a slash at the end', 'Each run detects it once.')
  },
  versions({ versions, numbers = [] }) {
    if (!versions?.result) return unknown('no kit was received')
    if (numbers.length === 0)
      return problem('the kit lists no versions', 'Imports of numbered versions fail. Drafts and `use` work.')
    return fine(`${countText(numbers.length, 'version')} listed`)
  },
  selectors({ other, byVersion, byV }) {
    if (other === undefined) return unknown('the kit has only one version')
    const [long, short] = [byVersion, byV].map((answer) => versionIn(answer) === other)
    if (long && short) return fine('`version` and `v`')
    if (!long && !short) return problem('neither `version` nor `v`', 'Only the default version can be read.')
    return differs(`only \`${long ? 'version' : 'v'}\``, 'Both are sent with each request.')
  },
  pages({ plain, first, items = [], whole }) {
    if (!whole?.result) return unknown('no section was received')
    if (items.length < 2) return unknown('the section has no second page')
    const [one, two] = [plain, first].map((answer) => objectOf(itemsIn(answer)[0])['uuid'])
    if (itemsIn(plain).length > 1) return differs('`limit` is ignored', 'Sections are read in one request.')
    if (one === undefined || two === undefined) return problem('a page has no items', 'Large sections cannot be read.')
    return fine(`the first page is number ${one === two ? 1 : 0}`, 'Each run detects it once.')
  },
  identity({ assets = [], other }) {
    if (assets.length === 0) return unknown('no assets were received')
    const count = assets.filter((asset) => typeof asset['source_id'] === 'string').length
    if (count === 0) return fine('no `source_id`', 'An asset has one uuid in all versions.')
    const means = 'Names and imports follow `source_id`, so they stay the same when a version is published.'
    return differs(
      `\`source_id\` on ${count} of ${assets.length} assets${other === undefined ? '' : ', per version'}`,
      means,
    )
  },
  shortIds({ list, items = [] }) {
    const has = [...list.slice(0, 1), ...items.slice(0, 1)].some((record) => 'short_id' in record)
    return fine(has ? '`short_id`' : 'no `short_id`')
  },
  compression({ whole, kits }) {
    const coding = String((whole ?? kits)?.headers['content-encoding'] ?? '')
    if (coding !== '') return fine(`listings are compressed (${word(coding)})`)
    return differs('listings are not compressed', 'Large kits take longer to list. A proxy can compress listings.')
  },
  limits({ whole, download, kits }) {
    const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
    const sent = names.filter((name) => [whole, download, kits].some((answer) => answer?.headers[name] !== undefined))
    if (sent.length === 0) return fine('no headers', 'Only option rateLimit limits requests in advance.')
    if (sent.length < 3) return differs(sent.join(', '), 'Without all three, requests are not slowed down in advance.')
    return fine(sent.join(', '), 'Requests are slowed down before the service refuses them.')
  },
  hashes({ file, matches, download }) {
    if (file === undefined || download === undefined) return unknown('no file was downloaded')
    const listed = file['file_hash']
    if (typeof listed !== 'string')
      return differs('no `file_hash`', 'A damaged file is recognized only by its size and content.')
    if (matches === undefined) return differs(`\`file_hash\` has ${listed.length} characters`, 'It is not compared.')
    if (matches) return fine(`the hash of a file is right (${listed.length * 4} bits)`)
    return problem('the hash of a file does not match', 'Each such file causes a warning, or an error with `strict`.')
  },
  downloads({ download, isLinked, file }) {
    if (file === undefined) return unknown('the section has no file')
    if (download === undefined) return unknown('no request was left')
    if (download.code !== undefined) return problem(`a file is refused (${download.code})`, 'Builds need files.')
    const { other, abroad } = download.redirects
    if (isLinked) return fine('the address of the file, which is then requested without credentials')
    if (other === 0) return fine('the bytes of the file')
    const where = abroad > 0 ? 'another host' : 'the same host'
    return fine(`a redirect to ${where}`, abroad > 0 ? 'Credentials never go there.' : 'Nothing to do.')
  },
  addresses({ list, assets = [] }) {
    const carries = [...list, ...assets].some((record) => /"https?:[^"\s]*[?#][^"\s]*"/.test(JSON.stringify(record)))
    if (!carries) return fine('no queries')
    return differs(
      'some have a query, which may grant access',
      'This package writes such addresses without their query (option addresses).',
    )
  },
  processing({ assets = [] }) {
    const states = assets.map((asset) => word(objectOf(asset['meta'])['asset_processing'] ?? 'complete'))
    const [failed, busy] = ['error', 'processing'].map((state) => states.filter((one) => one === state).length)
    if (failed) return problem(`${countText(failed, 'asset')} failed`, 'Upload these files again.')
    if (busy) return differs(`${countText(busy, 'asset')} in progress`, 'Their cuts may change until it is done.')
    return fine('complete')
  },
  types({ items = [], assets = [] }) {
    const types = assets.map((asset) => word(asset['type'])).filter((type) => !isKnownType(type))
    const kinds = items.map((item) => word(item['type'])).filter((kind) => !itemKinds.has(kind))
    const states = [...items, ...assets].map((one) => word(one['status'] ?? 'active')).filter((one) => one !== 'active')
    const names = unique([...types, ...kinds, ...states])
    if (names.length === 0) return fine('all are known')
    return differs(`unknown: ${shortList(names)}`, 'They are kept unchanged. Inactive items are left out.')
  },
  fields({ list, numbers = [], versions, whole, items = [], assets = [] }) {
    const heads = numbers.length === 0 ? [] : recordsIn(objectOf(versions?.result)['kit'], 'versions')
    const sections = isObject(whole?.result?.['section']) ? [whole.result['section']] : []
    const names = [
      ...unknownIn(list, known.kit),
      ...unknownIn(heads, known.version),
      ...unknownIn(sections, known.section),
      ...unknownIn(items, known.item),
      ...unknownIn(assets, known.asset),
    ]
    if (names.length === 0) return fine('all are known')
    return differs(`unknown: ${shortList(unique(names))}`, 'They are in `raw` of imports with `metadata=full`.')
  },
  customFields({ fields }) {
    if (fields === undefined) return unknown('no request was left')
    if (fields.result) return fine('the space has a list of custom fields')
    return fine(`no list of custom fields (${fields.code ?? 'no answer'})`)
  },
}

export function findings(evidence: Evidence): Finding[] {
  return Object.entries(topics).map(([topic, examine]) => ({ topic, ...examine(evidence) }))
}

function versionIn(answer: Answer | undefined): unknown {
  return objectOf(answer?.result?.['kit_version'])['version']
}

function itemsIn(answer: Answer | undefined): Wire[] {
  return recordsIn(answer?.result?.['section'], 'items')
}

function recordsIn(value: unknown, key: string): Wire[] {
  const list = objectOf(value)[key]
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** Returns the name of a type, a state or a field. Drops any other string, because it may be content. */
function word(text: unknown): string {
  return typeof text === 'string' && /^[a-z][a-z_]{0,30}\d{0,2}$/i.test(text) ? text : '(not a name)'
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1))
}

function unknownIn(records: readonly Wire[], known: ReadonlySet<string>): string[] {
  return unique(records.flatMap((record) => Object.keys(record).filter((key) => !known.has(key)))).map(word)
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Fields that the interface documents, and fields that the public service adds. */
const known = {
  kit: words(
    'kit_uuid space_id name description status use_version date_added date_updated images versions short_id privacy',
  ),
  version: words(
    'kit_uuid status version version_identifier notes date_added date_updated counts sections short_id space_id',
  ),
  section: words(
    'uuid kit_uuid name status version counts creator_id date_added date_updated display_order items short_id space_id',
  ),
  item: words(
    'uuid kit_uuid section_uuid space_id asset_uuid data date_added date_updated display_order status type version ' +
      'asset short_id display_properties source_id',
  ),
  asset: words(
    'uuid type name notes keywords uploader_id space_id colors dimensions size file_hash file_id file_updated ' +
      'date_added date_updated permalink thumbnails thumbnail_placeholders meta short_id fields versioned_fields ' +
      'source_id status',
  ),
}

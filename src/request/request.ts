import { ContentSpaceError } from '../errors.js'
import { suggestion } from '../text/nearest.js'
import type { Query } from './query.js'
import { canonicalUuid } from '../space/uuid.js'

/** `use` is the kit's `use_version`; 0 is the draft. */
export type VersionSelector = number | 'use'

/** A kit as an id names it: a canonical uuid or a slug; aliases of the options are already replaced. */
export interface KitReference {
  kit: string
  version: VersionSelector
}

/** An id and its query, parsed once. Nothing behind the parser looks at the string again. */
export type Request =
  | { kind: 'kits' }
  | { kind: 'outline'; kit: KitReference }
  /** `pick` is what narrowing leaves: export names, sorted; `default` is one of them. */
  | { kind: 'kit'; kit: KitReference; query: Query; pick?: string[] }
  | { kind: 'section'; kit: KitReference; section: string; heading?: string; query: Query; pick?: string[] }
  /** A section by uuid alone; the response names its kit. */
  | { kind: 'section'; kit?: undefined; version: VersionSelector; section: string; query: Query; pick?: string[] }
  | { kind: 'asset'; kit: KitReference; asset: string; query: Query }
  /** An asset by uuid alone, of a kit that is configured or locked. */
  | { kind: 'asset'; kit?: undefined; asset: string; query: Query }

/** What ids mean in one project. */
export interface RequestContext {
  /** Option `kits`. */
  kits: ReadonlyMap<string, KitReference>
  /** Reads what stands behind the `?`, which may be empty. Throws `invalidQuery`. */
  query: (text: string) => Query
}

const scheme = 'content-space:'

/** What may stand behind each kind, for messages. */
const forms = {
  kits: 'content-space:kits',
  kit: 'content-space:kit/<kit>[@<version>]',
  section:
    'content-space:section/<kit>[@<version>]/<section>[/<heading>] or content-space:section/<section uuid>[@<version>]',
  asset: 'content-space:asset/<kit>[@<version>]/<asset> or content-space:asset/<asset uuid>',
  outline: 'content-space:outline/<kit>[@<version>]',
} as const satisfies Record<Request['kind'], string>

/** One part of a path: a name as written, and the version behind its `@`. */
interface Segment {
  name: string
  version?: VersionSelector
}

interface Path {
  segments: Segment[]
  /** The first segment as a kit. */
  kit: () => KitReference
  query: () => Query
}

/** What each kind makes of its path; undefined when the path has another form. */
const readers: Record<Request['kind'], (path: Path) => Request | undefined> = {
  kits: ({ segments }) => (segments.length === 0 ? { kind: 'kits' } : undefined),
  outline: ({ segments, kit }) => (segments.length === 1 ? { kind: 'outline', kit: kit() } : undefined),
  kit: ({ segments, kit, query }) => (segments.length === 1 ? { kind: 'kit', kit: kit(), query: query() } : undefined),
  section: ({ segments: [first, section, heading, ...rest], kit, query }) => {
    if (first === undefined || rest.length > 0) return undefined
    if (section !== undefined) {
      const under = heading === undefined ? {} : { heading: canonicalName(heading.name) }
      return { kind: 'section', kit: kit(), section: canonicalName(section.name), ...under, query: query() }
    }
    const uuid = canonicalUuid(first.name)
    return uuid === undefined
      ? undefined
      : { kind: 'section', version: first.version ?? 'use', section: uuid, query: query() }
  },
  asset: ({ segments: [first, asset, ...rest], kit, query }) => {
    if (first === undefined || rest.length > 0) return undefined
    if (asset !== undefined) return { kind: 'asset', kit: kit(), asset: canonicalName(asset.name), query: query() }
    const uuid = first.version === undefined ? canonicalUuid(first.name) : undefined
    return uuid === undefined ? undefined : { kind: 'asset', asset: uuid, query: query() }
  },
}

/**
 * Reads an id as the user wrote it, or one that `requestToId` made.
 * @param specifier `content-space:…`
 * @throws ContentSpaceError `invalidId` with the right form, or what `context.query` throws
 */
export function parseRequest(specifier: string, context: RequestContext): Request {
  if (made.test(specifier)) return idToRequest(specifier)
  const [path = '', ...queries] = specifier.slice(scheme.length).split('?')
  const [kind = '', ...texts] = path.split('/')
  if (!specifier.startsWith(scheme) || !isKind(kind)) {
    const kinds = Object.keys(forms).map((name) => scheme + name)
    const hint = `${suggestion(scheme + kind, kinds)} The ids are ${kinds.join(', ')}.`
    throw new ContentSpaceError('invalidId', `${specifier} is no id of a Content Space.`, { hint, import: specifier })
  }
  const segments = texts.map((text) => readSegment(text, specifier))
  const query = queries.join('?')
  const request = segments.slice(1).every(({ version }) => version === undefined)
    ? readers[kind]({
        segments,
        kit: () => readKit(segments[0] ?? { name: '' }, context.kits),
        query: () => context.query(query),
      })
    : undefined
  if (request === undefined) throw wrongForm(specifier, kind, segments)
  if (query !== '' && !('query' in request)) {
    throw new ContentSpaceError('invalidQuery', `${specifier} takes no query.`, {
      hint: `Write ${specifier.slice(0, specifier.indexOf('?'))}.`,
      import: specifier,
    })
  }
  return request
}

/**
 * @param text an alias, a uuid or a slug, and `@<version>` behind it
 * @throws ContentSpaceError `invalidId`
 */
export function parseKit(text: string, aliases: RequestContext['kits']): KitReference {
  return readKit(readSegment(text, text), aliases)
}

function isKind(text: string): text is Request['kind'] {
  return Object.hasOwn(forms, text)
}

function wrongForm(specifier: string, kind: Request['kind'], segments: Segment[]): ContentSpaceError {
  const [only, ...rest] = segments
  const alone = (kind === 'asset' || kind === 'section') && only !== undefined && rest.length === 0
  const why = alone ? `${specifier} names no kit; without one it must be a uuid` : `${specifier} has the wrong form`
  const version = kind === 'asset' && alone && only.version !== undefined ? ' and no version' : ''
  return new ContentSpaceError('invalidId', `${why}${version}.`, { hint: `Write ${forms[kind]}.`, import: specifier })
}

function readSegment(text: string, specifier: string): Segment {
  const at = text.lastIndexOf('@')
  const name = decode(at === -1 ? text : text.slice(0, at), specifier)
  if (name === '') {
    throw new ContentSpaceError('invalidId', `${specifier} has an empty part.`, { import: specifier })
  }
  return at === -1 ? { name } : { name, version: readVersion(text.slice(at + 1), specifier) }
}

function decode(text: string, specifier: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    const hint = 'Write a percent sign as %25.'
    throw new ContentSpaceError('invalidId', `${text} is not percent-encoded.`, { hint, import: specifier, cause })
  }
}

function readVersion(text: string, specifier: string): VersionSelector {
  const version = parseVersion(text)
  if (version === undefined) {
    const hint = `${suggestion(text, ['use', 'draft'])} A version is a number, draft or use.`
    throw new ContentSpaceError('invalidId', `@${text} is no version.`, { hint, import: specifier })
  }
  return version
}

/** @returns undefined for what is neither a whole number from 0, nor `draft` (0), nor `use` */
export function parseVersion(text: string): VersionSelector | undefined {
  if (text === 'use') return 'use'
  if (text === 'draft') return 0
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function readKit({ name, version }: Segment, aliases: RequestContext['kits']): KitReference {
  const alias = aliases.get(name) ?? { kit: canonicalName(name), version: 'use' }
  return { kit: alias.kit, version: version ?? alias.version }
}

/** How a kit, section, heading or asset is compared: a uuid in upper case, or a slug in lower case. */
export function canonicalName(name: string): string {
  return canonicalUuid(name) ?? name.normalize('NFC').toLowerCase()
}

/**
 * Made ids hold the whole request as base64url: no character that any bundler reads as its own (`!`, `?`, `%`, `#`),
 * and behind it, for chunk names, a readable part without an extension.
 */
const made = /^content-space:[a-z]+\/~([\w-]+)(?:\/[\w-]*)?$/

/** A resolved id: the same for the same request, and safe in every bundler. */
export function requestToId(request: Request): string {
  const text = Buffer.from(JSON.stringify(request, sortKeys)).toString('base64url')
  return `${scheme}${request.kind}/~${text}/${readable(request)}`
}

/** @throws ContentSpaceError `invalidId` for an id that `requestToId` did not make */
export function idToRequest(id: string): Request {
  try {
    return JSON.parse(Buffer.from(made.exec(id)?.[1] ?? '', 'base64url').toString())
  } catch (cause) {
    throw new ContentSpaceError('invalidId', `${id} is not an id that this package made.`, { import: id, cause })
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function readable(request: Request): string {
  const { kit, section, heading, asset } = {
    kit: undefined,
    section: undefined,
    heading: undefined,
    asset: undefined,
    ...request,
  }
  const name = asset ?? heading ?? section ?? kit?.kit ?? request.kind
  return name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60)
}

import { ContentSpaceError } from '../errors.js'
import { didYouMean, similar } from '../text/nearest.js'
import { parseAppIcons, type AppIconsQuery } from './app-icons.js'
import type { Query } from './query.js'
import { canonicalName, nameInAddress } from '../space/short-id.js'
import { isWrongUuid } from '../space/uuid.js'
import { sortedCopy } from '../space/wire/sort-keys.js'
import { isKeyOf } from '../text/keys.js'

/** `use` is the kit's `use_version`; 0 is the draft. */
export type VersionSelector = number | 'use'

/** The kit in an id: a canonical uuid or a slug. Aliases of the options are already replaced. */
export interface KitReference {
  kit: string
  version: VersionSelector
}

/** A parsed id with its query. No other code parses ids. */
export type Request =
  | { kind: 'kits' }
  | { kind: 'outline'; kit: KitReference }
  /** `pick` contains the exports that remain after narrowing, and `fonts` the used keys of that export, both sorted. */
  | { kind: 'tokens'; kit: KitReference; pick?: string[]; fonts?: string[] }
  /** `pick` contains the export names that remain after narrowing, sorted. `default` may be one of them. */
  | { kind: 'kit'; kit: KitReference; query: Query; pick?: string[] }
  | { kind: 'section'; kit: KitReference; section: string; heading?: string; query: Query; pick?: string[] }
  /** A section that is identified only by its uuid or short id. */
  | { kind: 'section'; kit?: undefined; version: VersionSelector; section: string; query: Query; pick?: string[] }
  /** `member`: the module of a kit or a section imports the asset, so it may be an asset without a file. */
  | { kind: 'asset'; kit: KitReference; asset: string; query: Query; member?: true }
  /** Application icons, rendered from one asset. */
  | { kind: 'app-icons'; kit: KitReference; asset: string; icons: AppIconsQuery }
  /** An asset that is identified only by its uuid or short id, in a configured or locked kit. */
  | { kind: 'asset'; kit?: undefined; asset: string; query: Query }

export interface RequestContext {
  /** Option `kits`. */
  kits: ReadonlyMap<string, KitReference>
  /** Parses the part after `?`, which may be empty. Throws `invalidQuery`. */
  query: (text: string) => Query
}

const scheme = 'content-space:'

const forms = {
  kits: 'content-space:kits',
  kit: 'content-space:kit/<kit>[@<version>]',
  section:
    'content-space:section/<kit>[@<version>]/<section>[/<heading>] or ' +
    'content-space:section/<uuid or short id>[@<version>]',
  asset: 'content-space:asset/<kit>[@<version>]/<asset> or content-space:asset/<uuid or short id>',
  outline: 'content-space:outline/<kit>[@<version>]',
  tokens: 'content-space:tokens/<kit>[@<version>]',
  'app-icons': 'content-space:app-icons/<kit>[@<version>]/<asset>',
} as const satisfies Record<Request['kind'], string>

/** A part of a path: a name as written, and the version after its `@`. */
interface Segment {
  name: string
  version?: VersionSelector
}

interface Path {
  segments: Segment[]
  /** Parses the first segment as a kit. */
  kit: () => KitReference
  query: () => Query
  /** Throws `invalidQuery`. */
  icons: () => AppIconsQuery
}

/** Build a request of each kind. Each returns undefined if the path has a different form. */
const readers: Record<Request['kind'], (path: Path) => Request | undefined> = {
  kits: ({ segments }) => (segments.length === 0 ? { kind: 'kits' } : undefined),
  outline: ({ segments, kit }) => (segments.length === 1 ? { kind: 'outline', kit: kit() } : undefined),
  tokens: ({ segments, kit }) => (segments.length === 1 ? { kind: 'tokens', kit: kit() } : undefined),
  'app-icons': ({ segments: [, asset, ...rest], kit, icons }) =>
    asset === undefined || rest.length > 0
      ? undefined
      : { kind: 'app-icons', kit: kit(), asset: canonicalName(asset.name), icons: icons() },
  kit: ({ segments, kit, query }) => (segments.length === 1 ? { kind: 'kit', kit: kit(), query: query() } : undefined),
  section: ({ segments: [first, section, heading, ...rest], kit, query }) => {
    if (first === undefined || rest.length > 0) return undefined
    if (section !== undefined) {
      const under = heading === undefined ? {} : { heading: canonicalName(heading.name) }
      return { kind: 'section', kit: kit(), section: canonicalName(section.name), ...under, query: query() }
    }
    if (isWrongUuid(first.name)) return undefined
    return { kind: 'section', version: first.version ?? 'use', section: canonicalName(first.name), query: query() }
  },
  asset: ({ segments: [first, asset, ...rest], kit, query }) => {
    if (first === undefined || rest.length > 0) return undefined
    if (asset !== undefined) return { kind: 'asset', kit: kit(), asset: canonicalName(asset.name), query: query() }
    return first.version === undefined && !isWrongUuid(first.name)
      ? { kind: 'asset', asset: canonicalName(first.name), query: query() }
      : undefined
  },
}

/**
 * Parses an id in the source, or an id created by `requestToId`.
 * @param specifier `content-space:…`
 * @throws ContentSpaceError `invalidId` with the valid form; any error of `context.query`
 */
export function parseRequest(specifier: string, context: RequestContext): Request {
  if (generatedId.test(specifier)) return idToRequest(specifier)
  if (specifier.includes('${')) throw computedId(specifier)
  const [path = '', ...queries] = withoutAddresses(specifier).slice(scheme.length).split('?')
  const [kind = '', ...texts] = path.split('/')
  if (!specifier.startsWith(scheme) || !isKeyOf(forms, kind)) throw unknownKind(specifier, kind, texts.length)
  const segments = texts.map((text) => readSegment(text, specifier))
  const query = queries.join('?')
  const request = segments.slice(1).every(({ version }) => version === undefined)
    ? readers[kind]({
        segments,
        kit: () => readReference(segments[0] ?? { name: '' }, context.kits),
        query: () => context.query(query),
        icons: () => parseAppIcons(query),
      })
    : undefined
  if (request === undefined) throw wrongForm(specifier, kind, segments)
  if (query !== '' && !('query' in request || 'icons' in request)) {
    const hint = `Remove the query: write ${specifier.slice(0, specifier.indexOf('?'))}.`
    throw invalidRequest('invalidQuery', specifier, `${specifier} does not take a query.`, hint)
  }
  if ('query' in request && request.query.dark !== undefined && request.kind !== 'asset') {
    const hint = "Pair them with dark in option kits: { brand: { kit, dark: { logo: 'logo-reversed' } } }."
    throw invalidRequest('invalidQuery', specifier, `${specifier} has many assets, but dark applies to one.`, hint)
  }
  if ('query' in request && request.query.lazy && request.kind === 'asset') {
    const hint = 'Remove lazy from the query. To load the asset later, import it with import().'
    throw invalidRequest(
      'invalidQuery',
      specifier,
      `${specifier} is a single asset, but lazy applies only to kits and sections.`,
      hint,
    )
  }
  return request
}

/** Matches the address of a page in the service at the end of an id's path. */
const address = /(?<=\/)https?:\/\/[^?#]*/i

/**
 * Replaces a page's address in an id with the name at the end of the address.
 * @throws ContentSpaceError `invalidId` if the address has the query that the service adds, because it may grant access
 */
function withoutAddresses(specifier: string): string {
  const [found] = address.exec(specifier) ?? []
  const name = found === undefined ? undefined : nameInAddress(found)
  if (found === undefined || name === undefined) return specifier
  const clean = specifier.replace(address, () => name)
  const query = /[?&](?:v|[a-z_]*token)=/.exec(clean)
  if (query === null) return clean
  const [short = ''] = clean.split('?')
  const hint = `Write ${short}.`
  throw invalidRequest('invalidId', short, `${short} has the query of an address, which may grant access.`, hint)
}

/**
 * Parses a kit as in `content-space:kit/<kit>`.
 * @param text an alias, a uuid, a slug, a short id or an address, with an optional `@<version>`
 * @throws ContentSpaceError `invalidId`
 */
export function parseKit(text: unknown, aliases: RequestContext['kits']): KitReference {
  if (typeof text !== 'string')
    throw invalidRequest(
      'invalidId',
      String(text),
      `A kit is a string, not ${String(text)}.`,
      'Pass an alias, uuid or slug.',
    )
  return readReference(readSegment(nameInAddress(text) ?? text, text), aliases)
}

/** @param specifier the import that caused the error */
function invalidRequest(
  code: 'invalidId' | 'invalidQuery',
  specifier: string,
  message: string,
  hint: string,
  cause?: unknown,
): ContentSpaceError {
  return new ContentSpaceError(code, message, { hint, import: specifier, cause })
}

function computedId(specifier: string): ContentSpaceError {
  const [, kit = '<kit>'] = /^[^/]*\/([^/?$]+)\//.exec(specifier) ?? []
  const example = `import assets from '${scheme}kit/${kit}?lazy'`
  const hint = `Write the whole id, or import functions by slug: ${example}, then await assets[slug]().`
  return invalidRequest(
    'invalidId',
    specifier,
    `${specifier} is built at run time, when ids can no longer be resolved.`,
    hint,
  )
}

/**
 * @param parts the number of parts after the kind. If the kind is missing, this number determines which kind we
 *   suggest.
 */
function unknownKind(specifier: string, kind: string, parts: number): ContentSpaceError {
  const [near] = similar(kind, Object.keys(forms))
  const rest = specifier.slice(scheme.length + kind.length)
  const withKind = ['kit', 'asset', 'section'][parts]
  const path = near === undefined ? withKind && `${withKind}/${kind}${rest}` : `${near}${rest}`
  const question = path && specifier.startsWith(scheme) ? `Did you mean ${scheme}${path}? ` : ''
  const starts = Object.keys(forms).map((name) => scheme + name)
  const hint = `${question}Valid imports start with ${starts.join(', ')}.`
  return invalidRequest('invalidId', specifier, `${specifier} is not a valid content-space: import.`, hint)
}

function wrongForm(specifier: string, kind: Request['kind'], segments: Segment[]): ContentSpaceError {
  const isAlone = kind === 'asset' && segments.length === 1
  const problem = isAlone ? 'has no kit, so it cannot have a version' : 'is not a valid content-space: import'
  const meant = kind === 'kit' ? ['asset', 'section'][segments.length - 2] : undefined
  const question = meant ? `Did you mean ${specifier.replace(kind, meant)}? ` : ''
  return invalidRequest('invalidId', specifier, `${specifier} ${problem}.`, `${question}The form is ${forms[kind]}.`)
}

function readSegment(text: string, specifier: string): Segment {
  const at = text.lastIndexOf('@')
  const name = decodeName(at === -1 ? text : text.slice(0, at), specifier)
  if (name === '') {
    const hint = 'Each part between slashes needs a name.'
    throw invalidRequest('invalidId', specifier, `${specifier} has an empty part.`, hint)
  }
  return at === -1 ? { name } : { name, version: readVersion(text.slice(at + 1), specifier) }
}

function decodeName(text: string, specifier: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    const hint = 'Write a percent sign as %25.'
    throw invalidRequest('invalidId', specifier, `${text} is not valid percent-encoding.`, hint, cause)
  }
}

function readVersion(text: string, specifier: string): VersionSelector {
  const version = parseVersion(text)
  if (version === undefined) {
    const hint = `${didYouMean(text, ['use', 'draft'])} A version is a number, draft or use.`.trim()
    throw invalidRequest('invalidId', specifier, `@${text} is not a valid version.`, hint)
  }
  return version
}

/** Parses a whole number, `draft` (0) or `use`. Returns undefined for anything else. */
export function parseVersion(text: string): VersionSelector | undefined {
  if (text === 'use') return 'use'
  if (text === 'draft') return 0
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function readReference({ name, version }: Segment, aliases: RequestContext['kits']): KitReference {
  const alias = aliases.get(name) ?? { kit: canonicalName(name), version: 'use' }
  return { kit: alias.kit, version: version ?? alias.version }
}

/**
 * Matches ids created by `requestToId`. They contain the request as base64url, which avoids characters that bundlers
 * treat specially (`!`, `?`, `%`, `#`), and a readable part without an extension for chunk names. Farm derives chunk
 * names from the last two segments, and file systems limit their length.
 */
const generatedId = /^content-space:[a-z-]+\/[\w-]*\/~([\w-]+)(?:\/[\w/-]*)?$/

/**
 * Returns the resolved id of a request. The same request always has the same id, which is safe in every bundler.
 * @param label the readable part
 */
export function requestToId(request: Request, label = labelOfRequest(request)): string {
  const text = Buffer.from(JSON.stringify(sortedCopy(request))).toString('base64url')
  const words = label.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60)
  // A name in a non-Latin script may not contain any ASCII letters or digits, so use the kind instead.
  const name = words === '-' ? request.kind : words
  // Start with the kind and the name, because some tools display only the start of an id.
  return `${scheme}${request.kind}/${name}/~${text}/${request.kind}/${name}`
}

/** Returns the readable part of an id created by `requestToId`, or undefined for any other id. */
export function labelOfId(id: string): string | undefined {
  return generatedId.test(id) ? id.slice(id.lastIndexOf('/') + 1) : undefined
}

/**
 * Parses an id created by `requestToId`.
 * @throws ContentSpaceError `invalidId` for any other id
 */
export function idToRequest(id: string): Request {
  try {
    return JSON.parse(Buffer.from(generatedId.exec(id)?.[1] ?? '', 'base64url').toString())
  } catch (cause) {
    throw new ContentSpaceError('invalidId', `${id} is not a resolved id of this package.`, { import: id, cause })
  }
}

function labelOfRequest(request: Request): string {
  const none = { kit: undefined, section: undefined, heading: undefined, asset: undefined }
  const { kit, section, heading, asset } = { ...none, ...request }
  return asset ?? heading ?? section ?? kit?.kit ?? request.kind
}

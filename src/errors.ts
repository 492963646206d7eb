import { inspect } from 'node:util'
import { oneLine, safeLines, shortLines } from './text/display.js'
import { omitUndefined } from './text/omit-undefined.js'

/**
 * Stable error codes. `service` is the service's number for an error. `retry` says whether the same request may succeed
 * later without any change. docs/errors.md is generated from the comments, so each says what the code means, then what
 * to do.
 */
export const codes = {
  // Errors of the service.
  /** The service reports an unknown error. Send its administrators the request that the error names. */
  unknown: { service: 1, retry: true },
  /** The service failed. Send its administrators the request that the error names. */
  serverError: { service: 99, retry: true },
  /** The service rejected a parameter. Check the `space` option: the address may belong to another service. */
  invalidParams: { service: 103, retry: false },
  /** The space id or the token is wrong. Check `CONTENT_SPACE_ID` and `CONTENT_SPACE_TOKEN`, and the address. */
  unauthorized: { service: 401, retry: false },
  /** The token is valid, but not for this request. Use a token that is allowed to read the kit. */
  permissionDenied: { service: 403, retry: false },
  /** Nothing exists at the address. Check the path in the `space` option. It doesn't need a trailing `/1`. */
  objectNotFound: { service: 404, retry: false },
  /** Too many requests or downloads. Wait, or lower `concurrency` and `rateLimit` (docs/options.md#ratelimit). */
  rateLimited: { service: 429, retry: true },
  /** The space doesn't have this kit. The error suggests names, and `npx content-space ls` lists all kits. */
  kitNotFound: { service: 1100, retry: false },
  /** The kit doesn't have this version. `npx content-space ls brand --versions` lists versions. */
  versionNotFound: { service: 1200, retry: false },
  /** The kit doesn't have this section. The error suggests names, and `npx content-space ls brand` lists all. */
  sectionNotFound: { service: 2100, retry: false },
  /** The kit doesn't have this asset. The error suggests names, and `npx content-space ls brand` lists all. */
  assetNotFound: { service: 3100, retry: false },
  /** The asset doesn't have a cut of the requested type. Import a cut that the error lists, or add `;original`. */
  fileCutUnavailable: { service: 3304, retry: false },
  /** The service no longer supports this request. Update this package. */
  deprecatedAction: { service: 900, retry: false },
  /** The service no longer supports this version of its interface. Update this package. */
  deprecatedApi: { service: 901, retry: false },
  /** The plan of the space doesn't include API access. Choose a plan that does, or ask the owner of the space. */
  featureUnavailable: { service: 7104, retry: false },
  /** A file is larger than the service allows. Make it smaller in the space. */
  fileTooLarge: { service: 413, retry: false },
  /** The service can't read an uploaded file. Upload the file to the space again. */
  fileNotValid: { service: 3300, retry: false },
  /** The service doesn't accept files of this kind. Upload the file in another format. */
  fileNotAccepted: { service: 3302, retry: false },
  /**
   * The token isn't allowed to read an asset that the kit refers to. Request access to the kit that the asset comes
   * from.
   */
  assetReferenceDenied: { service: 3106, retry: false },
  /** The service took a read request for one that adds a kit. Check the `space` option and any proxies. */
  kitAlreadyExists: { service: 1101, retry: false },
  /** The service took a read request for one that changes a kit. Check the `space` option and any proxies. */
  kitNotAccepted: { service: 1102, retry: false },
  /** The service took a read request for one that adds a section. Check the `space` option and any proxies. */
  sectionAlreadyExists: { service: 2101, retry: false },
  /** The service took a read request for one that changes a section. Check the `space` option and any proxies. */
  sectionNotAccepted: { service: 2102, retry: false },
  /** The service took a read request for one that adds an asset. Check the `space` option and any proxies. */
  assetAlreadyExists: { service: 3101, retry: false },
  /** The service took a read request for one that changes an asset. Check the `space` option and any proxies. */
  assetNotAccepted: { service: 3102, retry: false },
  /** The service took a read request for one that adds an item. Check the `space` option and any proxies. */
  itemAlreadyExists: { service: 3201, retry: false },
  /** The service took a read request for one that changes an item. Check the `space` option and any proxies. */
  itemNotAccepted: { service: 3202, retry: false },
  /** The service returned an error number that its interface doesn't define. Update this package, or report it. */
  unexpectedCode: { retry: false },

  // Communication with the service.
  /** No response: the host is unknown, or the connection was refused or stalled. Check the address and the network. */
  unreachable: { retry: true },
  /**
   * A firewall or a proxy refused the request before it reached the service. Ask its administrators to allow requests
   * with the User-Agent `unplugin-content-space/…`.
   */
  requestBlocked: { retry: true },
  /** A response is empty or cut short. A proxy may have closed the connection. */
  truncated: { retry: true },
  /**
   * A response violates the interface: it isn't JSON, lacks the envelope, contradicts itself, or has another version.
   * Check the `space` option. A proxy or a login page may have answered instead of the service.
   */
  invalidResponse: { retry: false },
  /** A configured source failed for the reason that follows. Correct the source, or the data that it reads. */
  sourceFailed: { retry: false },
  /** A redirect is invalid or unsafe to follow. Check the `space` option. Redirects must lead to `https`. */
  badRedirect: { retry: false },

  // Content.
  /** A file differs from its declared hash or type. Ask the administrators of the service to upload the file again. */
  contentMismatch: { retry: false },
  /** A file differs from the lockfile or a bundler's cache. `content-space update <kit>` accepts the new file. */
  integrity: { retry: false },
  /** A picture can't be decoded or converted. Open the original. If it is damaged, replace it in the space. */
  conversionFailed: { retry: false },
  /**
   * A conversion ended early: it needed too much time or memory. Run the build again. If the same error occurs,
   * simplify the file.
   */
  conversionStopped: { retry: true },
  /** The `svg` option (docs/options.md#svg) doesn't allow the active content of an SVG. Remove it from the SVG. */
  unsafeSvg: { retry: false },

  // Imports and options of the project.
  /** An option or a command argument is invalid. Correct what the error names. */
  invalidOption: { retry: false },
  /** A `content-space:` import is malformed. Correct the id: docs/ids.md lists the forms. */
  invalidId: { retry: false },
  /** The query of an import is invalid. Correct the query: docs/queries.md lists keys and values. */
  invalidQuery: { retry: false },
  /** A name matches several kits, sections or assets. Use one of the uuids or slugs that the error lists. */
  ambiguousName: { retry: false },
  /** A kit or section module doesn't have this export. `npx content-space ls brand` lists the names to import. */
  unknownExport: { retry: false },
  /** The section doesn't have this heading. `npx content-space ls brand` lists headings. */
  headingNotFound: { retry: false },

  // Files of the project and this machine.
  /** A folder that is a space can't be read. Correct the file that the error names: see docs/folder.md. */
  invalidSpace: { retry: false },
  /**
   * The lockfile is malformed. Run `npx content-space sync` after a merge. Otherwise, restore the lockfile from version
   * control.
   */
  invalidLock: { retry: false },
  /** The lockfile is frozen but out of date. Run `npx content-space sync` on your machine, and commit the lockfile. */
  frozen: { retry: false },
  /** Something isn't in the cache while `offline` is set. Run the build once with a connection. */
  offline: { retry: false },
  /** This version of Node or Bun lacks what an entry needs. Install the version of Node or Bun that the error names. */
  unsupportedRuntime: { retry: false },
  /** A file can't be read or written. Free space on the disk, or correct the permissions of the path. */
  fileSystem: { retry: false },
  /** The caller's signal was aborted, or the importer was closed. Nothing needs to be done. */
  aborted: { retry: false },
} as const satisfies Record<string, { service?: number; retry: boolean }>

export type ErrorCode = keyof typeof codes

/** Errors that concern a single file. Output made from many files leaves that file out. */
export const fileErrors: readonly ErrorCode[] = [
  'assetNotFound',
  'objectNotFound',
  'fileCutUnavailable',
  'conversionFailed',
  'contentMismatch',
  'truncated',
]

/** The subject of an error, as far as the throwing code knows it. Facts never contain credentials. */
export interface ErrorFacts {
  kit?: string
  version?: number
  section?: string
  asset?: string
  /** The requested file, named after its asset: `Acme Logo (PNG cut)`. */
  file?: string
  /** The name that a module doesn't export. */
  export?: string
  /** The specifier as it is written in the source. */
  import?: string
  /** The file that contains the import. */
  importer?: string
  /** The line of the import in that file, from 1. */
  line?: number
  /** The column of the import in that line, from 1. */
  column?: number
  /** Method and path of the request, without credentials: `GET /1/kits/`. */
  endpoint?: string
  /** The URL of a request for content, without its query. */
  address?: string
  /** HTTP status. */
  status?: number
  /** The service's number for the error. */
  serviceCode?: number
}

export interface ErrorDetails extends ErrorFacts {
  /** A list that follows the summary, one entry per line. */
  lines?: readonly string[]
  /** The next step, in one sentence. */
  hint?: string
  cause?: unknown
  /** Overrides `codes`, for example after the last retry. */
  retryable?: boolean
}

/** A place in a file: its line counts from 1, its column from 0. */
export type SourcePlace = { file: string; line: number; column: number }

/**
 * The only error class of the package.
 *
 * ```ts
 * throw new ContentSpaceError('unknownExport', 'Kit Brand (version 3) does not export acmeLgo.', {
 *   hint: 'Did you mean acmeLogo?',
 *   import: 'content-space:kit/brand',
 *   importer: 'src/header.ts',
 * })
 * ```
 *
 * `message` contains the summary, its lines, the hint, the requested file, and the place of the import. Long lines are
 * shortened.
 *
 * All strings are safe to print, even if they quote a service: each is one line without control characters. The same
 * applies to facts and the messages of causes, because Node and bundlers print them.
 *
 * The error doesn't have a stack, because the mistake is in an import, an option or the content, not in the code that a
 * stack would list.
 */
export class ContentSpaceError extends Error {
  override readonly name = 'ContentSpaceError'
  readonly code: ErrorCode
  /** Whether the same request may succeed later without any change. */
  readonly retryable: boolean
  /** The next step, in one sentence. */
  readonly hint: string | undefined
  readonly facts: ErrorFacts
  /** The problem, including its list. */
  readonly summary: string
  /** The location of the import, and the code around it in `frame`, for bundlers. */
  declare loc?: SourcePlace
  declare frame?: string
  /** The summary that the constructor received, for `with`. */
  readonly #sentence: string
  readonly #lines: readonly string[]

  constructor(code: ErrorCode, summary: string, details: ErrorDetails = {}) {
    const { lines = [], hint, cause, retryable, ...facts } = details
    const safeSummary = [oneLine(summary), ...lines.map((line) => `  ${oneLine(line)}`)].join('\n')
    const safeHint = hint === undefined ? undefined : oneLine(hint)
    const safeFacts = safeTexts(facts)
    super(composeMessage(code, safeSummary, safeHint, safeFacts), omitUndefined({ cause: safeCause(cause) }))
    this.code = code
    this.summary = safeSummary
    this.#sentence = summary
    this.#lines = lines
    this.hint = safeHint
    this.facts = safeFacts
    this.retryable = retryable ?? codes[code].retry
    // Bundlers print the stack under the message.
    this.stack = String(this)
  }

  /** Recognizes errors of other copies of this class, because Astro loads its own copy for `content.config.ts`. */
  static override [Symbol.hasInstance](value: unknown): value is ContentSpaceError {
    return value instanceof Error && value.name === 'ContentSpaceError'
  }

  /** Returns the same error with more facts. Existing facts take precedence. */
  with(facts: ErrorFacts): ContentSpaceError {
    const error = new ContentSpaceError(this.code, this.#sentence, {
      ...facts,
      ...this.facts,
      ...omitUndefined({ hint: this.hint, cause: this.cause }),
      lines: this.#lines,
      retryable: this.retryable,
    })
    return this.loc && this.frame !== undefined ? locate(error, this.loc, this.frame) : error
  }
}

/** Adds the location and the code frame that bundlers display. The error itself doesn't print them. */
export function locate(error: ContentSpaceError, loc: SourcePlace, frame: string): ContentSpaceError {
  for (const [key, value] of Object.entries({ loc, frame }))
    Object.defineProperty(error, key, { value, writable: true, configurable: true })
  return error
}

/** Returns the problem and the next step, without the location of the import. */
export function summaryAndHint({ summary, hint = '' }: Pick<ContentSpaceError, 'summary' | 'hint'>): string {
  return [summary, hint].filter(Boolean).join(summary.includes('\n') ? '\n' : ' ')
}

/** Errors that only the administrators of the service can fix. Their messages name the request. */
const ofService: ReadonlySet<ErrorCode> = new Set([
  'unknown',
  'serverError',
  'invalidParams',
  'unexpectedCode',
  'truncated',
  'invalidResponse',
  'badRedirect',
])

function composeMessage(code: ErrorCode, summary: string, hint: string | undefined, facts: ErrorFacts): string {
  const lines = [summary]
  if (hint) lines.push(hint)
  const { file, import: specifier, importer, endpoint } = facts
  if (file && !summary.startsWith(`${file} `)) lines.push(`  file: ${file} (${endpoint ?? facts.asset ?? ''})`)
  if (!file && endpoint && ofService.has(code)) lines.push(`  request: ${endpoint}`)
  if (specifier && !summary.includes(specifier)) lines.push(`  import: ${specifier}`)
  const place = [importer, facts.line, facts.column].filter((part) => part !== undefined).join(':')
  if (importer) lines.push(`  imported by: ${place}`)
  return shortLines(lines.join('\n'))
}

/** Makes the strings of an object safe to print, each on one line. */
function safeTexts(facts: ErrorFacts): ErrorFacts {
  const entries = Object.entries(facts).map(([key, fact]) => [key, typeof fact === 'string' ? oneLine(fact) : fact])
  return Object.fromEntries(entries)
}

/** Makes a cause safe to print. Project code and libraries may throw anything, and Node prints it too. */
function safeCause(cause: unknown): unknown {
  rewriteTexts(cause, (text, key) => safeLines(key === 'stack' ? text.replaceAll(foreignLine, '') : text), new Set())
  return cause === undefined || cause instanceof Error ? cause : safeLines(inspect(cause))
}

/** The folder that this package is loaded from: `dist`, or `src` in tests. */
const own = /^.*\/(?:dist|build|src)\//.exec(import.meta.url)?.[0].replace(/^file:\/\//, '') ?? ''

/**
 * Matches a stack line in Node, this package or a dependency. Rolldown prints the stacks of causes, but a mistake in
 * the project can only be in the remaining lines, such as the lines of a configuration that throws.
 */
const foreignLine = new RegExp(
  `\\n +at (?:.*(?:node:|node_modules[/\\\\]|<anonymous>).*|.*${own.replaceAll(/[^\w/]/g, '\\$&')}.*)`,
  'g',
)

/**
 * Makes an error from Node or a library, and its causes, safe to print, because their messages may quote a service's
 * response. Changes the errors in place. Properties that are objects, such as the input of a parser, remain readable
 * but are no longer printed.
 */
export function sanitizeError(error: unknown): void {
  rewriteTexts(error, safeLines, new Set())
}

function rewriteTexts(error: unknown, rewrite: (text: string, key: string) => string, seen: Set<unknown>): void {
  if (!(error instanceof Error) || error instanceof ContentSpaceError || seen.has(error)) return
  seen.add(error)
  for (const key of ['message', 'stack', ...Object.keys(error)]) {
    const value: unknown = Reflect.get(error, key)
    if (typeof value === 'object' && value !== null) Reflect.defineProperty(error, key, { enumerable: false })
    if (typeof value === 'string' && rewrite(value, key) !== value)
      Reflect.defineProperty(error, key, { value: rewrite(value, key) })
  }
  rewriteTexts(error.cause, rewrite, seen)
  if (error instanceof AggregateError) for (const one of error.errors) rewriteTexts(one, rewrite, seen)
}

/** Returns the message of an error, or any other thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Returns a handler for `catch` that turns errors of the given codes into undefined, and rethrows all others:
 * `load(kit).catch(ignoreCodes('kitNotFound'))`.
 */
export function ignoreCodes(...ignored: readonly ErrorCode[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof ContentSpaceError) || !ignored.includes(error.code)) throw error
  }
}

/** A handler for `catch` that turns every error of this package into undefined, and rethrows all others. */
export function ignoreOwnErrors(error: unknown): undefined {
  if (!(error instanceof ContentSpaceError)) throw error
}

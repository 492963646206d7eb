import { inspect } from 'node:util'
import { oneLine, safeLines } from './text/display.js'

/**
 * Stable error codes. The first twelve are the service's own names for its numbers; the rest are ours.
 * `retry` says whether the same request may succeed later without anyone changing anything.
 */
export const codes = {
  unknown: { service: 1, retry: true },
  serverError: { service: 99, retry: true },
  invalidParams: { service: 103, retry: false },
  unauthorized: { service: 401, retry: false },
  permissionDenied: { service: 403, retry: false },
  objectNotFound: { service: 404, retry: false },
  rateLimited: { service: 429, retry: true },
  kitNotFound: { service: 1100, retry: false },
  versionNotFound: { service: 1200, retry: false },
  sectionNotFound: { service: 2100, retry: false },
  assetNotFound: { service: 3100, retry: false },
  fileCutUnavailable: { service: 3304, retry: false },
  /** A code that the interface does not list. */
  unexpectedCode: { retry: false },
  /** Refused connection, unknown host, reset, stalled: nothing that can be read came back. */
  unreachable: { retry: true },
  /** An answer that is cut short or empty. */
  truncated: { retry: true },
  /** An answer that breaks the interface: no JSON, no envelope, contradictions, another version than asked for. */
  invalidResponse: { retry: false },
  /** A redirect that cannot be followed safely. */
  badRedirect: { retry: false },
  /** Bytes that are not what they are declared to be. */
  contentMismatch: { retry: false },
  /** Bytes that differ from their sha256 in the lock. */
  integrity: { retry: false },
  invalidOption: { retry: false },
  invalidId: { retry: false },
  invalidQuery: { retry: false },
  ambiguousName: { retry: false },
  unknownExport: { retry: false },
  headingNotFound: { retry: false },
  /** An embedded space (a folder) that cannot be read. */
  invalidSpace: { retry: false },
  invalidLock: { retry: false },
  frozen: { retry: false },
  offline: { retry: false },
  /** A picture that cannot be decoded or converted. */
  conversionFailed: { retry: false },
  unsafeSvg: { retry: false },
  /** The disk, not the service: no space, no permission. */
  fileSystem: { retry: false },
  aborted: { retry: false },
} as const satisfies Record<string, { service?: number; retry: boolean }>

export type ErrorCode = keyof typeof codes

/** What an error is about: every fact that is known where it is thrown. None of them ever holds a credential. */
export interface ErrorFacts {
  kit?: string
  version?: number
  section?: string
  asset?: string
  /** The specifier as the user wrote it. */
  import?: string
  /** The file that imports it. */
  importer?: string
  /** Method and path at the service, without credentials. */
  endpoint?: string
  /** HTTP status. */
  status?: number
  /** The service's number for the error. */
  serviceCode?: number
}

export interface ErrorDetails extends ErrorFacts {
  /** A list that the summary announces, an entry a line. */
  lines?: readonly string[]
  /** The next step to take, one sentence. */
  hint?: string
  cause?: unknown
  /** Overrides the catalogue, for example when a deadline has passed. */
  retryable?: boolean
}

/**
 * The one error class of the package. `message` is the summary, then `lines`, `hint`, and where it was imported.
 * All texts are safe to print, and each is one line whatever a service put into it; so are the messages of the causes,
 * which Node and bundlers print too. `facts` are as they came.
 */
export class ContentSpaceError extends Error {
  override readonly name = 'ContentSpaceError'
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly hint: string | undefined
  readonly facts: ErrorFacts
  /** What is wrong, with the lines of its list. */
  readonly summary: string
  /** The sentence and the lines, to build a new message from when a fact is added. */
  readonly #sentence: string
  readonly #lines: readonly string[]

  constructor(code: ErrorCode, summary: string, details: ErrorDetails = {}) {
    const { lines = [], hint, cause, retryable, ...facts } = details
    const said = [oneLine(summary), ...lines.map((line) => `  ${oneLine(line)}`)].join('\n')
    const next = hint === undefined ? undefined : oneLine(hint)
    super(compose(said, next, facts), cause === undefined ? undefined : { cause })
    sanitizeError(cause)
    this.code = code
    this.summary = said
    this.#sentence = summary
    this.#lines = lines
    this.hint = next
    this.facts = printable(facts)
    this.retryable = retryable ?? codes[code].retry
  }

  /** The same error with more facts, for layers that know what the thrower did not. Known facts stay. */
  with(facts: ErrorFacts): ContentSpaceError {
    return new ContentSpaceError(this.code, this.#sentence, {
      ...facts,
      ...this.facts,
      lines: this.#lines,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.cause === undefined ? {} : { cause: this.cause }),
      retryable: this.retryable,
    })
  }
}

/** What is wrong and what to do, without where it was imported. */
export function summaryAndHint({ summary, hint = '' }: Pick<ContentSpaceError, 'summary' | 'hint'>): string {
  return [summary, hint].filter(Boolean).join(summary.includes('\n') ? '\n' : ' ')
}

function compose(summary: string, hint: string | undefined, facts: ErrorFacts): string {
  const all = [summary]
  if (hint) all.push(hint)
  const [imported, importer] = [oneLine(facts.import ?? ''), oneLine(facts.importer ?? '')]
  if (imported && !summary.includes(imported)) all.push(`  import: ${imported}`)
  if (importer) all.push(`  imported by: ${importer}`)
  return all.join('\n')
}

/** The facts as they are, which print as safe texts. */
function printable(facts: ErrorFacts): ErrorFacts {
  const shown = () =>
    Object.fromEntries(
      Object.entries(facts).map(([key, fact]) => [key, typeof fact === 'string' ? oneLine(fact) : fact]),
    )
  return Object.defineProperty(facts, inspect.custom, { value: shown })
}

/**
 * Makes an error of Node or of a library, and its causes, safe to print, in place. Its texts may quote an answer of a
 * service. Values that are no texts, such as the input of a parser, stay readable by name and are not printed any more.
 */
export function sanitizeError(error: unknown, seen: Set<unknown> = new Set()): void {
  if (!(error instanceof Error) || error instanceof ContentSpaceError || seen.has(error)) return
  seen.add(error)
  for (const key of ['message', 'stack', ...Object.keys(error)]) {
    const value: unknown = Reflect.get(error, key)
    if (typeof value === 'object' && value !== null) Reflect.defineProperty(error, key, { enumerable: false })
    if (typeof value === 'string' && safeLines(value) !== value)
      Reflect.defineProperty(error, key, { value: safeLines(value) })
  }
  sanitizeError(error.cause, seen)
  if (error instanceof AggregateError) for (const one of error.errors) sanitizeError(one, seen)
}

/**
 * What to do with an error that says no more than that something is not there.
 * @returns a handler that gives undefined for errors of these codes, and throws every other
 */
export function ignoreCodes(...expected: readonly ErrorCode[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof ContentSpaceError) || !expected.includes(error.code)) throw error
  }
}

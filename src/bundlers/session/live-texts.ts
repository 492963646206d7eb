import { codes, ContentSpaceError, messageOf, type ErrorCode } from '../../errors.js'

/** The module or file that uses text made from content. */
interface TextUser {
  /** The name of the marker file that changes with the text. */
  marker: string
  /** The resolved id of the module whose source is the text. */
  module?: string
  /** The user's file that contains an id or an import. */
  file?: string | undefined
}

/** The users of text that has changed since the bundler received it. */
export interface TextChanges {
  markers: ReadonlySet<string>
  modules: ReadonlySet<string>
  files: ReadonlySet<string>
  /** The resolved ids of modules that currently can't be generated. */
  failed: ReadonlySet<string>
  /** The reason why text temporarily can't be made. */
  temporaryError?: unknown
}

export type LiveTexts = ReturnType<typeof createLiveTexts>

interface LiveText {
  user: TextUser
  make: () => Promise<string>
  text: Promise<string> | undefined
  /** The text or error message that the bundler has received; undefined until there is one. */
  outcome: string | undefined
  /** Whether a later check may have a different outcome even if the content hasn't changed. */
  again: boolean
}

/**
 * Creates a store for text that is made from content: the sources of modules, and the results of reading the user's
 * files.
 */
export function createLiveTexts() {
  const entries = new Map<string, LiveText>()
  let temporaryError: unknown

  function fail(entry: LiveText, error: unknown): void {
    Object.assign(entry, { text: undefined, outcome: `error ${messageOf(error)}`, again: isWorthRetrying(error) })
  }

  async function hasChanged(entry: LiveText): Promise<boolean> {
    // Wait for work that started before the content changed, because it may have read a mix of old and new content.
    await entry.text?.catch(() => {})
    const before = entry.outcome
    try {
      const text = await entry.make()
      Object.assign(entry, { text: Promise.resolve(text), outcome: `text ${text}`, again: false })
    } catch (error) {
      // Such an error is temporary: the service is unreachable or refuses requests for now.
      const known = error instanceof ContentSpaceError ? error : undefined
      if (known && codes[known.code].retry) temporaryError ??= known
      if (known?.retryable === true && before !== undefined) entry.again = isWorthRetrying(known)
      else fail(entry, error)
    }
    return entry.outcome !== before
  }

  return {
    /** Returns the text of a key, making it if necessary. If making it fails, the next call tries again. */
    get(key: string, user: TextUser, make: () => Promise<string>): Promise<string> {
      const known = entries.get(key)
      if (known?.text) return known.text
      const text = make()
      const entry: LiveText = { user, make, text, outcome: known?.outcome, again: false }
      entries.set(key, entry)
      text.then(
        (made) => entry.text === text && (entry.outcome = `text ${made}`),
        (error: unknown) => entry.text === text && fail(entry, error),
      )
      return text
    },
    /** Discards the text for a user's file, because the file is about to be read again. */
    release(file: string): void {
      for (const [key, { user }] of entries) if (user.file === file) entries.delete(key)
    },
    /**
     * Makes text again and compares it with the previous text. Keeps text that temporarily can't be made.
     * @param all whether to make all text again, instead of only text that failed
     */
    async recheck(all: boolean): Promise<TextChanges> {
      temporaryError = undefined
      const checked = [...entries.values()].filter(({ again }) => all || again)
      const differ = await Promise.all(checked.map(hasChanged))
      const users = checked.filter((_, at) => differ[at]).map(({ user }) => user)
      return {
        markers: new Set(users.map(({ marker }) => marker)),
        modules: new Set(users.flatMap(({ module }) => module ?? [])),
        files: new Set(users.flatMap(({ file }) => file ?? [])),
        failed: new Set(checked.flatMap(({ user, text }) => (text ? [] : (user.module ?? [])))),
        temporaryError,
      }
    },
    markers: (): ReadonlySet<string> => new Set([...entries.values()].map(({ user }) => user.marker)),
    clear: () => entries.clear(),
  }
}

/**
 * Checks whether to retry. Doesn't resend a rejected token automatically, because services may lock the account after
 * some attempts.
 */
function isWorthRetrying(error: unknown): boolean {
  return !(error instanceof ContentSpaceError && lasting.includes(error.code))
}

const lasting: readonly ErrorCode[] = ['unauthorized', 'permissionDenied', 'invalidOption']

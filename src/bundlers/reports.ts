import type { FileDescriptor } from '../files/plan.js'

/** An id that a build has left as text. Names of modules in comments and statistics have other characters in front. */
export const TEXT_ID = /["'`(>=;\s]content-space:(?:asset|kit|section|tokens|app-icons)\/\w/

/** Files of the output that aren't scripts, and that people write by hand. */
const TEXT = /\.(?:html?|css|json|webmanifest|xml|svg|md|txt)$/

/** Whether a file of the output is a text that may contain ids. */
export function isText(path: string): boolean {
  return TEXT.test(path) || /\.[cm]?js$/.test(path)
}

export type Reports = ReturnType<typeof createReports>

/**
 * Keeps the errors of a build, so that one cause is reported once, however many files it affects, and what must be the
 * same in all of it.
 */
export function createReports() {
  const reported = new Set<string>()
  const icons = new Set<FileDescriptor>()
  const texts = new Set<string>()
  return {
    /** The application icons that the build emits. */
    icons,
    /** The places of ids that stay text. Several builds of a process report each once. */
    texts,
    /** Whether the same error was reported before in this build. Records it. */
    isRepeated(error: unknown): boolean {
      const cause = causeOf(error)
      if (cause === undefined || reported.has(cause)) return cause !== undefined
      reported.add(cause)
      return false
    },
    /** Called when a build starts. */
    clear(): void {
      reported.clear()
      icons.clear()
    },
  }
}

/** Returns what is wrong, without the importing file, for an error of this package. */
export function causeOf(error: unknown): string | undefined {
  const { name, summary, hint }: { name?: unknown; summary?: unknown; hint?: unknown } = Object(error)
  return name === 'ContentSpaceError' ? `${String(summary)}\n${String(hint)}` : undefined
}

/** Removes the encoded parts of the ids of modules from a text: `content-space:asset/acme-logo`. */
export function readableIds(text: string): string {
  return text.replaceAll(/\0?(content-space:)[a-z-]+\/[\w-]*\/~[\w-]+\//g, '$1')
}

/** Adds the code around the import to the message, for a bundler that shows nothing else of an error. */
export function showFrame(error: unknown): unknown {
  const { frame }: { frame?: unknown } = Object(error)
  if (!(error instanceof Error) || typeof frame !== 'string' || error.message.includes(frame)) return error
  error.message += `\n\n${frame}\n`
  error.stack = String(error)
  return error
}

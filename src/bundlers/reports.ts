import type { FileDescriptor } from '../files/plan.js'

/**
 * Matches an id that a build has left as plain text. Requires certain characters before the id, because module names in
 * comments and statistics follow other characters.
 */
export const TEXT_ID = /["'`(>=;\s]content-space:(?:asset|kit|section|tokens|app-icons)\/\w/

/** Matches output files that are scripts, or that people write by hand. */
const TEXT = /\.(?:html?|css|json|webmanifest|xml|svg|md|txt|[cm]?js)$/

/** Matches text files in copied folders. Leaves out SVG files, because a folder may contain thousands of them. */
export const COPIED = /\.(?:html?|css|json|webmanifest|xml|md|txt)$/

/** Checks whether an output file is a text file that may contain ids. */
export function isText(path: string): boolean {
  return TEXT.test(path)
}

export type Reports = ReturnType<typeof createReports>

/**
 * Creates the reports of a build, so that each cause is reported once, no matter how many files it affects. Also holds
 * state that must be consistent across the build.
 */
export function createReports() {
  const reported = new Set<string>()
  const icons = new Set<FileDescriptor>()
  const texts = new Set<string>()
  return {
    icons,
    /**
     * The locations of ids that remain plain text. If a process runs several builds, each location is reported once.
     */
    texts,
    /** Records an error, and returns whether this build has already reported the same error. */
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

/** Returns the cause of this package's error, without the importing file. */
export function causeOf(error: unknown): string | undefined {
  const { name, summary, hint }: { name?: unknown; summary?: unknown; hint?: unknown } = Object(error)
  return name === 'ContentSpaceError' ? `${String(summary)}\n${String(hint)}` : undefined
}

/** Removes the encoded parts from module ids in a message, which leaves ids such as `content-space:asset/acme-logo`. */
export function readableIds(text: string): string {
  return text.replaceAll(/\0?(content-space:)[a-z-]+\/[\w-]*\/~[\w-]+\//g, '$1')
}

/** Adds the code around the import to the message, for a bundler that prints only the messages of errors. */
export function showFrame(error: unknown): unknown {
  const { frame }: { frame?: unknown } = Object(error)
  if (!(error instanceof Error) || typeof frame !== 'string' || error.message.includes(frame)) return error
  error.message += `\n\n${frame}\n`
  error.stack = String(error)
  return error
}

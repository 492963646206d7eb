import type { FileDescriptor } from '../files/plan.js'

export type Reports = ReturnType<typeof createReports>

/**
 * Keeps the errors of a build, so that one cause is reported once, however many files it affects, and what must be the
 * same in all of it.
 */
export function createReports() {
  const reported = new Set<string>()
  const icons = new Set<FileDescriptor>()
  return {
    /** The application icons that the build emits. */
    icons,
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

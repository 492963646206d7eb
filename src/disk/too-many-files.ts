import { ContentSpaceError, type ErrorFacts } from '../errors.js'

/** Whether an operation failed because the process (EMFILE) or the machine (ENFILE) has too many files open. */
export function isTooManyFiles(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTooManyFiles)
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
}

export const tooManyFilesHint = 'Raise the limit of open files (`ulimit -n 1024`), or lower option `concurrency`.'

/** Returns an error that explains it. The operation may succeed later, when other files are closed. */
export function tooManyFilesError(cause: unknown, facts: ErrorFacts = {}): ContentSpaceError {
  const message = 'Too many files and connections are open at once (EMFILE).'
  return new ContentSpaceError('fileSystem', message, { ...facts, hint: tooManyFilesHint, cause, retryable: true })
}

/** Replaces an error about too many open files by one that explains it. Returns any other error as it is. */
export function explainTooManyFiles(error: unknown): unknown {
  return isTooManyFiles(error) ? tooManyFilesError(error) : error
}

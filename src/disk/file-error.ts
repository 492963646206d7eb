import { ContentSpaceError, type ErrorFacts } from '../errors.js'

/** Checks whether an error has one of these system codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Returns a handler that returns undefined for errors with one of these system codes, and throws all other errors. */
export function ignoreErrno(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!hasCode(error, ...codes)) throw error
  }
}

/** The option of a command that sets a path, so that errors can suggest another path. */
export type PathOption = '--out'

/** Turns an error of the file system into a `fileSystem` error that names the path and the next step. */
export function fileError(cause: unknown, path: string, option?: PathOption): unknown {
  if (cause instanceof ContentSpaceError || !(cause instanceof Error)) return cause
  return new ContentSpaceError('fileSystem', `${path} cannot be read or written: ${cause.message}`, {
    hint: fileHint(cause, option),
    cause,
  })
}

export function throwFileError(path: string, option?: PathOption): (error: unknown) => never {
  return (error) => {
    throw fileError(error, path, option)
  }
}

function fileHint(cause: Error, option: PathOption | undefined): string {
  const code = 'code' in cause ? cause.code : ''
  if (isTooManyFiles(cause)) return tooManyFilesHint
  if (code === 'ENOTDIR' || code === 'EEXIST') return `A file exists where this folder should be. ${moveHint(option)}`
  if (code === 'EISDIR') return `A folder exists where this file should be. ${moveHint(option)}`
  if (code === 'ENOENT') return 'Check the path.'
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const again = option ? 'run the command again; it continues where this run stopped.' : 'try again.'
    return `The disk is full. Free some space and ${again}`
  }
  if (option && hasCode(cause, 'EACCES', 'EBUSY', 'EPERM', 'EROFS'))
    return `Check its permissions and its parent's. If it is a mount point, choose a folder inside it as ${option}.`
  return 'Check free space and permissions.'
}

export function moveHint(option: PathOption | undefined): string {
  return option ? `Move it, or choose another ${option}.` : 'Move it.'
}

export function notOurs(file: string): ContentSpaceError {
  return new ContentSpaceError('fileSystem', `${file} was not written by content-space, so it is not replaced.`, {
    hint: 'Choose another path, or remove the file.',
  })
}

/** Checks whether an operation failed because the process (EMFILE) or the machine (ENFILE) has too many files open. */
export function isTooManyFiles(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTooManyFiles)
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
}

const tooManyFilesHint = 'Raise the limit of open files (`ulimit -n 1024`), or lower option `concurrency`.'

/** Returns an error that explains the limit. The operation may succeed later, when other files are closed. */
export function tooManyFilesError(cause: unknown, facts: ErrorFacts = {}): ContentSpaceError {
  const message = 'Too many files and connections are open at once (EMFILE).'
  return new ContentSpaceError('fileSystem', message, { ...facts, hint: tooManyFilesHint, cause, retryable: true })
}

/** Replaces an error about too many open files with an explanation. Returns any other error unchanged. */
export function explainTooManyFiles(error: unknown): unknown {
  return isTooManyFiles(error) ? tooManyFilesError(error) : error
}

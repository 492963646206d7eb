import { ContentSpaceError } from '../errors.js'
import { isTooManyFiles, tooManyFilesHint } from './too-many-files.js'

/** Whether an error has one of these system codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Returns a handler that returns undefined for errors with one of these system codes, and throws all other errors. */
export function ignoreErrno(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!hasCode(error, ...codes)) throw error
  }
}

/** The next step after an error of the file system, by what is wrong. */
export interface FileSteps {
  misplaced: string
  full: string
}

/** The steps of any work. */
export const anySteps: FileSteps = {
  misplaced: 'Move it.',
  full: 'Free some space and try again.',
}

/** The steps of commands that write what `--out` names, and keep their downloads in the cache. */
export const outSteps: FileSteps = {
  misplaced: 'Move it, or choose another --out.',
  full: 'Free some space and run the command again; it continues where this run stopped.',
}

/** Turns an error of the file system into a `fileSystem` error that names the path and the next step. */
export function fileError(cause: unknown, path: string, steps = anySteps): unknown {
  if (cause instanceof ContentSpaceError || !(cause instanceof Error)) return cause
  return new ContentSpaceError('fileSystem', `${path} cannot be read or written: ${cause.message}`, {
    hint: fileHint(cause, steps),
    cause,
  })
}

function fileHint(cause: Error, { misplaced, full }: FileSteps): string {
  const code = 'code' in cause ? cause.code : ''
  if (isTooManyFiles(cause)) return tooManyFilesHint
  if (code === 'ENOTDIR') return `A file is in the place of a folder. ${misplaced}`
  if (code === 'EISDIR') return `A folder is in the place of a file. ${misplaced}`
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk is full. ${full}`
  return 'Check free space and permissions.'
}

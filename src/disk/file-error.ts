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

/** Turns an error of the file system into a `fileSystem` error that names the path and the next step. */
export function fileError(cause: unknown, path: string): unknown {
  if (cause instanceof ContentSpaceError || !(cause instanceof Error)) return cause
  return new ContentSpaceError('fileSystem', `${path} cannot be read or written: ${cause.message}`, {
    hint: fileHint(cause),
    cause,
  })
}

function fileHint(cause: Error): string {
  const code = 'code' in cause ? cause.code : ''
  if (isTooManyFiles(cause)) return tooManyFilesHint
  if (code === 'ENOTDIR') return 'A file is in the place of a folder. Move it, or choose another --out.'
  if (code === 'EISDIR') return 'A folder is in the place of a file. Move it, or choose another --out.'
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return 'The disk is full. Free some space and run the command again; it continues where this run stopped.'
  return 'Check free space and permissions.'
}

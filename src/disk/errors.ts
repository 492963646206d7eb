import { ContentSpaceError } from '../errors.js'
import { isTooManyFiles, tooManyFilesHint } from './open-files.js'

/** Returns a handler for `catch` that turns errors with the given codes, such as `ENOENT`, into undefined. */
export function ignoreErrno(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return undefined
    throw error
  }
}

/** Converts an error of Node for a path to a `fileSystem` error. Returns others as they are. */
export function fileError(cause: unknown, path: string): unknown {
  if (cause instanceof ContentSpaceError || !(cause instanceof Error)) return cause
  return new ContentSpaceError('fileSystem', `${path} cannot be read or written: ${cause.message}`, {
    hint: hintFor(cause),
    cause,
  })
}

function hintFor(cause: Error): string {
  const code = 'code' in cause ? cause.code : ''
  if (isTooManyFiles(cause)) return tooManyFilesHint
  if (code === 'ENOTDIR') return 'One of its parent folders is a file: choose another --out.'
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return 'The disk is full: free some space and run the command again. It continues where this run ended.'
  return 'Check free space and permissions.'
}

import { lstatSync, statSync } from 'node:fs'
import { ContentSpaceError } from '../errors.js'

/** Whose files are trusted. */
export interface Trust {
  /** Files and folders that somebody chose, such as the folder in which a command runs: their owners are trusted. */
  chosen: readonly string[]
  /** The user of this process. Default: the effective one. Undefined on Windows, where nothing is checked. */
  user?: number | undefined
}

/**
 * Refuses a file that was found by a search, and belongs to another user: it contains code, or decides where the token
 * is sent. Files of this user, of root and of the owners of what was chosen are trusted. A checkout that is mounted in
 * a container belongs to another user as a whole, with the folder in which the build runs.
 * @throws ContentSpaceError `invalidOption`
 */
export function requireOwner(file: string, { chosen, user = process.geteuid?.() }: Trust): void {
  if (user === undefined) return
  const trusted = new Set([0, user, ...chosen.flatMap((path) => statSync(path, { throwIfNoEntry: false })?.uid ?? [])])
  // A link of another user may name any file.
  const owner = [lstatSync(file), statSync(file)].map(({ uid }) => uid).find((uid) => !trusted.has(uid))
  if (owner === undefined) return
  throw new ContentSpaceError('invalidOption', `${file} belongs to user ${owner}, and is not read by user ${user}.`, {
    lines: ['A file of another user could run code, or receive the token.'],
    hint: 'If you trust it, change its owner, or name the configuration file with --config or CONTENT_SPACE_CONFIG.',
  })
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../async/attempt.js'
import { makeFolder } from './make-folder.js'
import { readRegularFileSync } from './read-file.js'

/** Creates `.content-space` in a project, and makes version control ignore it. @returns its path */
export function projectFolder(root: string): string {
  const folder = join(root, '.content-space')
  const ignored = join(folder, '.gitignore')
  if (attempt(() => readRegularFileSync(ignored).toString()) !== ALL) {
    makeFolder(folder)
    writeFileSync(ignored, ALL)
  }
  return folder
}

/** The `.gitignore` pattern for all files. */
const ALL = '*\n'

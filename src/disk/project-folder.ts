import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Creates `.content-space` in a project, which version control ignores. @returns its path */
export function projectFolder(root: string): string {
  const folder = join(root, '.content-space')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '.gitignore'), '*\n')
  return folder
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { succeeds } from '../../async/attempt.js'
import { ancestors } from '../../config/project.js'
import { ignoreErrno } from '../../disk/file-error.js'
import { git } from '../../disk/git.js'
import { readRegularFile } from '../../disk/read-file.js'
import { readText, replaceFile } from '../../disk/replace-file.js'

/**
 * Adds a file to `.gitignore`, unless git already ignores it. Creates `.gitignore` only in a git repository, because
 * other projects may use another version control system.
 * @returns whether a line was added
 */
export async function ignoreFile(root: string, file: string): Promise<{ added: boolean; warnings: string[] }> {
  if (!existsSync(join(root, file))) return { added: false, warnings: [] }
  if (await succeeds(git(root, 'ls-files', '--error-unmatch', file))) {
    // Some projects commit an `.env` without secrets.
    if (file === '.env') return { added: false, warnings: [] }
    const next = `Run \`git rm --cached ${file}\`, and renew the token if it was pushed.`
    return { added: false, warnings: [`git tracks ${file}, which contains the token. ${next}`] }
  }
  const path = join(root, '.gitignore')
  const text = await readText(path)
  if ((await succeeds(git(root, 'check-ignore', '--quiet', file))) || hasLine(text ?? '', file))
    return { added: false, warnings: [] }
  const isRepository = ancestors(root).some((folder) => existsSync(join(folder, '.git')))
  if (text === undefined && !isRepository) {
    return { added: false, warnings: [`${file} is not in .gitignore. Add it, so that the token is not committed.`] }
  }
  await addLines(path, [file])
  return { added: true, warnings: [] }
}

/** Checks for the file as git would, on machines without git. */
function hasLine(text: string, file: string): boolean {
  const patterns = [file, `/${file}`, `${file}*`, '.env*', '.env.*', '*.local']
  return text.split('\n').some((line) => patterns.includes(line.trim()))
}

/** Adds missing lines to a list of patterns, and creates the file if necessary. @returns the added lines */
export async function addLines(path: string, lines: readonly string[]): Promise<string[]> {
  const text = (await readRegularFile(path).catch(ignoreErrno('ENOENT')))?.toString() ?? ''
  const present = text.split(/\r?\n/).map((line) => line.trim().replace(/^\//, ''))
  const added = lines.filter((line) => !present.includes(line))
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' || text.endsWith('\n') ? '' : end
  if (added.length > 0) await replaceFile(path, `${text}${gap}${added.join(end)}${end}`)
  return added
}

import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'

/** Runs git in a folder, without the user's settings. */
export function git(root: string, ...args: string[]): string {
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8', env, maxBuffer: 2 ** 28 })
}

/** Commits all files of a project except its cache. Creates the repository if necessary. */
export function commitAll(root: string): void {
  if (!existsSync(join(root, '.git'))) {
    git(root, 'init', '-q')
    appendFileSync(join(root, '.git/info/exclude'), '.cache\n')
  }
  git(root, 'add', '.')
  git(root, 'commit', '-q', '--allow-empty', '-m', 'A commit')
}

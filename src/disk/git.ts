import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs git without the secrets of this package: a repository can configure programs for git to run. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CONTENT_SPACE_')))
  return (await promisify(execFile)('git', args, { cwd, env, maxBuffer: Infinity })).stdout
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs git without this package's secrets, because a repository can configure programs that git runs. */
export async function gitBytes(cwd: string, ...args: string[]): Promise<Buffer> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CONTENT_SPACE_')))
  const options = { cwd, env, maxBuffer: Infinity, encoding: 'buffer' } as const
  return (await promisify(execFile)('git', args, options)).stdout
}

/** Returns the output of git as text. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await gitBytes(cwd, ...args)).toString()
}

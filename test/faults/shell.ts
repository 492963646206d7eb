import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { secret } from '../support/secret.js'

export interface Ended {
  code: unknown
  stdout: string
  stderr: string
}

const cli = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
/** The user and group `nobody`, because root ignores file permissions. */
const nobody = 65534

/**
 * Runs a script in a project whose cache is `.cache`, with the built command line as `"$NODE" "$CLI"`.
 * @param extra additional environment variables; with `AS_NOBODY`, it runs as `nobody` if the current user is root
 */
export async function shell(
  cwd: string,
  url: string,
  { command, args }: { command: string; args: string[] },
  { AS_NOBODY, ...extra }: Record<string, string> = {},
): Promise<Ended> {
  const user = AS_NOBODY !== undefined && process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const child = spawn(command, args, {
    cwd,
    ...user,
    env: {
      PATH: process.env['PATH'],
      NODE: process.execPath,
      CLI: cli,
      CONTENT_SPACE_CACHE: join(cwd, '.cache'),
      CONTENT_SPACE_URL: url,
      CONTENT_SPACE_ID: String(secret.spaceId),
      CONTENT_SPACE_TOKEN: secret.token,
      ...extra,
    },
    timeout: 60_000,
  })
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code]: unknown[] = await ended
  return { code, stdout, stderr }
}

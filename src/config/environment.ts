import { existsSync, statSync } from 'node:fs'
import { parse } from 'dotenv'
import { expand } from 'dotenv-expand'
import { attempt } from '../async/attempt.js'
import { throwFileError } from '../disk/file-error.js'
import { readRegularFileSync } from '../disk/read-file.js'
import { ContentSpaceError } from '../errors.js'
import { environmentFiles } from './project.js'

/** The options that the environment sets. An empty variable counts as unset. */
export type Environment = ReturnType<typeof readEnvironment>

/**
 * Reads `CONTENT_SPACE_*` from the process and from the same `.env` files as Vite, in this order: `.env`, `.env.local`,
 * `.env.<mode>`, `.env.<mode>.local`. Later files override earlier ones, and the process overrides all files.
 * https://vite.dev/guide/env-and-mode#env-files
 * @param folders of the files; later folders override earlier ones
 * @throws ContentSpaceError `invalidOption`; `fileSystem` for a file that can't be read
 */
export function readEnvironment(folders: readonly string[], mode: string, env: Record<string, string | undefined>) {
  // A folder may have this name: a Python virtual environment, or a Docker mount whose file is missing.
  const files = environmentFiles(folders, mode).filter((file) => existsSync(file) && !statSync(file).isDirectory())
  const parsed = Object.assign({}, ...files.map(readFile))
  const process = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  const all: Record<string, string> = { ...expand({ parsed, processEnv: { ...process } }).parsed, ...process }
  return {
    url: all['CONTENT_SPACE_URL'] || undefined,
    id: all['CONTENT_SPACE_ID'] || undefined,
    token: all['CONTENT_SPACE_TOKEN'] || undefined,
    cache: all['CONTENT_SPACE_CACHE'] || undefined,
    frozen: readSwitch('CONTENT_SPACE_FROZEN', all),
    offline: readSwitch('CONTENT_SPACE_OFFLINE', all),
    remote: all['CONTENT_SPACE_REMOTE'] || undefined,
    remoteWrite: !['', '0', 'false'].includes(all['CONTENT_SPACE_REMOTE_WRITE'] ?? ''),
    remoteKey: all['CONTENT_SPACE_REMOTE_KEY'] || undefined,
    remotePublicKey: all['CONTENT_SPACE_REMOTE_PUBLIC_KEY'] || undefined,
    /** The bearer token for a remote cache with an `https` address. */
    remoteToken: all['CONTENT_SPACE_REMOTE_TOKEN'] || undefined,
    /** Returns a variable for a source of option `kits`, such as `CONTENT_SPACE_PRESS_TOKEN`. */
    ofSource: (name: string): string | undefined => all[name] || undefined,
    ci: process['CI'] !== undefined && process['CI'] !== 'false',
  }
}

const readFile = (file: string) => attempt(() => parse(readRegularFileSync(file)), throwFileError(file))

/**
 * @throws ContentSpaceError `invalidOption` for a value that isn't a switch, because it would otherwise be silently
 *   ignored
 */
function readSwitch(name: string, env: Readonly<Record<string, string>>): boolean | undefined {
  const text = (env[name] ?? '').toLowerCase()
  if (text === '') return undefined
  if (text === '1' || text === 'true') return true
  if (text === '0' || text === 'false') return false
  throw new ContentSpaceError('invalidOption', `The environment variable ${name} must be 1 or 0.`)
}

import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parse } from 'dotenv'
import { expand } from 'dotenv-expand'
import { checkOptions } from './validate.js'
import { ContentSpaceError } from '../errors.js'
import type { Options } from './options.js'

const configFiles = ['ts', 'js', 'mjs', 'json'].map((extension) => `content-space.config.${extension}`)

/**
 * The options of the configuration file, the first of `content-space.config.{ts,js,mjs,json}` in the root.
 * @param path relative to the root; must exist when given
 * @throws ContentSpaceError `invalidOption` for a file that cannot be read or holds other things than options
 */
export async function readConfig(root: string, path?: string): Promise<Options> {
  const candidates = path === undefined ? configFiles.map((name) => join(root, name)) : [resolve(root, path)]
  const file = candidates.find((candidate) => existsSync(candidate)) ?? (path && candidates[0])
  if (!file) return {}
  const options = await load(file).catch((cause: unknown) => {
    throw new ContentSpaceError('invalidOption', `${file} cannot be read.`, { cause, hint: String(cause) })
  })
  checkOptions(options, basename(file))
  return options
}

async function load(file: string): Promise<unknown> {
  if (file.endsWith('.json')) return JSON.parse(await readFile(file, 'utf8'))
  const { createJiti } = await import('jiti')
  // No caches: the file is read again when a dev server restarts, and nothing of it is left on disk.
  return createJiti(import.meta.url, { fsCache: false, moduleCache: false }).import(file, { default: true })
}

/** What the environment says. An empty variable is an unset one. */
export interface Environment {
  url: string | undefined
  id: string | undefined
  token: string | undefined
  cache: string | undefined
  ci: boolean
}

/**
 * Reads `CONTENT_SPACE_*` from the process and from the files that Vite reads, in its order:
 * `.env`, `.env.local`, `.env.<mode>`, `.env.<mode>.local`, the later winning and the process before all.
 * https://vite.dev/guide/env-and-mode#env-files
 * @param folder where the files are, or false to read none
 */
export function readEnvironment(
  folder: string | false,
  mode: string,
  env: Record<string, string | undefined>,
): Environment {
  const names = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`]
  const files = folder === false ? [] : names.map((name) => join(folder, name))
  const parsed = Object.assign({}, ...files.filter((file) => existsSync(file)).map((file) => parse(readFileSync(file))))
  const process = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  const all: Record<string, string> = { ...expand({ parsed, processEnv: { ...process } }).parsed, ...process }
  return {
    url: all['CONTENT_SPACE_URL'] || undefined,
    id: all['CONTENT_SPACE_ID'] || undefined,
    token: all['CONTENT_SPACE_TOKEN'] || undefined,
    cache: all['CONTENT_SPACE_CACHE'] || undefined,
    ci: process['CI'] !== undefined && process['CI'] !== 'false',
  }
}

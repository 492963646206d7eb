import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { ContentSpaceError } from '../errors.js'
import type { Options } from './options.js'
import { checkOptions } from './validate.js'

const configFiles = ['ts', 'js', 'mjs', 'json'].map((extension) => `content-space.config.${extension}`)

/**
 * Reads the options of the configuration file, the first of `content-space.config.{ts,js,mjs,json}` in the root.
 * Returns no options if none exists.
 * @param path relative to the root; the file must exist
 * @throws ContentSpaceError `invalidOption` for a file that cannot be read or contains invalid options
 */
export async function readConfig(root: string, path?: string): Promise<Options> {
  const file = path === undefined ? findConfig(root) : resolve(root, path)
  if (file === undefined) return {}
  if (!existsSync(file)) {
    throw new ContentSpaceError('invalidOption', `The configuration file ${file} does not exist.`)
  }
  const options = await load(file).catch((cause: unknown) => {
    throw new ContentSpaceError('invalidOption', `${file} cannot be read.`, { cause, hint: String(cause) })
  })
  checkOptions(options, basename(file))
  return options
}

function findConfig(root: string): string | undefined {
  return configFiles.map((name) => join(root, name)).find((file) => existsSync(file))
}

async function load(file: string): Promise<unknown> {
  if (file.endsWith('.json')) return JSON.parse(await readFile(file, 'utf8'))
  const { createJiti } = await import('jiti')
  // Without caches: a dev server that restarts reads the file again, and nothing is left on disk.
  return createJiti(import.meta.url, { fsCache: false, moduleCache: false }).import(file, { default: true })
}

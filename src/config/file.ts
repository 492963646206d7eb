import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { ContentSpaceError } from '../errors.js'
import type { Options } from './options.js'
import { checkOptions } from './validate.js'

/**
 * Reads the options of a configuration file.
 * @param file absolute path; undefined: no options
 * @throws ContentSpaceError `invalidOption` for a file that cannot be read or contains invalid options
 */
export async function readConfig(file: string | undefined): Promise<Options> {
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

async function load(file: string): Promise<unknown> {
  if (file.endsWith('.json')) return JSON.parse(await readFile(file, 'utf8'))
  const { createJiti } = await import('jiti')
  // Without caches: a dev server that restarts reads the file again, and nothing is left on disk.
  return createJiti(import.meta.url, { fsCache: false, moduleCache: false }).import(file, { default: true })
}

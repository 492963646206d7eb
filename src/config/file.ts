import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { readRegularFile, requireFile } from '../disk/read-file.js'
import { ContentSpaceError } from '../errors.js'
import type { Options } from './options.js'
import { checkOptions } from './validate.js'

/**
 * Reads the options of a configuration file.
 * @param file absolute path; undefined: no options
 * @throws ContentSpaceError `invalidOption` for a file that cannot be read or contains invalid options; `fileSystem`
 *   for a pipe, a socket or a device
 */
export async function readConfig(file: string | undefined): Promise<Options> {
  if (file === undefined) return {}
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) {
    throw new ContentSpaceError('invalidOption', `The configuration file ${file} does not exist.`)
  }
  requireFile(stats, file)
  const options = await load(file).catch((cause: unknown) => {
    throw new ContentSpaceError('invalidOption', `${file} cannot be read.`, { cause, hint: String(cause) })
  })
  checkOptions(options, basename(file))
  return options
}

async function load(file: string): Promise<unknown> {
  if (file.endsWith('.json')) return JSON.parse((await readRegularFile(file)).toString())
  const { createJiti } = await import('jiti')
  // Without caches: a dev server that restarts reads the file again, and nothing is left on disk.
  return createJiti(import.meta.url, { fsCache: false, moduleCache: false }).import(file, { default: true })
}

import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readRegularFile, requireFile } from '../disk/read-file.js'
import { statsOf } from '../disk/stats.js'
import { attempt } from '../async/attempt.js'
import { ContentSpaceError, messageOf } from '../errors.js'
import { nearestManifest } from './manifest.js'
import type { Options } from './options.js'
import { requireOwners, type ProjectPlace } from './project.js'
import { checkOptions } from './validate.js'

/**
 * Reads the options of a project's configuration file. Nothing else runs the file, so the owner is checked here.
 * @returns no options if the project has no configuration file
 * @throws ContentSpaceError `invalidOption` for a file that belongs to another user, cannot be read or contains invalid
 *   options; `fileSystem` for a pipe, a socket or a device
 */
export async function readConfig(project: ProjectPlace): Promise<Options> {
  const { configFile: file } = project
  if (file === undefined) return {}
  requireOwners(project)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) {
    const problem = statsOf(file) ? 'is a broken symbolic link' : 'does not exist'
    throw new ContentSpaceError('invalidOption', `The configuration file ${file} ${problem}.`)
  }
  requireFile(stats, file)
  const options = await load(file).catch((cause: unknown) => {
    throw new ContentSpaceError('invalidOption', `${file} cannot be read.`, { cause, hint: String(cause) })
  })
  checkOptions(options, basename(file))
  return options
}

async function load(file: string): Promise<unknown> {
  const text = (await readRegularFile(file)).toString()
  if (file.endsWith('.json')) return attempt(() => JSON.parse(text), throwSyntaxError)
  // Node keeps what it has imported. An edited file is another module to it.
  if (isModule(file)) {
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
    return (await import(`${pathToFileURL(file).href}?${digest}`)).default
  }
  const { createJiti } = await import('jiti')
  // Without caches: a dev server that restarts reads the file again, and nothing is left on disk.
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false })
  const loaded = await jiti.evalModule(text, { filename: file, async: true, forceTranspile: true })
  return Object(loaded).default ?? loaded
}

/** Leaves out the text that Node quotes, because a token may be in it. */
function throwSyntaxError(error: unknown): never {
  throw new SyntaxError(messageOf(error).replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, ''))
}

/** Whether Node imports a file as an ES module. */
function isModule(file: string): boolean {
  return file.endsWith('.js') ? nearestManifest(dirname(file))?.type === 'module' : file.endsWith('.mjs')
}

import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readRegularFile, requireFile } from '../disk/read-file.js'
import { statsOf } from '../disk/stats.js'
import { attempt, completes } from '../async/attempt.js'
import { ContentSpaceError, messageOf } from '../errors.js'
import { nearestManifest } from './manifest.js'
import type { Options } from './options.js'
import { requireOwners, type ProjectPlace } from './project.js'
import { checkOptions } from './validate.js'

/**
 * Reads the options of a project's configuration file. Nothing else runs the file, so the owner is checked here.
 * @returns empty options if the project doesn't have a configuration file
 * @throws ContentSpaceError `invalidOption` for a file that belongs to another user, can't be read or contains invalid
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
  const text = await readRegularFile(file).then(String, (cause: unknown) => {
    throw cannotBeRead(file, cause)
  })
  const options = await loadFile(file, text).catch(async (cause: unknown) => {
    throw await unreadable(file, text, cause)
  })
  if (options === undefined) {
    const hint = 'Write `export default` before the object with the options.'
    throw new ContentSpaceError('invalidOption', `${file} has no default export.`, { hint })
  }
  if (!completes(() => checkOptions(options))) {
    const { optionFinder } = await import('./places.js')
    checkOptions(options, optionFinder(file, basename(file), text))
  }
  return Object(options)
}

/** @returns undefined if the file doesn't export options */
async function loadFile(file: string, text: string): Promise<unknown> {
  if (file.endsWith('.json')) return attempt(() => JSON.parse(text), throwSyntaxError)
  // Node caches imported modules, so an edited file needs a different URL.
  if (isModule(file)) {
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
    return (await import(`${pathToFileURL(file).href}?${digest}`)).default
  }
  const { createJiti } = await import('jiti')
  // Turn off both caches, so that a restarting dev server reads the file again and nothing is left on disk.
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false })
  const loaded = await jiti.evalModule(text, { filename: file, async: true, forceTranspile: true })
  if (Object.hasOwn(Object(loaded), 'default')) return Object(loaded).default
  // jiti returns an empty object for a module without exports.
  return /\bexports\b|\bexport\s*=/.test(text) ? loaded : undefined
}

function cannotBeRead(file: string, cause: unknown): ContentSpaceError {
  return new ContentSpaceError('invalidOption', `${file} cannot be read.`, { cause, hint: String(cause) })
}

async function unreadable(file: string, text: string, cause: unknown): Promise<ContentSpaceError> {
  const { findSyntaxError, lineAndColumn } = await import('./places.js')
  const offset = /\bin JSON at position (\d+)/.exec(messageOf(cause))?.[1]
  const found =
    offset === undefined
      ? findSyntaxError(file, text)
      : { place: lineAndColumn(text, Number(offset)), reason: messageOf(cause).replace(/ in JSON at .*/s, '') }
  if (found === undefined) return cannotBeRead(file, cause)
  const hint = 'Correct this line, or the end of the line before it.'
  return new ContentSpaceError('invalidOption', `${file}:${found.place} is not valid: ${found.reason}.`, {
    cause,
    hint,
  })
}

/** Rethrows a syntax error without the text that Node quotes, because the text may contain a token. */
function throwSyntaxError(error: unknown): never {
  throw new SyntaxError(messageOf(error).replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, ''))
}

/** Returns whether Node imports a file as an ES module. */
function isModule(file: string): boolean {
  return file.endsWith('.js') ? nearestManifest(dirname(file))?.type === 'module' : file.endsWith('.mjs')
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Options } from '../config/options.js'
import { ancestors, configNames } from '../config/project.js'

/**
 * Checks whether option `tokens` might be set. Its files are written before the bundler reads a module that may import
 * them. Doesn't read the configuration file.
 */
export function mayWriteTokens({ tokens }: Options = {}, root: string): boolean {
  if (tokens !== undefined) return tokens.length > 0
  if (process.env['CONTENT_SPACE_CONFIG']) return true
  return ancestors(root).some((folder) => configNames.some((name) => existsSync(join(folder, name))))
}

import { readRegularFile } from '../disk/read-file.js'
import type { Host, Options } from './options.js'
import { findProject } from './project.js'

/**
 * Whether option `tokens` may be set, without running the configuration file: a build without content must not load
 * anything else. A file that takes the option from another module is not recognized; its files are then written when a
 * module of content is loaded.
 */
export async function mayHaveTokenFiles({ tokens }: Options, { root, config }: Host): Promise<boolean> {
  if (tokens !== undefined) return tokens.length > 0
  const { configFile } = findProject(root, config)
  if (configFile === undefined) return false
  return /\btokens\b/.test(String(await readRegularFile(configFile).catch(() => '')))
}

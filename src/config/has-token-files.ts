import type { Host, Options } from './options.js'
import { findProject } from './project.js'

/**
 * Returns whether option `tokens` is set. Without a configuration file, loads no other code. Ignores a file that can't
 * be read, because the first import of content reports it.
 */
export async function hasTokenFiles({ tokens }: Options, { root, config }: Host): Promise<boolean> {
  if (tokens !== undefined) return tokens.length > 0
  const project = findProject(root, config)
  if (project.configFile === undefined) return false
  const { readConfig } = await import('./file.js')
  const found = await readConfig(project).catch((): Options => ({}))
  return found.tokens !== undefined && found.tokens.length > 0
}

import type { Host, Options } from './options.js'
import { findProject } from './project.js'

/**
 * Whether option `tokens` is set. Without a configuration file, nothing else is loaded. A file that cannot be read is
 * reported by the first import of content.
 */
export async function hasTokenFiles({ tokens }: Options, { root, config }: Host): Promise<boolean> {
  if (tokens !== undefined) return tokens.length > 0
  const project = findProject(root, config)
  if (project.configFile === undefined) return false
  const { readConfig } = await import('./file.js')
  const found = await readConfig(project).catch((): Options => ({}))
  return found.tokens !== undefined && found.tokens.length > 0
}

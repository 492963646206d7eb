import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../async/attempt.js'
import { findProject } from '../../config/project.js'

/** The modules that Jest gets for ids. */
export interface JestIndex {
  /** The run of Jest that they were written for. Later runs write them again. */
  run: string
  /** CommonJS modules by specifier. */
  commonJs: Record<string, string>
  /** ES modules by specifier without its query, which Jest does not pass to resolvers. */
  esm: Record<string, string>
}

/** The folder of the writer of modules, within `.content-space`. */
export const contentFolder = 'jest/node_modules/content'

/**
 * Returns the folder of the modules. Its name keeps Jest from watching and, by default, from transforming its files.
 * @param rootDir option `rootDir` of Jest
 */
export function jestFolder(rootDir: string): string {
  return join(findProject(rootDir).root, '.content-space/jest/node_modules')
}

export function indexPath(folder: string): string {
  return join(folder, 'index.json')
}

/** Returns undefined if a run of Jest has not written an index. */
export function readIndex(folder: string, run: string): JestIndex | undefined {
  const index = attempt((): JestIndex => JSON.parse(readFileSync(indexPath(folder), 'utf8')))
  return index?.run === run ? index : undefined
}

/** Returns a specifier without its query, and the query as `import.meta.url` has it: `?w=640`. */
export function splitSpecifier(specifier: string): { path: string; search: string } {
  const [path = ''] = specifier.split('?')
  return { path, search: new URL(`file:///${specifier.slice(path.length)}`).search }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../async/attempt.js'
import { findProject } from '../../config/project.js'

/** The modules that Jest loads for ids. */
export interface JestIndex {
  /** The run of Jest for which they were written. Later runs write them again. */
  run: string
  /** CommonJS modules by specifier. */
  commonJs: Record<string, string>
  /** ES modules by specifier without its query, because Jest doesn't pass the query to resolvers. */
  esm: Record<string, string>
}

/** The folder of `writeModules`, within `.content-space`. */
export const contentFolder = 'jest/node_modules/content'

/**
 * Returns the folder of the modules. Because of its name, Jest doesn't watch its files and, by default, doesn't
 * transform them.
 * @param rootDir option `rootDir` of Jest
 */
export function jestFolder(rootDir: string): string {
  return join(findProject(rootDir).root, '.content-space/jest/node_modules')
}

export function indexPath(folder: string): string {
  return join(folder, 'index.json')
}

/** Reads the index. Returns undefined if this run of Jest hasn't written one. */
export function readIndex(folder: string, run: string): JestIndex | undefined {
  const index = attempt((): JestIndex => JSON.parse(readFileSync(indexPath(folder), 'utf8')))
  return index?.run === run ? index : undefined
}

/** Splits a specifier into the part before the query, and the query as in `import.meta.url`: `?w=640`. */
export function splitSpecifier(specifier: string): { path: string; search: string } {
  const [path = ''] = specifier.split('?')
  return { path, search: new URL(`file:///${specifier.slice(path.length)}`).search }
}

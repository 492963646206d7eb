import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../disk/make-folder.js'
import { ownFile } from '../../disk/own-file.js'
import { jestFolder, readIndex, splitSpecifier, type JestIndex } from './layout.js'

/** The options that Jest passes to resolvers, limited to those used here. */
export interface ResolverOptions {
  /** The folder of the importing file. */
  basedir: string
  /** Includes `import` for ES modules. */
  conditions?: string[]
  defaultResolver(this: void, path: string, options: ResolverOptions): string
  /** Option `rootDir` of Jest. */
  rootDir?: string
}

// Jest loads resolvers before it starts its workers, which inherit the environment.
const run = (process.env['CONTENT_SPACE_JEST_RUN'] ??= randomUUID())

/**
 * Resolves ids to modules on disk, and everything else as Jest does.
 *
 * Jest resolves synchronously, so a child process writes the modules. It writes modules for all ids of the source when
 * a run of Jest needs the first module, and again for an id that was added later. Jest ignores errors of resolvers, so
 * an invalid id resolves to a module that throws the error.
 */
export function resolveForJest(specifier: string, options: ResolverOptions): string {
  if (!specifier.startsWith('content-space:')) return options.defaultResolver(specifier, options)
  const { rootDir = process.cwd(), basedir, conditions = [] } = options
  const folder = jestFolder(rootDir)
  const format = conditions.includes('import') ? 'esm' : 'commonJs'
  // Jest passes the query of a mock, but not the query of the import that it mocks.
  const path = format === 'esm' ? splitSpecifier(specifier).path : specifier
  const index = readIndex(folder, run)
  const known = index?.[format][path]
  const isNew = index !== undefined && format === 'esm' && hasNewQuery(path, index, basedir)
  if (known !== undefined && !isNew) return known
  const problem = writeModules(rootDir)
  const added = problem === undefined ? readIndex(folder, run)?.[format][path] : undefined
  return added ?? errorModule(folder, path, problem ?? unknownSpecifier(path))
}

/**
 * Returns whether a file in the folder imports an ES module with a query that isn't in the index. This must be checked
 * because resolvers don't receive queries.
 */
function hasNewQuery(path: string, { commonJs }: JestIndex, basedir: string): boolean {
  const files = readdirSync(basedir, { withFileTypes: true }).filter((entry) => entry.isFile())
  return files
    .filter(({ name }) => /\.[cm]?[jt]sx?$/.test(name))
    .flatMap(({ name }) => readFileSync(join(basedir, name), 'utf8').match(/content-space:[^'"`\s$]+/g) ?? [])
    .some((specifier) => splitSpecifier(specifier).path === path && !(specifier in commonJs))
}

/** @returns the error's message, or undefined on success */
function writeModules(rootDir: string): string | undefined {
  const script = ownFile('frameworks/jest/write.js')
  try {
    execFileSync(process.execPath, [script, rootDir, run], {
      cwd: rootDir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return undefined
  } catch (error) {
    const { stdout = '' } = Object(error)
    return String(stdout).trim() || String(error)
  }
}

function unknownSpecifier(specifier: string): string {
  return (
    `${specifier} is not among the imports that option \`scan\` finds in the source.\n` +
    'Add the importing file to `scan`, and write the import as a literal.'
  )
}

/**
 * Writes a separate module for each id. If ids with the same error shared a module, a mock of one would replace the
 * others.
 */
function errorModule(folder: string, id: string, message: string): string {
  const text = `throw new Error(${JSON.stringify(message)})\n`
  const digest = createHash('sha256').update(`${id}\n${text}`).digest('hex').slice(0, 16)
  const path = join(folder, 'errors', `${digest}.cjs`)
  makeFolder(join(folder, 'errors'))
  writeFileSync(path, text)
  return path
}

import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { attempt } from '../../async/attempt.js'
import { messageOf } from '../../errors.js'
import { writeModules } from '../write-modules/write-modules.js'
import { moduleName } from '../write-modules/module-name.js'
import { withFolderLock } from '../../disk/folder-lock.js'
import { replaceFile } from '../../disk/replace-file.js'
import { finish, prepare } from '../../engine/build.js'
import { openEngine, type Engine } from '../../engine/engine.js'
import { identifier, literal } from '../../modules/literal.js'
import { consoleLog, printText, processOutputs } from '../../print.js'
import { requestToId } from '../../request/request.js'
import { findMocks } from '../../source/mocks.js'
import { scanSources, type Use } from '../../source/scan.js'
import { compareStrings } from '../../text/compare.js'
import { contentFolder, indexPath, jestFolder, readIndex, splitSpecifier, type JestIndex } from './layout.js'

// The entry of the child process that `resolver.ts` starts: write.js <rootDir> <run>

/** Writes the modules of all ids in the source, unless another process of the run has just written them. */
async function writeJestModules(rootDir: string, run: string): Promise<void> {
  const engine = await openEngine({}, { root: rootDir })
  const { root, scan, cacheDir } = engine.options
  const folder = jestFolder(rootDir)
  try {
    await withFolderLock(folder, cacheDir, new AbortController().signal, async () => {
      const [uses, mocks] = await Promise.all([scanSources(root, scan), findMocks(root, scan)])
      const idOf = (specifier: string): string => attempt(() => requestToId(engine.parse(specifier))) ?? specifier
      const imported = new Set(uses.map(({ specifier }) => idOf(specifier)))
      const mocked = [...mocks].filter((specifier) => imported.has(idOf(specifier)))
      const specifiers = [...new Set([...uses.map(({ specifier }) => specifier), ...mocked])].toSorted(compareStrings)
      const before = readIndex(folder, run)
      if (before && specifiers.every((specifier) => specifier in before.commonJs)) return
      await prepare(engine)
      const index: JestIndex = { run, ...(await modulesOf(folder, uses, specifiers, idOf, engine)) }
      await replaceFile(indexPath(folder), JSON.stringify(index))
      const { warnings } = await finish(engine)
      for (const warning of warnings) consoleLog.warn(warning)
    })
  } finally {
    await engine.close()
  }
}

/**
 * Writes one module for all spellings of an id, so that a mock of one spelling replaces the others, too.
 * @param specifiers all spellings, sorted
 * @param idOf returns the same text for all spellings of an id
 */
async function modulesOf(
  folder: string,
  uses: Use[],
  specifiers: readonly string[],
  idOf: (specifier: string) => string,
  engine: Engine,
): Promise<Omit<JestIndex, 'run'>> {
  const firsts = new Map(specifiers.toReversed().map((specifier) => [idOf(specifier), specifier]))
  const firstOf = (specifier: string): string => firsts.get(idOf(specifier)) ?? specifier
  const { modules } = await writeModules(engine, {
    folder: contentFolder,
    module: 'cjs',
    named: !engine.options.jestPaths,
    uses: uses.map((use) => ({ ...use, specifier: firstOf(use.specifier) })),
  })
  const commonJs = specifiers.map((one): [string, string] => [one, modules.get(firstOf(one)) ?? ''])
  const esm: Record<string, string> = {}
  for (const path of new Set(specifiers.map((specifier) => splitSpecifier(specifier).path))) {
    const isVariant = (specifier: string): boolean => idOf(splitSpecifier(specifier).path) === idOf(path)
    const [first = path] = specifiers.filter(isVariant).map((specifier) => splitSpecifier(specifier).path)
    esm[path] = join(folder, moduleName(first).replace(/js$/, 'mjs'))
    if (first !== path) continue
    const variants = commonJs.filter(([specifier]) => isVariant(specifier))
    const used = uses.filter(({ specifier }) => isVariant(specifier))
    await replaceFile(esm[path], esmSource(path, variants, used))
  }
  return { commonJs: Object.fromEntries(commonJs), esm }
}

/**
 * Returns an ES module with the exports of the CommonJS module for its query. Jest loads one file for all queries of a
 * specifier, but `import.meta.url` contains the query.
 * @param variants paths of CommonJS modules by specifier
 */
function esmSource(path: string, variants: readonly [specifier: string, file: string][], uses: readonly Use[]): string {
  const names = new Set(variants.flatMap(([, file]) => exportsOf(file)))
  // A module that throws an error doesn't need exports, but it must have the names that the source imports. Otherwise,
  // the user wouldn't see the error.
  for (const name of uses.flatMap((use) => use.names ?? [])) names.add(name)
  names.delete('default')
  const files = variants.map(([specifier, file]) => [splitSpecifier(specifier).search, `./content/${basename(file)}`])
  const unknown = `${literal(path)} + search$ + ' is not among the imports that option scan finds in the source.'`
  return [
    `import { createRequire } from 'node:module'`,
    'const search$ = new URL(import.meta.url).search',
    `const file$ = ${literal(Object.fromEntries(files))}[search$]`,
    `if (file$ === undefined) throw new Error(${unknown})`,
    // Don't use an import, because the modules of other queries may throw errors.
    'const module$ = createRequire(import.meta.url)(file$)',
    'export default module$.default',
    ...[...names].map((name) => `export const ${identifier(name)} = module$[${literal(name)}]`),
    '',
  ].join('\n')
}

function exportsOf(file: string): string[] {
  return Object.keys(attempt((): object => createRequire(file)(file)) ?? {})
}

const [rootDir = '', run = ''] = process.argv.slice(2)
try {
  await writeJestModules(rootDir, run)
} catch (error) {
  printText(processOutputs().stdout, messageOf(error))
  process.exitCode = 1
}

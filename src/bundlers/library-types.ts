import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import type { TypeModule } from '../components/runtimes.js'
import { ignoreErrno } from '../disk/file-error.js'
import { makeFolder } from '../disk/make-folder.js'
import { declarationOf } from '../engine/build.js'
import type { Engine } from '../engine/engine.js'
import type { DeclaredImport } from '../source/declared-imports.js'
import { DECLARATION } from './plugin.js'
import { nameOfContent } from './references/file-names.js'
import type { Session } from './session/session.js'

/** The folder of an output that contains the types of content. */
const FOLDER = 'content-space'

/**
 * The script extension for each declaration's extension after `.d.`, because imports of a module use the extension of
 * its script.
 */
const scripts: Record<string, string> = { ts: 'js', mts: 'mjs', cts: 'cjs' }

/**
 * Makes the declarations in an output independent of this package. Tools that write declarations keep the source's
 * imports, which users of a library can't resolve. We replace them with imports of added files that contain the types.
 *
 * Because these tools write their files in different ways, some in another process, we change the files on disk after
 * all have been written. Files that are older than this process aren't from this build and remain unchanged.
 * @param output the folder of the output; other folders aren't read
 * @throws the engine's error if an import can't be resolved
 */
export async function completeTypes(session: Session, output: string): Promise<void> {
  const written = new Map<string, string>()
  for (const file of await findDeclarations(output)) {
    const path = join(output, file)
    if ((await stat(path)).mtimeMs < performance.timeOrigin - CLOCK_PRECISION) continue
    const code = await readFile(path, 'utf8')
    if (!/content-space[:/]/.test(code)) continue
    // Import these only here, because most outputs don't have declarations.
    const [{ declaredImports }, { frameworks }] = await Promise.all([
      import('../source/declared-imports.js'),
      import('../request/frameworks.js'),
    ])
    const modules = ['asset', ...frameworks] as const
    const imports = declaredImports(code, file).filter(
      ({ specifier }) => typesIn(specifier, modules) !== undefined || specifier.startsWith('content-space:'),
    )
    if (imports.length === 0) continue
    const engine = await session.engine()
    const edited = await replaceImports(code, file, imports, modules, engine, written)
    await writeFile(path, edited)
  }
  for (const [file, text] of written) {
    makeFolder(dirname(join(output, file)))
    await writeFile(join(output, file), text)
  }
}

/**
 * Returns the paths of declarations, relative to the output, but doesn't search installed packages.
 * @param folder a folder to search, relative to the output
 */
async function findDeclarations(output: string, folder = ''): Promise<string[]> {
  const entries = await readdir(join(output, folder), { withFileTypes: true }).catch(ignoreErrno('ENOENT'))
  const found = (entries ?? []).map(async (entry): Promise<string[]> => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : findDeclarations(output, path)
    return DECLARATION.test(entry.name) ? [path] : []
  })
  return (await Promise.all(found)).flat()
}

/** The timestamp of a file may precede the time of its writing by this many milliseconds. */
const CLOCK_PRECISION = 50

/**
 * @param file the path of the declaration, relative to the output
 * @param written receives the text of each added file, by path
 */
async function replaceImports(
  code: string,
  file: string,
  imports: readonly DeclaredImport[],
  modules: readonly TypeModule[],
  engine: Engine,
  written: Map<string, string>,
): Promise<string> {
  const [{ MagicString }, { typesOf }] = await Promise.all([
    import('magic-string'),
    import('../components/runtimes.js'),
  ])
  const edited = new MagicString(code)
  const kind = /[cm]?ts$/.exec(file)?.[0] ?? 'ts'
  const script = scripts[kind] ?? 'js'
  const ownTypes = new RegExp(`unplugin-content-space/(${modules.join('|')})(?=['"]|$)`, 'g')
  const add = (name: string, text: string) => written.set(`${FOLDER}/${name}.d.${kind}`, text)
  for (const found of imports) {
    const types = typesIn(found.specifier, modules)
    const text = types === undefined ? await declarationOf(engine, found.specifier, found.names) : ''
    const name = types ?? nameOfContent(lastPart(found.specifier), text)
    if (types === undefined) add(name, text.replaceAll(ownTypes, `./$1.${script}`))
    const used = modules.filter((one) => one === types || text.includes(`unplugin-content-space/${one}'`))
    // These names can't collide with names from `nameOfContent`, which end in a hash.
    for (const one of used) add(one, await typesOf(one))
    const path = posix.relative(posix.dirname(file), `${FOLDER}/${name}.${script}`)
    edited.update(found.start, found.end, JSON.stringify(path.startsWith('../') ? path : `./${path}`))
  }
  return edited.toString()
}

/** Returns the module of this package that a specifier refers to, if it contains types of content. */
function typesIn(specifier: string, modules: readonly TypeModule[]): TypeModule | undefined {
  return modules.find((name) => specifier === `unplugin-content-space/${name}`)
}

/** Returns the name of an asset, section, or kit in a specifier. */
function lastPart(specifier: string): string {
  const [path = ''] = specifier.split('?')
  return /[^/:@]+$/.exec(path)?.[0] ?? ''
}

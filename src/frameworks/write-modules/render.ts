import type { RuntimeName } from '../../components/runtimes.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import { commonJsSource } from '../../modules/emit.js'
import { contentLiteral, identifier, literal } from '../../modules/literal.js'
import { importRuntime, ofNext, type References } from '../../modules/references.js'
import { withPick } from '../../request/pick.js'
import type { Request } from '../../request/request.js'
import { withImportSite } from '../../source/import-site.js'
import type { Use } from '../../source/use.js'
import { addressPath, fileKey, revisionOfDescriptor } from '../../commands/shared/file-key.js'
import { checkRuntime, fileReference, type ReferenceKind } from '../../commands/pull/module-kinds.js'
import type { UsedSpecifier } from '../../engine/sync/used-specifiers.js'

interface ReferredFile {
  /** Relative to the folder of the modules. */
  path: string
  file: FileDescriptor
}

export interface RenderedModule {
  text: string
  files: ReferredFile[]
  /** The framework runtimes that it imports from the folder `runtime`. */
  runtimes: RuntimeName[]
}

/**
 * Makes a specifier's module with the exports that the source uses.
 * @throws ContentSpaceError with the location of the first import that causes the error
 */
export async function renderModule(
  used: UsedSpecifier,
  { module, named = false }: { module: ReferenceKind; named?: boolean | undefined },
  engine: Engine,
): Promise<RenderedModule> {
  const { specifier, names, uses } = used
  const files = new Map<string, ReferredFile>()
  const runtimes = new Set<RuntimeName>()
  try {
    const request = narrowed(engine.parse(specifier), names)
    if (names?.length === 0) {
      // A source that imports only types doesn't need any export, but the import must be valid and resolve to a module.
      await sourceOfModule(request, noFiles, engine)
      return { text: module === 'cjs' ? commonJsSource([]) : 'export {}\n', files: [], runtimes: [] }
    }
    const text = await sourceOfModule(request, fileReferences(module, named, engine, files, runtimes), engine)
    return { text, files: [...files.values()], runtimes: [...runtimes] }
  } catch (error) {
    throw withUse(error, specifier, await failingUse(uses, specifier, engine), engine)
  }
}

/** Adds the location of an import and the code around it to an error. */
export function withUse(error: unknown, specifier: string, use: Use | undefined, { options }: Engine): unknown {
  return withImportSite(error, { specifier, importer: use?.file, line: use?.line, root: options.root })
}

function sourceOfModule(request: Request, references: References, { modules, errors }: Engine): Promise<string> {
  return errors.checked(() => modules.source(request, references))
}

function fileReferences(
  module: ReferenceKind,
  named: boolean,
  engine: Engine,
  files: Map<string, ReferredFile>,
  runtimes: Set<RuntimeName>,
): References {
  return {
    layout: 'whole',
    commonJs: module === 'cjs',
    ...(module === 'next' && ofNext),
    address(file) {
      if (named) return { code: literal(`${file.name}.${file.ext}`) }
      const path = addressPath(file)
      files.set(`${file.name} ${fileKey(file)}`, { path, file })
      return fileReference(`./${path}`, module, `file_${revisionOfDescriptor(file)}`)
    },
    value: async (requested) => ({ code: contentLiteral(await engine.files.value(requested)) }),
    runtime(name, exported) {
      checkRuntime(name, module)
      runtimes.add(name)
      const from = `./runtime/${name}.js`
      return module === 'cjs' ? { code: `require(${literal(from)}).${exported}` } : importRuntime(name, exported, from)
    },
  }
}

function narrowed(request: Request, names: string[] | undefined): Request {
  return (names && withPick(request, names)) ?? request
}

/** Finds the use that causes an error. Each use of a kit has its own names, and one of them may be unknown. */
async function failingUse(uses: readonly Use[], specifier: string, engine: Engine): Promise<Use | undefined> {
  for (const use of uses.slice(0, -1)) {
    try {
      await sourceOfModule(narrowed(engine.parse(specifier), use.names), noFiles, engine)
    } catch {
      return use
    }
  }
  return uses.at(-1)
}

const noFiles: References = {
  layout: 'whole',
  address: () => ({ code: '""' }),
  value: async () => ({ code: '""' }),
}

/**
 * Returns a module that throws an error when it runs. It has the exports that the source uses, so that a tool that
 * checks names reports the error instead of a missing name.
 */
export function errorModule({ names = [] }: UsedSpecifier, error: ContentSpaceError, module: ReferenceKind): string {
  const { code, message } = error
  const thrown = `throw Object.assign(new Error(${literal(message)}), ${literal({ name: error.name, code })})\n`
  if (module === 'cjs') return thrown
  const exported = [...new Set(['default', ...names])].map((name) => `missing as ${identifier(name)}`)
  return `const missing = undefined\nexport { ${exported.join(', ')} }\n${thrown}`
}

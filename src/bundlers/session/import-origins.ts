import type { FileDescriptor, ValueDescriptor } from '../../files/plan.js'
import type { Engine } from '../../engine/engine.js'
import type { References } from '../../modules/references.js'

/**
 * The user's files that import modules and content files, for error messages. A content file is fetched after the
 * module that refers to it was loaded. At that time, bundlers no longer report the importing file.
 */
export interface ImportOrigins {
  /**
   * Records the first file that imports a resolved id.
   * @param importer a path, or the resolved id of a module that this plugin made
   */
  add(id: string, importer: string | undefined): void
  /** Returns the first of the user's files that imports a resolved id, if this process has resolved it. */
  ofModule(id: string): string | undefined
  /** Records the first file that contains the id of a content file. */
  addFile(file: FileDescriptor, importer: string): void
  ofFile(file: FileDescriptor): string | undefined
  /** Returns references that also record which content files the module of an id refers to. */
  recordFiles(id: string, references: References): References
}

export function createImportOrigins(): ImportOrigins {
  const origins = new Map<string, string>()

  function add(id: string, importer: string | undefined): void {
    const origin = importer === undefined ? undefined : (origins.get(importer) ?? importer)
    if (origin !== undefined && !origins.has(id)) origins.set(id, origin)
  }

  return {
    add,
    ofModule: (id) => origins.get(id),
    addFile: (file, importer) => add(keyOf(file), importer),
    ofFile: (file) => origins.get(keyOf(file)),
    recordFiles: (id, references) => ({
      ...references,
      address(file) {
        add(keyOf(file), id)
        return references.address(file)
      },
      value(value) {
        add(keyOf(value.file), id)
        return references.value(value)
      },
    }),
  }
}

function keyOf(file: FileDescriptor): string {
  return `file:${file.asset}`
}

/**
 * Runs a step, and adds the importing file to its errors.
 * Errors of this package lose their stack: the mistake is in the import, not in the code that the stack lists.
 */
export async function withOrigin<T>(origin: string | undefined, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const [{ ContentSpaceError, sanitizeError }, { withImportSite }] = await Promise.all([
      import('../../errors.js'),
      import('../../source/import-site.js'),
    ])
    sanitizeError(error)
    const located = withImportSite(error, { importer: origin })
    if (located instanceof ContentSpaceError) located.stack = String(located)
    throw located
  }
}

/** Returns the functions that read content files. */
export function fileAccess(
  origins: ImportOrigins,
  open: () => Promise<Engine>,
  waitFor: <T>(file: FileDescriptor, step: () => Promise<T>) => Promise<T>,
) {
  /** Opens the engine for a descriptor that has been in generated code or in a cache of the bundler. */
  async function openFor(file: FileDescriptor) {
    const [engine, content] = await Promise.all([open(), import('./content.js')])
    content.checkPolicy(file, engine.options.svg)
    return { engine, ...content }
  }

  return {
    file: (file: FileDescriptor): Promise<Uint8Array> =>
      withOrigin(origins.ofFile(file), async () => {
        const { engine, readFile } = await openFor(file)
        return waitFor(file, () => readFile(engine, file))
      }),
    literal: (value: ValueDescriptor): Promise<string> =>
      withOrigin(origins.ofFile(value.file), async () => {
        const [{ engine, readValue }, { contentLiteral }] = await Promise.all([
          openFor(value.file),
          import('../../modules/literal.js'),
        ])
        return contentLiteral(await readValue(engine, value))
      }),
  }
}

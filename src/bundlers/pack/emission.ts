import { MISPLACED, misplacedErrors, NAME } from '../plugin.js'
import { CONTENT_SOURCE, isStub } from '../references/file-stubs.js'
import { showFrame } from '../reports.js'
import type { Session } from '../session/session.js'
import type { Compilation, Compiler } from 'webpack'
import { isLibrary } from './library.js'

/** Returns an option that the configuration sets for all asset modules of the stubs' type. */
export function generatorOption({ module }: Compiler['options'], name: 'filename' | 'emit'): unknown {
  return module.generator['asset/resource']?.[name] ?? module.generator.asset?.[name]
}

/** Returns the functions that emit the files of a compiler. */
export function emissionOf(compiler: Compiler, session: Session) {
  let complete = true
  /** Source files without misplaced ids. A watching compiler reads only files that have changed since then. */
  const checked = new Set<string>()
  compiler.hooks.watchRun.tap(NAME, ({ modifiedFiles = [...checked] }) => {
    for (const file of modifiedFiles) checked.delete(file)
  })
  return {
    /** Called when a compilation starts, except child compilations. */
    clear(this: void): void {
      complete = true
    },
    /**
     * Replaces the descriptors in stubs with bytes. Called for child compilations of other plugins, too, because they
     * have assets.
     */
    async emit(this: void, compilation: Compilation): Promise<void> {
      failOnMissingExports(compilation)
      reportOnce(compilation)
      // The dev server answers requests for the files themselves.
      if (session.host.command === 'serve') removeAssets(compilation, isStub)
      else if (!(await replaceStubs(compiler, compilation, session))) complete = false
      if (!isLibrary(compiler.options)) return
      const { relocateScripts } = await import('./relocate.js')
      await relocateScripts(compiler, compilation)
    },
    /** Checks the final assets. */
    async report(this: void, compilation: Compilation): Promise<void> {
      const emit = session.options.emitFiles ?? generatorOption(compiler.options, 'emit')
      await reportMisplaced(compilation, session, checked)
      if (emit === false) removeAssets(compilation, (source = '') => source.startsWith(CONTENT_SOURCE))
    },
    /**
     * Returns false if files are missing. Development builds emit despite errors, and the output would look complete.
     */
    shouldEmit: (): false | undefined => (complete ? undefined : false),
  }
}

/**
 * Replaces the descriptors in emitted stubs with the bytes of the files. Deletes a stub whose file fails, so that its
 * descriptor isn't served as a picture.
 * @returns whether all files were loaded
 */
async function replaceStubs(compiler: Compiler, compilation: Compilation, session: Session): Promise<boolean> {
  const stubs = compilation.getAssets().filter(({ info }) => isStub(info.sourceFilename))
  if (stubs.length === 0) return true
  const { parseDescriptor } = await import('../references/read-descriptors.js')
  const failures = new Map<string, Error>()
  await Promise.all(
    stubs.map(async ({ name, source }) => {
      try {
        const file = parseDescriptor(source.buffer())
        const bytes = new compiler.webpack.sources.RawSource(Buffer.from(await session.file(file)))
        const sourceFilename = `${CONTENT_SOURCE}${file.name}.${file.ext}`
        compilation.updateAsset(name, bytes, (info) => ({ ...info, sourceFilename }))
      } catch (error) {
        showFrame(error)
        const failure = error instanceof Error ? error : new Error(String(error))
        failures.set(failure.message, failure)
        compilation.deleteAsset(name)
      }
    }),
  )
  compilation.errors.push(...failures.values())
  return failures.size === 0
}

/** Reports an error for each id in the source that remains in the scripts of the output because nothing resolves it. */
async function reportMisplaced(compilation: Compilation, session: Session, checked: Set<string>): Promise<void> {
  const scripts = compilation.getAssets().filter(({ name }) => /\.[cm]?js$/.test(name))
  if (!scripts.some(({ source }) => MISPLACED.test(source.source().toString()))) return
  const files = [...compilation.fileDependencies].filter((file) => !checked.has(file))
  const errors = await misplacedErrors(session, files)
  if (errors.length === 0) for (const file of compilation.compiler.watchMode ? files : []) checked.add(file)
  const isReported = ({ message }: Error): boolean => compilation.errors.some((one) => one.message.includes(message))
  for (const error of errors.map(showFrame))
    if (error instanceof Error && !isReported(error)) compilation.errors.push(error)
}

function removeAssets(compilation: Compilation, isRemoved: (source: string | undefined) => boolean): void {
  for (const { name, info } of compilation.getAssets())
    if (isRemoved(info.sourceFilename)) compilation.deleteAsset(name)
}

/**
 * Turns warnings about missing exports of content modules into errors. webpack can do this only for all modules at
 * once.
 */
function failOnMissingExports(compilation: Compilation): void {
  const missing = compilation.warnings.filter(({ message }) => MISSING_EXPORT.test(message))
  if (missing.length === 0) return
  compilation.warnings = compilation.warnings.filter((warning) => !missing.includes(warning))
  compilation.errors.push(...missing)
}

/** Keeps only the first of several errors that differ only in the importing file. */
function reportOnce(compilation: Compilation): void {
  const causes = new Set<string>()
  const kept = compilation.errors.filter(({ message }) => {
    const cause = CAUSE.exec(message)?.[0]
    const isRepeated = cause !== undefined && causes.has(cause)
    if (cause !== undefined) causes.add(cause)
    return !isRepeated
  })
  if (kept.length < compilation.errors.length) compilation.errors = kept
}

/** Matches the cause of an error, up to the line of the import. */
const CAUSE = /ContentSpaceError: [\s\S]*?(?=\n[\s│]*(?:import|imported by): |$)/

const MISSING_EXPORT = /^export .* was not found in 'content-space:/

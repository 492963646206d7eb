import { safeLines } from '../text/display.js'
import { ContentSpaceError, sanitizeError } from '../errors.js'
import type { FileDescriptor, ValueDescriptor } from '../files/plan.js'
import { createBuildImporter, type BuildImporter } from '../importer.js'
import type { References } from '../modules/references.js'
import type { Options } from '../config/options.js'
import { consoleLog } from '../print.js'
import type { Request } from '../request/request.js'
import { withImportSite } from '../source/import-site.js'
import { checkPolicy } from './descriptors.js'
import type { BundlerHost } from './host.js'
import { summaryLines } from './build-report.js'
import { watchContent, type ContentWatch } from './content-watch.js'

/** What all hooks of one plugin instance share: one importer, opened when the first id asks for it. */
export interface Session {
  readonly options: Options
  readonly host: BundlerHost
  /** What a bundler says of itself. Families call it before the first id is resolved, as often as they learn more. */
  configure(host: Partial<BundlerHost>): void
  /** @param from the file that asks for it, to be named when options are wrong */
  importer(from?: string): Promise<BuildImporter>
  /** Remembers who imports a resolved id of ours; `importer` may itself be one of ours. */
  imported(id: string, importer: string | undefined): void
  /** The user's file that led to a resolved id, as far as this process has seen it resolved. */
  importerOf(id: string): string | undefined
  /**
   * The ES source of a resolved id's module, made once. Errors name the file that imports it, as those of the next two
   * do. Their stacks are cut: they are for people who wrote an import, not this package.
   */
  module(id: string, request: Request, references: References): Promise<string>
  file(file: FileDescriptor): Promise<Uint8Array>
  value(value: ValueDescriptor): Promise<string>
  /**
   * A file for the bundler to watch, while it runs on: it changes when modules would. Undefined in a build that ends.
   */
  watched(): Promise<string | undefined>
  /** Says, once, that this build runs in Node and has no address of its own to stand files at. */
  warnOfFileAddresses(): void
  /**
   * While a bundler runs on: what is imported may have changed, so the lock and the declarations are looked at soon,
   * also when no build ends, or ends with errors that only the declarations explain to an editor.
   */
  sourceChanged(): void
  /** After a build has written its files: writes the lock and reports, once for what several outputs share. */
  finish(this: void): Promise<void>
  /** Ends the importer. A later build of the same instance opens another. */
  close(): Promise<void>
}

/** @param options as the user gave them: they are resolved when the importer opens, with the host's root and mode. */
export function openSession(options: Options): Session {
  let log: BundlerHost['log'] = consoleLog
  const host: BundlerHost = {
    root: process.cwd(),
    mode: process.env['NODE_ENV'] ?? 'production',
    command: 'build',
    // The one way to the bundler's log, whatever the bundler does with a text.
    log: { info: (message) => log.info(safeLines(message)), warn: (message) => log.warn(safeLines(message)) },
  }
  const importers = new Map<string, string>()
  const modules = new Map<string, Promise<string>>()
  let opened: Promise<BuildImporter> | undefined
  let reported = ''
  const told = new Set<string>()
  let settling: NodeJS.Timeout | undefined
  /** Bundlers close while their last hook is still at work. */
  let writing: Promise<unknown> = Promise.resolve()
  let warned = false
  let watch: ContentWatch | undefined

  const importing = (file: FileDescriptor) => () => importers.get(fileKey(file))

  /** The importer, for a file whose descriptor has been through code or a cache of the bundler. */
  async function permitted(file: FileDescriptor): Promise<BuildImporter> {
    const importer = await session.importer()
    checkPolicy(file, importer.options.svg)
    return importer
  }

  /** A dev server has no end at which to write what it has learned: it does when nothing has happened for a while. */
  function settle(): void {
    clearTimeout(settling)
    if (host.command === 'build') return
    settling = setTimeout(() => {
      // What is wrong with options or imports is said where a module is asked for.
      session
        .importer()
        .then(write)
        .catch(() => {})
    }, 500).unref()
  }

  /** Writes once at a time. @returns what is to be said of the build, if one has ended */
  async function write(importer: BuildImporter): Promise<string[]> {
    const summary = writing.then(() => importer.finish())
    writing = summary.catch(() => {})
    const { warnings, lines } = summaryLines(await summary)
    for (const warning of warnings) if (!told.has(warning)) host.log.warn(warning)
    for (const warning of warnings) told.add(warning)
    return lines
  }

  const session: Session = {
    options,
    host,
    configure({ log: own = log, ...known }) {
      log = own
      Object.assign(host, known)
    },
    importer: (from) =>
      naming(
        () => from,
        () => (opened ??= createBuildImporter(options, host)),
      ),
    imported(id, importer) {
      const file = importer === undefined ? undefined : (importers.get(importer) ?? importer)
      if (file !== undefined && !importers.has(id)) importers.set(id, file)
    },
    importerOf: (id) => importers.get(id),
    module(id, request, references) {
      const made = modules.get(id)
      if (made) return made
      const tracing = tracedReferences(references, (file) => session.imported(fileKey(file), id))
      const importer = importers.get(id)
      const making = naming(
        () => importer,
        async () => (await session.importer()).module(request, tracing, importer),
      )
      modules.set(id, making)
      making.then(settle, () => modules.delete(id))
      return making
    },
    file: (file) => naming(importing(file), async () => (await permitted(file)).file(file)),
    value: (value) => naming(importing(value.file), async () => (await permitted(value.file)).value(value)),
    async watched() {
      if (host.command === 'build') return undefined
      const importer = await session.importer()
      watch ??= watchContent(importer, host.log, () => modules.clear())
      return watch.file
    },
    warnOfFileAddresses() {
      if (!warned)
        host.log.warn(
          'content-space: addresses of assets are file: addresses in this build, which no browser loads. Set publicPath.',
        )
      warned = true
    },
    sourceChanged: settle,
    async finish() {
      if (opened === undefined) return
      const lines = await write(await opened)
      if (host.command === 'serve' || lines.join() === reported) return
      reported = lines.join()
      for (const line of lines) host.log.info(line)
    },
    async close() {
      const closing = opened
      opened = undefined
      reported = ''
      modules.clear()
      const watching = watch
      watch = undefined
      clearTimeout(settling)
      await Promise.all([watching?.stop(), writing])
      // One that did not open has said so to whoever asked for it.
      const importer = await closing?.catch(() => undefined)
      await importer?.close()
    },
  }
  return session
}

function fileKey(file: FileDescriptor): string {
  return `file:${file.asset}`
}

/** Adds the importing file to an error of this package. */
async function naming<T>(importer: () => string | undefined, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    sanitizeError(error)
    const located = withImportSite(error, { importer: importer() })
    if (located instanceof ContentSpaceError) located.stack = String(located)
    throw located
  }
}

/** Files are fetched long after the module that shows them was loaded: this is where the two are still together. */
function tracedReferences(references: References, seen: (file: FileDescriptor) => void): References {
  return {
    layout: references.layout,
    address(file) {
      seen(file)
      return references.address(file)
    },
    value(value) {
      seen(value.file)
      return references.value(value)
    },
  }
}

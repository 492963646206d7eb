import { ContentSpaceError } from '../errors.js'
import type { FileDescriptor, ValueDescriptor } from '../files/plan.js'
import { createImporter, type Host, type Importer } from '../importer.js'
import type { References } from '../modules/references.js'
import type { Options } from '../options.js'
import type { Request } from '../request.js'
import { summaryLines } from './report.js'

/** The bundler, as the plugin needs it. */
export interface BundlerHost extends Host {
  /** One build, builds as files change, or a dev server. */
  command: 'build' | 'watch' | 'serve'
  log: { info(message: string): void; warn(message: string): void }
}

/** What all hooks of one plugin instance share: one importer, opened when the first id asks for it. */
export interface Session {
  readonly options: Options
  readonly host: BundlerHost
  /** What a bundler says of itself. Families call it before the first id is resolved, as often as they learn more. */
  configure(host: Partial<BundlerHost>): void
  importer(): Promise<Importer>
  /** Remembers who imports a resolved id of ours; `importer` may itself be one of ours. */
  imported(id: string, importer: string | undefined): void
  /** The user's file that led to a resolved id, as far as this process has seen it resolved. */
  importerOf(id: string): string | undefined
  /**
   * The ES source of a resolved id's module, made once. Errors name the file that imports it, as those of the next two do.
   * Their stacks are cut: they are for people who wrote an import, not this package.
   */
  module(id: string, request: Request, references: References): Promise<string>
  file(file: FileDescriptor): Promise<Uint8Array>
  value(value: ValueDescriptor): Promise<string>
  /** Says, once, that this build runs in Node and has no address of its own to stand files at. */
  warnOfFileAddresses(): void
  /** After a build has written its files: writes the lock and reports, once for what several outputs share. */
  finish(): Promise<void>
  /** Ends the importer. A later build of the same instance opens another. */
  close(): Promise<void>
}

/** @param options as the user gave them: they are resolved when the importer opens, with the host's root and mode. */
export function openSession(options: Options): Session {
  const host: BundlerHost = {
    root: process.cwd(),
    mode: process.env['NODE_ENV'] ?? 'production',
    command: 'build',
    log: { info: (message) => console.info(message), warn: (message) => console.warn(message) },
  }
  const importers = new Map<string, string>()
  const modules = new Map<string, Promise<string>>()
  let opened: Promise<Importer> | undefined
  let reported = ''
  let warned = false

  async function naming<T>(id: string, step: (importer: Importer) => Promise<T>): Promise<T> {
    try {
      return await step(await session.importer())
    } catch (error) {
      if (!(error instanceof ContentSpaceError)) throw error
      const importer = session.importerOf(id)
      const named = importer === undefined ? error : error.with({ importer })
      named.stack = String(named)
      throw named
    }
  }

  const session: Session = {
    options,
    host,
    configure: (known) => void Object.assign(host, known),
    importer: () => (opened ??= createImporter(options, host)),
    imported(id, importer) {
      const file = importer === undefined ? undefined : (importers.get(importer) ?? importer)
      if (file !== undefined && !importers.has(id)) importers.set(id, file)
    },
    importerOf: (id) => importers.get(id),
    module(id, request, references) {
      const made = modules.get(id)
      if (made) return made
      const tracing = tracedReferences(references, (file) => session.imported(fileKey(file), id))
      const making = naming(id, (importer) => importer.module(request, tracing, session.importerOf(id)))
      modules.set(id, making)
      making.catch(() => modules.delete(id))
      return making
    },
    file: (file) => naming(fileKey(file), (importer) => importer.file(file)),
    value: (value) => naming(fileKey(value.file), (importer) => importer.value(value)),
    warnOfFileAddresses() {
      if (!warned) host.log.warn('content-space: addresses of assets are file: addresses in this build, which no browser loads. Set publicPath.')
      warned = true
    },
    async finish() {
      if (opened === undefined) return
      const { warnings, lines } = summaryLines(await (await opened).finish())
      if (lines.join('\n') === reported) return
      reported = lines.join('\n')
      for (const warning of warnings) host.log.warn(warning)
      for (const line of lines) host.log.info(line)
    },
    async close() {
      const closing = opened
      opened = undefined
      reported = ''
      modules.clear()
      await (await closing)?.close()
    },
  }
  return session
}

function fileKey(file: FileDescriptor): string {
  return `file:${file.asset}`
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

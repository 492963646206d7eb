import type { Options } from '../../config/options.js'
import type { FileDescriptor, ValueDescriptor } from '../../files/plan.js'
import type { BuildImporter } from '../../importer.js'
import type { References } from '../../modules/references.js'
import type { Request } from '../../request/request.js'
import { createProjectWriter } from './project-writer.js'
import type { ContentWatch } from './content-watch.js'
import { createHost, type BundlerHost, type ConfigurableHost } from './host.js'
import { createImportOrigins, withOrigin, type ImportOrigins } from './import-origins.js'
import { createModuleCache } from './module-cache.js'

/**
 * The state that all hooks of one plugin instance share. The importer, and with it most of the package, is loaded when
 * the first id needs it.
 */
export interface Session extends ConfigurableHost {
  /** The options as the user wrote them. They are resolved with the host's root and mode when the importer opens. */
  readonly options: Options
  /** The importing files of modules and content files, for error messages. */
  readonly origins: ImportOrigins
  /**
   * Returns the importer, which is opened once.
   * @param from the importing file. Errors about options contain it.
   */
  importer(from?: string): Promise<BuildImporter>
  /**
   * Writes the files of option `tokens`. Called before a bundler reads the first file, because they may be a part of
   * the build. A server keeps the files of an earlier run if that fails.
   */
  start(this: void): Promise<void>
  /** Returns the source of the module of a resolved id, which is made once. Errors name the importing file. */
  module(id: string, request: Request, references: References): Promise<string>
  /** Returns the bytes of a content file. Errors name the importing file. */
  file(file: FileDescriptor): Promise<Uint8Array>
  /** Returns the JavaScript literal of a value made of bytes. Errors name the importing file. */
  literal(value: ValueDescriptor): Promise<string>
  /** Returns a file that changes when modules change, for a bundler to watch; undefined if it watches no files. */
  watchedFile(): Promise<string | undefined>
  /** Called when content has changed, and when files of the source have changed. */
  readonly followers: Set<(what: 'content' | 'source') => void>
  /** Warns once that addresses are `file:` URLs, in a build for Node without a public path. */
  warnOfFileUrls(): void
  /**
   * Updates the lockfile and the declarations soon, because the imports may have changed. Does nothing in a single
   * build.
   */
  sourceChanged(): void
  /** Writes the lockfile and the declarations, and logs the summary. Called when a build has written its files. */
  finish(this: void): Promise<void>
  /** Closes the importer. A later build with the same plugin instance opens another one. */
  close(): Promise<void>
}

/** @param fixed facts that a framework knows better than its bundler */
export function openSession(options: Options, fixed: Partial<BundlerHost> = {}): Session {
  const { host, configure } = createHost(fixed)
  const origins = createImportOrigins()
  const modules = createModuleCache()
  const writer = createProjectWriter(host, () => openImporter())
  const followers: Session['followers'] = new Set()
  const tell = (what: 'content' | 'source'): void => followers.forEach((follower) => follower(what))
  let importer: Promise<BuildImporter> | undefined
  let watch: ContentWatch | undefined
  let starting: Promise<void> | undefined
  let warnedOfFileUrls = false

  function openImporter(from?: string): Promise<BuildImporter> {
    importer ??= import('../../importer.js').then(({ createBuildImporter }) => createBuildImporter(options, host))
    const opening = importer
    return withOrigin(from, () => opening)
  }

  async function watchedFile(): Promise<string | undefined> {
    if (host.command === 'build' || !host.watches) return undefined
    const [opened, { watchContent }] = await Promise.all([openImporter(), import('./content-watch.js')])
    watch ??= watchContent(opened, host.log, () => {
      modules.clear()
      writer.writeSoon()
      tell('content')
    })
    return watch.file
  }

  async function start(): Promise<void> {
    const { mayHaveTokenFiles } = await import('../../config/has-token-files.js')
    if (!(await mayHaveTokenFiles(options, host))) return
    const opened = await openImporter()
    if (opened.options.tokens.length === 0) return
    if (host.command === 'build') return opened.prepare()
    await opened.prepare().catch((error: unknown) => host.log.warn(messageOf(error)))
    await watchedFile()
  }

  return {
    options,
    host,
    configure,
    origins,
    importer: openImporter,
    module: (id, request, references) =>
      modules.get(id, async () => {
        const origin = origins.ofModule(id)
        const source = await withOrigin(origin, async () => {
          const opened = await openImporter()
          return opened.module(request, origins.recordFiles(id, references), origin)
        })
        writer.writeSoon()
        return source
      }),
    start: () => (starting ??= start()),
    ...fileAccess(origins, openImporter),
    watchedFile,
    followers,
    warnOfFileUrls() {
      if (!warnedOfFileUrls) host.log.warn(FILE_URLS)
      warnedOfFileUrls = true
    },
    sourceChanged() {
      writer.writeSoon()
      tell('source')
    },
    async finish() {
      if (importer !== undefined) await writer.finish(await importer)
    },
    async close() {
      // If the importer could not be opened, a hook has reported the error.
      const closing = importer?.catch(() => undefined)
      const stopping = watch?.stop()
      importer = undefined
      starting = undefined
      watch = undefined
      modules.clear()
      await Promise.all([stopping, writer.close()])
      const opened = await closing
      await opened?.close()
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const FILE_URLS =
  'content-space: This build runs in Node and refers to assets by file: URLs, which browsers do not load. ' +
  'If it renders pages, set option publicPath to the address of the assets.'

/** Returns the functions that read content files. */
function fileAccess(origins: ImportOrigins, open: () => Promise<BuildImporter>): Pick<Session, 'file' | 'literal'> {
  /** Opens the importer for a descriptor that has been in generated code or in a cache of the bundler. */
  async function openFor(file: FileDescriptor): Promise<BuildImporter> {
    const [importer, { checkPolicy }] = await Promise.all([open(), import('../references/read-descriptors.js')])
    checkPolicy(file, importer.options.svg)
    return importer
  }

  return {
    file: (file) =>
      withOrigin(origins.ofFile(file), async () => {
        const importer = await openFor(file)
        return importer.file(file)
      }),
    literal: (value) =>
      withOrigin(origins.ofFile(value.file), async () => {
        const [importer, { contentLiteral }] = await Promise.all([
          openFor(value.file),
          import('../../modules/literal.js'),
        ])
        return contentLiteral(await importer.value(value))
      }),
  }
}

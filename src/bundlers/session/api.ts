import type { Options } from '../../config/options.js'
import type { AppIconsPlan } from '../../files/app-icons.js'
import type { AssetPlan, FileDescriptor, ValueDescriptor } from '../../files/plan.js'
import type { Engine } from '../../engine/engine.js'
import type { References } from '../../modules/references.js'
import type { Request } from '../../request/request.js'
import type { ImportSite } from '../../source/import-site.js'
import type { Reports } from '../reports.js'
import type { createHost } from './host.js'
import type { TextChanges } from './live-texts.js'

/**
 * The state that all hooks of one plugin instance share. Loads the engine, and with it most of the package, when the
 * first id needs it.
 */
export interface Session extends ReturnType<typeof createHost> {
  /** The options as the user wrote them. They are resolved with the host's root and mode when the engine opens. */
  readonly options: Options
  /** The imports of modules and content files, for error messages. */
  readonly origins: ImportOrigins
  /** The errors of the build that is running. */
  readonly reports: Reports
  /** Returns the engine, which is opened only once. If opening it fails, a later build or page tries again. */
  engine(): Promise<Engine>
  /**
   * Writes the files of the option `tokens`. Called before a bundler reads the first file, because the build may use
   * them. If writing fails, a dev server keeps the files of an earlier run.
   */
  start(this: void): Promise<void>
  /** Starts a new summary. Called when a build is repeated, and in watch mode at the start of each build. */
  begin(this: void): void
  /**
   * Parses a specifier. Errors name the importing file.
   * @param from the importing file
   */
  parse(specifier: string, from: string | undefined): Promise<Request>
  /**
   * Returns the source of the module of a resolved id, which is generated only once. Errors name the importing file.
   */
  module(id: string, request: Request, references: References): Promise<string>
  /** Generates the module of a narrowed import and discards it, so that a missing name is an error. */
  checkNames(site: { specifier: string; importer: string }, request: Request, references: References): Promise<void>
  /**
   * Returns the files of an id that is used as a URL; undefined if the id isn't an asset.
   * @param file the file that contains the id
   */
  plan(id: string, file: string): Promise<AssetPlan | undefined>
  /**
   * Returns the icons of an application; undefined if the id is of another kind.
   * @param file the file that contains the id
   */
  icons(id: string, file: string): Promise<AppIconsPlan | undefined>
  /** Discards all results of reading a user's file, because the file is about to be read again. */
  release(file: string): void
  /** Returns the bytes of a content file. Errors name the importing file. */
  file(file: FileDescriptor): Promise<Uint8Array>
  /**
   * Returns the data URI of a file if the bundler would inline it in scripts and style sheets like other small files;
   * undefined for any other file.
   */
  small(file: FileDescriptor, isSmall: (bytes: Uint8Array) => boolean): Promise<string | undefined>
  /** Returns the JavaScript literal of a value that is made from a file's bytes. Errors name the importing file. */
  literal(value: ValueDescriptor): Promise<string>
  /**
   * Returns a file that changes when content changes, for a bundler to watch. Returns undefined if the bundler doesn't
   * watch files or a listener notifies it of changes.
   * @param request by default, all content
   */
  watchedFile(request?: Request): Promise<string | undefined>
  /**
   * Calls a listener when content or options have changed.
   * @returns a function that removes the listener
   */
  onChange(listener: (changes: TextChanges) => void): () => void
  /** Subscribers that only display content, such as the kit browser. */
  readonly followers: Set<Follower>
  /** Returns whether any listener is registered. */
  isFollowed(): boolean
  check(): Promise<void>
  /**
   * Checks for new content more often, because the developer is active, and immediately if the last check was long ago.
   */
  wake(this: void): void
  /** Warns once that URLs of files are `file:` URLs in a build for Node without a public path. */
  warnOfFileUrls(): void
  /**
   * Updates the lockfile and the declarations soon, because the imports may have changed. Does nothing in a single
   * build.
   * @param file the file that may have changed: a path, or the id of a module; by default, any file
   */
  sourceChanged(file?: string): void
  /** Writes the lockfile and the declarations and logs the summary. Called when a build has written its files. */
  finish(this: void): Promise<void>
  /** Closes the engine. A later build with the same plugin instance opens another one. */
  close(): Promise<void>
}

interface Follower {
  /** Called when content, options, or source files have changed. */
  notify(what: 'content' | 'source'): void
  /** Returns whether a page with content is open. */
  isShown(): boolean
}

/**
 * The imports of modules and content files in the user's files, for error messages. We have to record them, because a
 * content file is fetched after the module that refers to it is loaded, when bundlers no longer report the importing
 * file.
 */
export interface ImportOrigins {
  /**
   * Records the first file that imports a resolved id.
   * @param importer a path, or the resolved id of a generated module, in which case that module's import is recorded
   * @param specifier as written in that file
   */
  add(id: string, importer: string | undefined, specifier: string | undefined): void
  /** Returns the first import of a resolved id in the user's files, if this process has resolved it. */
  ofModule(id: string): ImportSite | undefined
  /** Records the first file that contains the id of a content file. */
  addFile(file: FileDescriptor, importer: string, specifier: string): void
  /** @param as the form of a value that is made from the file */
  ofFile(file: FileDescriptor, as?: ValueDescriptor['as']): ImportSite | undefined
  /** Returns references that also record to which content files the module of an id refers. */
  recordFiles(id: string, references: References): References
}

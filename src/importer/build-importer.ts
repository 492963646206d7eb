import type { KnownKit } from '../asset.js'
import type { ContentCheck } from '../catalog/changes.js'
import type { KitBrowser } from '../commands/browse/browser.js'
import type { BrowserOrder } from '../commands/browse/context.js'
import type { SiteOrder, SiteReport } from '../commands/browse/site.js'
import type { RemoteCacheContext } from '../commands/cache/remote.js'
import type { ModulesOrder, WrittenModules } from '../commands/write-modules/write-modules.js'
import type { ResolvedOptions } from '../config/options.js'
import type { Derived } from '../disk/derived.js'
import type { AssetPlan, FileDescriptor, ValueDescriptor } from '../files/plan.js'
import type { References } from '../modules/references.js'
import type { Summary } from '../progress.js'
import type { Request } from '../request/request.js'
import type { Importer } from './api.js'

/**
 * An importer as the bundler plugins and the command line use it. Not part of the public API. One importer serves a
 * whole build, with all its environments and outputs.
 */
export interface BuildImporter extends Importer {
  readonly options: ResolvedOptions
  /** The space in messages: an origin or a folder. */
  readonly label: string
  /** What earlier runs have derived. */
  readonly derived: Derived
  /**
   * Does what `kit` does, without sorting the keys of data in records, such as `raw`: that takes most of the time for a
   * large kit.
   */
  unsortedKit(id: string): Promise<KnownKit>
  /** Does what `refresh` does, and returns what has changed. What cannot be loaded stays as it was. */
  check(): Promise<ContentCheck>
  /**
   * Parses a specifier of the source, or an id that `requestToId` made (generated and narrowed imports).
   * @param importer the importing file, for errors
   * @throws ContentSpaceError `invalidId` or `invalidQuery`, with the importing file and the nearest valid values
   */
  parse(specifier: string, importer?: string): Request
  /**
   * Returns the ES source of the module of a request. Loads the kit on first use, and no files, except for values that
   * `references` writes as literals.
   * @param importer the importing file, for errors
   */
  module(request: Request, references: References, importer?: string): Promise<string>
  /**
   * Returns the text of a declaration file for a specifier: a module that needs only `unplugin-content-space/asset`.
   * Throws what `parse` and `module` throw.
   * @param names the exports to declare; undefined: all
   */
  declaration(specifier: string, names: readonly string[] | undefined): Promise<string>
  /**
   * Returns the files of the address of an asset, for places that take addresses instead of modules. Undefined for
   * other kinds of ids.
   * @param importer the file that contains the id, for errors
   */
  plan(specifier: string, importer?: string): Promise<AssetPlan | undefined>
  /** Returns the verified bytes of a file: downloaded, cut and converted once, or from the cache. */
  file(file: FileDescriptor): Promise<Uint8Array>
  /** Returns a text that is made from the bytes of a file. */
  value(value: ValueDescriptor): Promise<string>
  /**
   * Writes the modules of the source, and the files that they refer to, for tools that have no virtual modules. Throws
   * what `module` and `file` throw, except that errors of single imports are returned.
   */
  writeModules(order: ModulesOrder): Promise<WrittenModules>
  /** Opens the kit browser, which answers the requests of its page, until it or the importer is closed. */
  browser(order: BrowserOrder): Promise<KitBrowser>
  /** Writes the kit browser as a static site. */
  site(order: SiteOrder): Promise<SiteReport>
  /**
   * Pushes to the remote cache, pulls from it, or lists it.
   * @throws ContentSpaceError `invalidOption` without option `remote`; `unreachable`
   */
  remoteCache<T>(
    run: (commands: typeof import('../commands/cache/remote.js'), context: RemoteCacheContext) => Promise<T>,
  ): Promise<T>
  /**
   * Writes the files of option `tokens`, before a build reads them.
   * @throws ContentSpaceError `frozen` if one is out of date; what loading kits throws
   */
  prepare(): Promise<void>
  /** Writes the lockfile and the declarations, and returns what the build used. Called once per finished build. */
  finish(): Promise<Summary>
}

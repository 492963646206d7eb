import type { UnpluginBuildContext, UnpluginOptions } from 'unplugin'
import type { References } from '../modules/references.js'

export type WatchContext = Pick<UnpluginBuildContext, 'addWatchFile'>

/** What hooks do with ids. Errors name the import. */
export interface Imports {
  /**
   * Returns the resolved id of a specifier.
   * @param from the path of the importing file, or the id of the importing module of this plugin
   */
  resolve(context: WatchContext, specifier: string, from: string | undefined): Promise<string>
  /** Returns the source of the module of a resolved id. */
  load(context: WatchContext, id: string): Promise<string>
}

/** What a bundler, or a family of bundlers, adds to the common hooks. */
export interface Adapter {
  /** The prefix of resolved ids: `\0` in Rollup and its relatives, where other plugins ignore ids with it. */
  prefix: '' | '\0'
  /** Returns how the module of an id refers to files and values. Called when the bundler's configuration is known. */
  references: (id: string) => References
  /** Whether the bundler shows the property `frame` of errors. Else it becomes a part of the message. */
  readsFrames?: boolean
  /** Whether imports that fail for a reported reason can be left out of a build that fails. */
  leavesOut?: () => boolean
  /** Whether a hook returns errors. Files that it watches would be lost if it threw them. */
  collectsErrors?: boolean
  /** Called before each module of an id is loaded. */
  beforeLoad?: () => void
  /** Returns hooks that take the place of the common ones, in a bundler that would pass every import to those. */
  ownHooks?: (imports: Imports) => Partial<UnpluginOptions>
  /**
   * In a bundler that would pass every script to the plugin, imports are narrowed when they are resolved. Returns
   * whether the imports of an importing file are those of its text on disk. The adapter itself refuses ids that are put
   * together at run time.
   */
  readsImporter?: (importer: string) => boolean
  /** The bundler's own hooks and settings. Those under the bundler's key are merged with the common ones. */
  options: Partial<UnpluginOptions>
  /** Hooks that must run after the bundler's own. */
  lateOptions?: Partial<UnpluginOptions>
  /** Returns the path of an importing file, in a bundler that passes something else. */
  importerPath?: (importer: string) => string
}

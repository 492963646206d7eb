import type { UnpluginBuildContext, UnpluginOptions } from 'unplugin'
import type { References } from '../modules/references.js'

/** What a bundler, or a family of bundlers, adds to the common hooks. */
export interface Adapter {
  /** The prefix of resolved ids: `\0` in Rollup and its relatives, where other plugins ignore ids with it. */
  prefix: '' | '\0'
  /** Returns how the module of an id refers to files and values. Called when the bundler's configuration is known. */
  references: (id: string) => References
  /** How specifiers reach the resolver, in a bundler that does not pass them unchanged. */
  specifier?: { filter: RegExp; read: (text: string) => string }
  /** Whether the bundler shows the property `frame` of errors. Else it becomes a part of the message. */
  readsFrames?: boolean
  /** Whether imports that fail for a reported reason can be left out of a build that fails. */
  leavesOut?: () => boolean
  /** Whether an import that could not be resolved is not resolved again when a watched file changes. */
  forgetsImports?: boolean
  /** Whether a hook returns errors. Files that it watches would be lost if it threw them. */
  collectsErrors?: boolean
  /** Called for each resolved id before its module is loaded. */
  beforeLoad?: (context: UnpluginBuildContext, id: string) => void
  /**
   * Whether a file may contain ids, in a bundler that cannot filter by text and reads files for the plugin. It sees the
   * file as it is on disk.
   */
  mayName?: (file: string) => boolean
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

import * as v from 'valibot'
import { abortSignal, callback, checkEach, flag, text, type Checks } from '../../config/validate.js'
import type { FolderChanges } from '../../disk/write-folder.js'
import { ContentSpaceError } from '../../errors.js'
import type { Selection } from '../../kit/select.js'
import type { ProgressEvent } from '../../progress.js'
import { moduleKinds, type ModuleKind } from './module-kinds.js'

/** The changes to a folder. Paths are relative to the folder and sorted. */
export interface FolderReport extends FolderChanges {
  /** The number of asset files, without modules. */
  files: number
  /** The number of asset files that were up to date. */
  reused: number
}

/** Selects what to pull, and how. */
export interface PullOptions extends Selection {
  /** Kits as in `content-space:kit/<kit>`: an alias, uuid or slug, optionally with `@<version>`. */
  kits: string | readonly string[]
  /**
   * The folder to write, relative to the root of the project. If there are several kits, each gets a folder inside it,
   * named after its slug.
   */
  out: string
  /** The file cut to download from the service: `png`. The same as `cut=png` in the query. */
  cut?: string | undefined
  /** The query for each asset, in the form that follows `?` in an id: `w=640;1280&format=webp`. */
  query?: string | undefined
  /**
   * How modules refer to files. `iconify` instead writes one icon set (IconifyJSON) with the SVGs of each kit: to `out`
   * if it ends with `.json`, otherwise to `<prefix>.json` in this folder.
   * @default `import`, `react-native` or `url`, depending on `angular.json`, `metro.config.*` and `package.json`
   */
  module?: ModuleKind | 'iconify' | undefined
  /**
   * The prefix of the icons with `module: 'iconify'`, as in `<prefix>:sun`.
   * @default the slug of the kit
   */
  prefix?: string | undefined
  /**
   * Creates a folder for each heading, inside the folder of its section.
   * @default false
   */
  headingFolders?: boolean | undefined
  /**
   * Pulls only assets that the source of the project imports.
   * @default false
   */
  onlyUsed?: boolean | undefined
  /**
   * Removes files of earlier runs that are no longer part of the kit.
   * @default true
   */
  prune?: boolean | undefined
  /**
   * Reports what would change, without changing anything.
   * @default false
   */
  dryRun?: boolean | undefined
  /** Stops the run. The cache keeps downloaded files. */
  signal?: AbortSignal | undefined
  /** Called for each step, in addition to option `onProgress`. */
  onProgress?: ((event: ProgressEvent) => void) | undefined
}

const names = [v.array(text), 'a list of names'] as const

const checks = {
  kits: [v.union([v.string(), v.pipe(v.array(v.string()), v.nonEmpty())]), 'a kit or a list of kits'],
  out: [text, 'the path of a folder'],
  cut: [v.string(), 'a file type'],
  query: [v.string(), 'a query'],
  module: [v.picklist([...moduleKinds, 'iconify']), "'url', 'import', 'cjs', 'react-native' or 'iconify'"],
  prefix: [text, 'a prefix of icons'],
  headingFolders: flag,
  onlyUsed: flag,
  prune: flag,
  dryRun: flag,
  signal: abortSignal,
  onProgress: callback,
  sections: names,
  headings: names,
  assets: names,
  keywords: [v.array(text), 'a list of keywords'],
  exclude: names,
} as const satisfies Checks<keyof PullOptions>

/**
 * Checks the options at run time, because callers may not use types.
 * @throws ContentSpaceError `invalidOption`
 */
export function checkPull(options: PullOptions): void {
  checkEach(options, checks, 'pull', ['kits', 'out'])
  const { module } = options
  const wrong = module === 'iconify' ? (['cut', 'query', 'headingFolders'] as const) : (['prefix'] as const)
  const given = wrong.find((name) => options[name] !== undefined && options[name] !== false)
  if (given === undefined) return
  const problem = module === 'iconify' ? 'cannot be used with' : 'can only be used with'
  throw new ContentSpaceError('invalidOption', `Option ${given} in pull ${problem} module 'iconify'.`)
}

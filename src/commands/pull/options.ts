import * as v from 'valibot'
import { checkEach, flag, text, type Checks } from '../../config/validate.js'
import type { ProgressEvent } from '../../progress.js'
import type { Selection } from './select.js'
import { moduleKinds, type ModuleKind } from './render.js'

/** What to pull, and how. */
export interface PullOptions extends Selection {
  /** Aliases, uuids or slugs, and `@<version>`, as behind `content-space:kit/`. */
  kits: string | readonly string[]
  /**
   * The folder, relative to the root of the project. Several kits get a folder each inside it, called by their slugs.
   */
  out: string
  /** The service's file cut to take: `png`. The same as `cut=png` in the query. */
  cut?: string | undefined
  /** What is made of each asset, as behind the `?` of an id: `w=640;1280&format=webp`. */
  query?: string | undefined
  /** How modules refer to files. Default: `url`. */
  module?: ModuleKind | undefined
  /** A folder for each heading, inside that of its section. Default: false. */
  headingFolders?: boolean | undefined
  /** Only assets that the source of the project imports. Default: false. */
  onlyUsed?: boolean | undefined
  /** Whether files of earlier runs that the kit no longer has are removed. Default: true. */
  prune?: boolean | undefined
  /** Tells what would be done, and does none of it. Default: false. */
  dryRun?: boolean | undefined
  /** Ends the run. What was downloaded until then is in the cache. */
  signal?: AbortSignal | undefined
  /** Told of each step, beside option `onProgress`. */
  onProgress?: ((event: ProgressEvent) => void) | undefined
}

const names = [v.array(text), 'a list of names'] as const

const checks = {
  kits: [v.union([v.string(), v.pipe(v.array(v.string()), v.nonEmpty())]), 'a kit or a list of kits'],
  out: [text, 'the path of a folder'],
  cut: [v.string(), 'a type of file'],
  query: [v.string(), 'a query'],
  module: [v.picklist(moduleKinds), "'url', 'import' or 'cjs'"],
  headingFolders: [flag, 'true or false'],
  onlyUsed: [flag, 'true or false'],
  prune: [flag, 'true or false'],
  dryRun: [flag, 'true or false'],
  signal: [v.instance(AbortSignal), 'an AbortSignal'],
  onProgress: [v.function(), 'a function'],
  sections: names,
  headings: names,
  assets: names,
  keywords: [v.array(text), 'a list of keywords'],
} as const satisfies Checks<keyof PullOptions>

/**
 * Checks what to pull, where types may have been ignored.
 * @throws ContentSpaceError `invalidOption`
 */
export function checkPull(options: unknown): void {
  checkEach(options, checks, 'pull', ['kits', 'out'])
}

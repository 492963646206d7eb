import { eachLimit } from '../../async/each-limit.js'
import type { ResolvedOptions } from '../../config/options.js'
import type { ContentSpaceError } from '../../errors.js'
import type { Files } from '../../files/files.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { ProgressEvent } from '../../progress.js'
import { offlineError } from '../../space/offline.js'
import { compareStrings } from '../../text/compare.js'
import { reportPlan } from '../file-progress.js'
import type { PullOptions } from './options.js'
import type { FolderContents, WriteContext } from './write-folder.js'

/** The parts of an importer that write files. */
interface WritingParts {
  options: ResolvedOptions
  files: Pick<Files, 'has' | 'use' | 'value'>
}

/**
 * Returns how the folder of a kit is written.
 * @throws ContentSpaceError `offline` when it is used, with all files that are missing
 */
export function writeContext(
  { named: { kit } }: Pick<FolderContents, 'named'>,
  { prune = true, dryRun = false, onProgress = () => {} }: PullOptions,
  signal: AbortSignal,
  { files, options }: WritingParts,
): WriteContext {
  const { concurrency } = options
  const report = (event: ProgressEvent): void => {
    options.onProgress(event)
    onProgress(event)
  }
  return {
    files,
    concurrency,
    prune,
    dryRun,
    signal,
    async reportPlan(todo, reused) {
      // Files made from one original or cut share its download.
      const sources = new Map(todo.map((file) => [sourceKey(file), file]))
      const missing: FileDescriptor[] = []
      await eachLimit([...sources.values()], concurrency, signal, async (file) => {
        if (!(await files.has(file))) missing.push(file)
      })
      if (options.offline && missing.length > 0) throw missingError(missing)
      return reportPlan({ kit, files: todo, downloads: missing.length, reused }, report)
    },
  }
}

function sourceKey({ asset, hash, updated, cut }: FileDescriptor): string {
  return JSON.stringify([asset, hash, updated, cut])
}

function missingError(files: readonly FileDescriptor[]): ContentSpaceError {
  const lines = files.map(({ label, cut }) => `${label}${cut === undefined ? '' : ` as ${cut}`}`)
  return offlineError('Missing from the cache while offline:', { lines: lines.toSorted(compareStrings) })
}

import type { ResolvedOptions } from '../../config/options.js'
import { ContentSpaceError } from '../../errors.js'
import type { Files } from '../../files/files.js'
import type { BuildStats } from '../../progress.js'
import { withImportSite } from '../../source/import-site.js'
import type { ResolvedImports, UsedFile } from './resolve-imports.js'

/** @internal */
interface ConversionContext {
  options: Pick<ResolvedOptions, 'remote'>
  files: Pick<Files, 'ensure'>
  stats: Pick<BuildStats, 'warn'>
}

/** Fetches and converts files. Returns the errors of this package, each with an import of the file. */
export async function fetchAll(used: readonly UsedFile[], files: Pick<Files, 'ensure'>): Promise<ContentSpaceError[]> {
  const results = await Promise.allSettled(used.map(({ file }) => files.ensure(file)))
  return results.flatMap((result, at) => {
    if (result.status === 'fulfilled') return []
    const error = withImportSite(result.reason, { ...used[at]?.use, importer: used[at]?.use.file })
    if (error instanceof ContentSpaceError) return [error]
    throw error
  })
}

/**
 * Makes the files that a build converts, as the build would, and writes them to the caches.
 * @throws ContentSpaceError the first error of a file
 */
export async function convertAll(
  { converted }: ResolvedImports,
  { files, stats, options: { remote } }: ConversionContext,
): Promise<void> {
  const [error] = await fetchAll(converted, files)
  if (error) throw error
  if (remote && !(remote.write && remote.signer?.canSign)) {
    const missing = remote.write ? 'remoteKey' : 'remoteWrite'
    stats.warn(`Converted files are in the local cache only, because option ${missing} is not set.`)
  }
}

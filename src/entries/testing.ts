import type { Source } from '../space/sources/source.js'
import type { TestSourceOptions } from '../space/sources/test-source.js'

export type { TestSourceOptions }

/**
 * Tests what a source must do, in a test of any runner: ids are unique, two listings are the same, files have the hash
 * and the size that are listed, also for an asset of the lockfile, an abort ends calls, and another content has another
 * revision.
 * @returns how many assets and files were tested
 * @throws ContentSpaceError `sourceFailed` with all problems
 */
export async function testSource(
  source: Source,
  options: TestSourceOptions = {},
): Promise<{ assets: number; files: number }> {
  const tests = await import('../space/sources/test-source.js')
  return tests.testSource(source, options)
}

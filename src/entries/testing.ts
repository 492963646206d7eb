import type { Source } from '../space/sources/source.js'
import type { TestSourceOptions } from '../space/sources/test-source.js'

export type { TestSourceOptions }

/**
 * Checks, in any test runner, that a source meets the requirements: ids are unique, two listings are the same, files
 * have the listed hash and size, even for a locked asset, calls end when they are aborted, and changed content has a
 * different revision.
 * @returns the number of tested assets and files
 * @throws ContentSpaceError `sourceFailed` with all problems
 */
export async function testSource(
  source: Source,
  options: TestSourceOptions = {},
): Promise<{ assets: number; files: number }> {
  const tests = await import('../space/sources/test-source.js')
  return tests.testSource(source, options)
}

import { findFiles } from './find-files.js'
import { readFile } from 'node:fs/promises'

/**
 * Matches calls that mock a module: `vi.mock('…')`, `vi.doMock(import('…'))`, `jest.unstable_mockModule('…')`.
 */
const MOCK = /\b(?:mock|doMock|unstable_mockModule)\s*\(\s*(?:import\s*\(\s*)?(["'`])(content-space:[^"'`$\n]+)\1/g

/** Returns the ids that a test replaces with mocks. */
export function mocksOf(code: string): string[] {
  return [...code.matchAll(MOCK)].flatMap(([, , id = '']) => id)
}

/** Returns the ids that any test of a project replaces with mocks. The parameters are the same as for `findFiles`. */
export async function findMocks(root: string, globs: readonly string[]): Promise<Set<string>> {
  const files = await findFiles(root, globs)
  const codes = await Promise.all([...files.values()].map((path) => readFile(path, 'utf8').catch(() => '')))
  return new Set(codes.flatMap(mocksOf))
}

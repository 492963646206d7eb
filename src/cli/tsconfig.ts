import { join } from 'node:path'
import glob from 'fast-glob'
import { createFilesMatcher, parseTsconfig } from 'get-tsconfig'

/**
 * Whether a `tsconfig*.json` of a project includes a file. Projects often have several, one for each environment.
 * @returns undefined if the project has no readable `tsconfig*.json`
 */
export async function isIncluded(root: string, file: string): Promise<boolean | undefined> {
  const names = await glob('tsconfig*.json', { cwd: root })
  const results = names.flatMap((name) => {
    const path = join(root, name)
    try {
      return [createFilesMatcher({ path, config: parseTsconfig(path) })(file) !== undefined]
    } catch {
      return []
    }
  })
  return results.length === 0 ? undefined : results.includes(true)
}

import { join } from 'node:path'
import glob from 'fast-glob'
import { createFilesMatcher, parseTsconfig } from 'get-tsconfig'

/**
 * Whether any `tsconfig*.json` of a project includes a file: projects often have several, one for each environment.
 * @returns undefined where there is none that can be read
 */
export async function seesFile(root: string, file: string): Promise<boolean | undefined> {
  const paths = await glob('tsconfig*.json', { cwd: root })
  const seen = paths.flatMap((name) => {
    const path = join(root, name)
    try {
      return [createFilesMatcher({ path, config: parseTsconfig(path) })(file) !== undefined]
    } catch {
      return []
    }
  })
  return seen.length === 0 ? undefined : seen.includes(true)
}

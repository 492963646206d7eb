import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Whether a `tsconfig*.json` of a project includes a file. Projects often have several, one for each environment.
 * @returns undefined if the project has no readable `tsconfig*.json`
 */
export async function isIncluded(root: string, file: string): Promise<boolean | undefined> {
  const names = (await readdir(root).catch(() => [])).filter((name) => /^tsconfig.*\.json$/.test(name))
  if (names.length === 0) return undefined
  const { createFilesMatcher, parseTsconfig } = await import('get-tsconfig')
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

import { createRequire } from 'node:module'
import { ContentSpaceError } from '../errors.js'

const require = createRequire(import.meta.url)

/**
 * Returns the path of a file in a package that may be missing, without loading the file.
 * @param id a file of the package, or its name: `redis`, `@iconify/tools/package.json`
 * @param need the feature that needs the package, as the start of a sentence: `The remote cache at redis://cache`
 * @throws ContentSpaceError `invalidOption` if the package isn't installed
 */
export function resolvePeer(id: string, need: string): string {
  try {
    return require.resolve(id)
  } catch (cause) {
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id
    throw new ContentSpaceError('invalidOption', `${need} needs the package ${name}.`, {
      hint: `Install it: npm install --save-dev ${name}`,
      cause,
    })
  }
}

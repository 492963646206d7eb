import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Returns the absolute path of a built file of this package, even in code that was bundled to another folder or runs
 * from source.
 */
export function ownFile(path: string): string {
  return require.resolve(`#dist/${path}`)
}

export function ownPackage(): string {
  return require.resolve('#package.json')
}

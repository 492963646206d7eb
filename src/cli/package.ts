import { readFileSync } from 'node:fs'

/** What the `package.json` of this package says. */
export function readPackage(): { version: string; description: string } {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
}

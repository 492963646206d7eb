import { readFileSync } from 'node:fs'

export function readPackage(): { version: string; description: string } {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
}

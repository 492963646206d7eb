import { readFileSync } from 'node:fs'
import { ownPackage } from '../../disk/own-file.js'

/**
 * Returns the User-Agent of all requests: `unplugin-content-space/0.1.0`. Common firewalls refuse requests without one.
 */
export function userAgent(): string {
  const { name, version }: { name: string; version: string } = JSON.parse(readFileSync(ownPackage(), 'utf8'))
  return `${name}/${version}`
}

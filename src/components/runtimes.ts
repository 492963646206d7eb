import { fileURLToPath } from 'node:url'
import type { Framework } from '../request/frameworks.js'

/**
 * A module that generated code imports: it makes components of drawings and pictures. That of pictures with a
 * placeholder is apart, because it needs JavaScript in the browser.
 */
export type RuntimeName = Framework | `${Framework}-placeholder`

/** What runtimes export. Those with a placeholder export no `svg`. */
export type RuntimeExport = 'svg' | 'image' | 'picture'

/** Returns the absolute path of a runtime, with slashes. Its relative imports are of files in the same folder. */
export function runtimePath(name: RuntimeName): string {
  return fileURLToPath(new URL(`runtime/${name}.js`, import.meta.url)).replaceAll('\\', '/')
}

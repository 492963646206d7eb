import { join } from 'node:path'
import type { Compiler } from 'webpack'
import { NAME } from '../plugin.js'

export type Bundler = 'webpack' | 'rspack'

/** The beginning of an id in the name of a module. */
export const ENCODED = `${NAME}%3A`

/** The beginning of the URLs of files in a library, until `relocateScripts` replaces them. */
export const PLACEHOLDER = `${NAME}-library:/`

/** Returns the folder of content modules. It doesn't exist, but imports in the modules are resolved from it. */
export function moduleFolder({ context, webpack }: Compiler): string {
  return join(context, 'rspackVersion' in webpack ? 'node_modules/.virtual' : '_virtual_')
}

import { fileURLToPath } from 'node:url'
import { loadModules } from './load-modules.js'
import type { Options } from '../../config/options.js'

/** The part of the Bun runtime's plugin interface that is used here. */
export interface BunRuntime {
  onResolve(
    filter: { filter: RegExp; namespace?: string },
    callback: (args: { path: string; importer: string }) => { path: string },
  ): unknown
}

declare const Bun: { plugin(plugin: { name: string; setup(runtime: BunRuntime): Promise<void> }): Promise<void> }

/** Resolves ids in this Bun process. Throws any error of `loadModules`. */
export async function registerInBun(): Promise<void> {
  await Bun.plugin({ name: 'content-space', setup: (runtime) => setUpRuntime(runtime) })
}

/**
 * Sets up a Bun runtime plugin. Bun passes the scheme of a specifier as the namespace, and the rest as the path. Throws
 * any error of `loadModules`.
 */
export async function setUpRuntime(runtime: BunRuntime, options?: Options): Promise<void> {
  const { find } = await loadModules(options)
  runtime.onResolve({ filter: /^/, namespace: 'content-space' }, ({ path, importer }) => ({
    path: fileURLToPath(find(`content-space:${path}`, importer)),
  }))
}

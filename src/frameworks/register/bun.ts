import { fileURLToPath } from 'node:url'
import { loadModules } from './load-modules.js'
import type { Options } from '../../config/options.js'

/** The part of the plugins of Bun's runtime that is used here. */
export interface BunRuntime {
  onResolve(
    filter: { filter: RegExp; namespace?: string },
    callback: (args: { path: string; importer: string }) => { path: string },
  ): unknown
}

declare const Bun: { plugin(plugin: { name: string; setup(runtime: BunRuntime): Promise<void> }): Promise<void> }

/** Resolves ids in this process of Bun. Throws what `loadModules` throws. */
export async function registerInBun(): Promise<void> {
  await Bun.plugin({ name: 'content-space', setup: (runtime) => setUpRuntime(runtime) })
}

/**
 * Sets up a plugin of Bun's runtime, which passes the scheme of a specifier as the namespace, and the rest as the path.
 * Throws what `loadModules` throws.
 */
export async function setUpRuntime(runtime: BunRuntime, options?: Options): Promise<void> {
  const { find } = await loadModules(options)
  runtime.onResolve({ filter: /^/, namespace: 'content-space' }, ({ path, importer }) => ({
    path: fileURLToPath(find(`content-space:${path}`, importer)),
  }))
}

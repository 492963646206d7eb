import * as nodeModule from 'node:module'
import { ContentSpaceError } from '../../errors.js'
import { loadModules } from './load-modules.js'

interface Resolved {
  url: string
  format?: string
  shortCircuit?: boolean
}

type Resolve = (specifier: string, context: { parentURL?: string }, next: Resolve) => Resolved

type RegisterHooks = (hooks: { resolve: Resolve }) => void

/**
 * Resolves ids in this process, in Node and in Bun. Options come from the configuration file and the environment.
 * @throws ContentSpaceError `unsupportedRuntime` in a Node without synchronous hooks, and any error of `loadModules`
 */
export async function register(): Promise<void> {
  if (process.versions['bun'] !== undefined) return (await import('./bun.js')).registerInBun()
  // The types come from the oldest supported Node, which doesn't have synchronous hooks.
  const registerHooks: RegisterHooks | undefined = Reflect.get(nodeModule, 'registerHooks')
  if (registerHooks === undefined) {
    throw new ContentSpaceError(
      'unsupportedRuntime',
      `unplugin-content-space/register needs Node 22.15 or newer, but this is Node ${process.versions.node}.`,
      { hint: 'Update Node, or import the files that npx content-space pull writes.' },
    )
  }
  const { find } = await loadModules()
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith('content-space:')) return next(specifier, context, next)
      return { url: find(specifier, context.parentURL), format: 'module', shortCircuit: true }
    },
  })
}

import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npm } from '../test/frameworks/support/npm.js'

export const repository = fileURLToPath(new URL('..', import.meta.url))

interface Settings {
  /** The folder of the package that is being measured. */
  folder: string
  /** The path of the Node executable that runs all measured processes. */
  node: string
  /** The maximum number of rounds in a comparison. */
  rounds: number
}

const changed = new AsyncLocalStorage<Settings>()

/** Returns the settings of the comparison that is running. */
export function settings(): Settings {
  return changed.getStore() ?? { folder: repository, node: process.execPath, rounds: Infinity }
}

/** Changes settings for the duration of the work. */
export function withSettings<T>(changes: Partial<Settings>, work: () => Promise<T>): Promise<T> {
  return changed.run({ ...settings(), ...changes }, work)
}

/** A version of Node with which measured processes run. */
export interface NodeVersion {
  name: string
  path: string
  remove(): Promise<void>
}

/** Installs the latest release of a major version of Node from npm into a temporary folder. */
export async function installNode(major: string): Promise<NodeVersion> {
  const root = await mkdtemp(join(tmpdir(), 'content-space-node-'))
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  await npm(root, 'install', `${name}@${major}`)
  return {
    name: `Node ${major}`,
    path: join(root, 'node_modules', name, 'bin/node'),
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

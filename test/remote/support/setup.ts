import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { serveSpace, type ServedSpace, type SpaceFolder } from '../../support/space.js'
import { engines, type Engine, type EngineName } from './engines.js'
import { kitOf, newRunner, type Runner } from './runner.js'

/** Serves a kit with `count` files, two of which are photos. */
export async function serve(
  count: number,
  options: Parameters<typeof serveSpace>[1] = {},
): Promise<ServedSpace & { space: SpaceFolder }> {
  const space = await kitOf(count)
  const served = await serveSpace(space.folder, { rateLimit: false, ...options })
  onTestFinished(async () => {
    await served.close()
    await space.remove()
  })
  return { ...served, space }
}

export async function start(engine: EngineName | (() => Promise<Engine>)): Promise<Engine> {
  const started = await (typeof engine === 'string' ? engines[engine] : engine)()
  onTestFinished(() => started.stop())
  return started
}

export async function runner(...args: Parameters<typeof newRunner>): Promise<Runner> {
  const made = await newRunner(...args)
  onTestFinished(() => made.remove())
  return made
}

export const lockOf = ({ root }: Runner): Promise<string> => readFile(join(root, 'content-space.lock.json'), 'utf8')

/** Returns a lockfile without the hashes of files, like that of a kit that was only listed. */
export function withoutHashes(lock: string): string {
  return lock.replaceAll(/,? *"files": *\{[^}]*\}/g, '')
}

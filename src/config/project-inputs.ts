import { readFile } from 'node:fs/promises'
import { integrityOf } from '../disk/content.js'
import { ownPackage } from '../disk/own-file.js'
import type { ResolvedOptions } from './options.js'

/**
 * Returns the inputs of all derived data of a project: everything other than the lockfile and the source that names,
 * modules, declarations and pulled files depend on.
 */
export async function projectInputs(options: ResolvedOptions): Promise<unknown[]> {
  const { root, lockfile, types, previews, scan, kits, names, presets, full, darkMode, svg, strict, remote } = options
  const own = integrityOf(await readFile(ownPackage()))
  const given = names.map((kit) => ({
    ...kit,
    names: [...kit.names],
    dark: kit.dark && [[...kit.dark.pairs], kit.dark.pattern],
  }))
  // The first run that writes to a remote cache must load the kits, because that writes their listings.
  const writes = remote?.write ? remote.address.label : null
  return [own, root, lockfile, types, previews, scan, [...kits], given, presets, full, darkMode, svg, strict, writes]
}

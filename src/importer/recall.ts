import { readFile } from 'node:fs/promises'
import type { Catalog } from '../catalog/catalog.js'
import { noRecall, openRecall, type Recall, type RecallContext } from '../catalog/recall.js'
import type { Host, ResolvedOptions } from '../config/options.js'
import { integrityOf } from '../disk/content.js'
import { ownPackage } from '../disk/own-file.js'
import { openVersions } from '../files/convert/versions.js'
import { readText } from '../disk/replace-file.js'
import type { LockSession } from '../lock/session.js'
import type { Space } from '../space/space.js'

export interface OpenedRecall {
  recall: Recall
  /** The text of the lockfile, if an earlier build has found it valid. */
  verified: string | undefined
}

/**
 * Opens what earlier builds of a project have used. Only single builds of locked content remember anything: other
 * processes load kits once, and use them for a long time.
 * @param parts returns the parts of the importer, which are opened later
 */
export async function openBuildRecall(
  options: ResolvedOptions,
  { space, store, onKit }: { space: Space } & Pick<RecallContext, 'store' | 'onKit'>,
  host: Partial<Host>,
  parts: () => { lock: LockSession; catalog: Catalog },
): Promise<OpenedRecall> {
  const { lockfile } = options
  const { command = 'build' } = host
  if (command !== 'build' || space.local || lockfile === false) return { recall: noRecall, verified: undefined }
  const text = await readText(lockfile)
  const context = {
    store,
    space: space.key,
    project: await projectText(options),
    lock: text === undefined ? undefined : integrityOf(text),
    onKit,
  }
  const recall = await openRecall(
    context,
    () => parts().lock,
    ({ kit }) => parts().catalog.nameWarning(kit.uuid),
  )
  return { recall, verified: recall.isValid ? text : undefined }
}

/** Describes what names and declarations depend on besides the lockfile and the source. */
async function projectText({
  root,
  lockfile,
  types,
  scan,
  kits,
  names,
  svg,
  strict,
  remote,
}: ResolvedOptions): Promise<string> {
  const own = integrityOf(await readFile(ownPackage()))
  const checkers = openVersions()({ kind: 'check' })
  const given = names.map((kit) => ({ ...kit, names: [...kit.names] }))
  // The first build that writes to a remote cache loads the kits, and so writes their listings.
  const writes = remote?.write ? remote.address.label : null
  return JSON.stringify([own, checkers, root, lockfile, types, scan, [...kits], given, svg, strict, writes])
}

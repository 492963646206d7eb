import * as v from 'valibot'
import type { Host, ResolvedOptions } from '../config/options.js'
import { projectInputs } from '../config/project-inputs.js'
import { derivedKey } from '../disk/cache-layout.js'
import { integrityOf } from '../disk/content.js'
import { noDerived, openDerived, type Derived } from '../disk/derived.js'
import { readText } from '../disk/replace-file.js'
import type { Store } from '../files/store.js'
import type { LockSessionContext } from '../lock/session.js'
import type { Space } from '../space/space.js'

/** That the lockfile is valid. */
const validKind = { name: 'valid', schema: v.literal(true), locked: true }

/**
 * Opens what earlier runs of a project have derived. Other processes than single runs load kits once, and use them for
 * a long time.
 * @returns also the lockfile, if an earlier run has found it valid
 */
export async function openProjectDerived(
  options: ResolvedOptions,
  { command = 'build' }: Partial<Host>,
  { space, store }: { space: Space; store: Store },
): Promise<{ derived: Derived } & Pick<LockSessionContext, 'verified'>> {
  if (command !== 'build' || space.local || options.lockfile === false) return { derived: noDerived }
  const text = await readText(options.lockfile)
  const digest = text === undefined ? undefined : integrityOf(text)
  const key = derivedKey({ space: space.key, inputs: await projectInputs(options) })
  const derived = await openDerived(store, key, digest)
  const isValid = derived.find(validKind, []) === true
  // Only the digest of a lockfile that a run has read or written makes it a value.
  if (!isValid) derived.keep(validKind, [], true)
  return { derived, verified: isValid && text !== undefined && digest !== undefined ? { text, digest } : undefined }
}

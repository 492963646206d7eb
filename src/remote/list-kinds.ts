import type { EngineCall, RemoteEngine } from './engine.js'
import { kindOf, root } from './names.js'
import type { RemoteKind } from './remote.js'

const kinds = { sha256: 'file', made: 'conversion', kit: 'listing' } as const

/** Counts the entries of an engine by kind; undefined if it cannot list them. */
export async function listKinds(engine: RemoteEngine, call: EngineCall): Promise<RemoteKind[] | undefined> {
  if (!engine.list) return undefined
  const totals = Object.values(kinds).map((kind): RemoteKind => ({ kind, entries: 0, size: 0 }))
  for await (const { name, size = 0 } of engine.list(root, call)) {
    const kind = kindOf(name)
    const total = totals.find((one) => kind !== undefined && kind !== 'file' && one.kind === kinds[kind])
    call.progress(progressOfEntry)
    if (!total) continue
    total.entries++
    total.size += size
  }
  return totals
}

/** Bytes that a listed entry counts as, so that a long listing is progress. */
const progressOfEntry = 1024

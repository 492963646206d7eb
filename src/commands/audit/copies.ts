import type { Engine } from '../../engine/engine.js'
import { audit } from './audit.js'
import type { Finding } from './report.js'

/** Finds the files and drawings of a project that use an asset without an import. Downloads no drawings. */
export async function findCopies(engine: Engine, signal?: AbortSignal): Promise<Finding[]> {
  const { findings } = await audit(engine, { download: false, ignore: [], signal })
  return findings.filter(({ finding }) => finding !== 'color' && finding !== 'expired')
}

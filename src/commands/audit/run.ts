import * as v from 'valibot'
import { abortSignal, callback, checkEach, flag, type Checks } from '../../config/validate.js'
import type { Engine } from '../../engine/engine.js'
import type { AuditOptions, AuditReport } from '../shared/findings/report.js'
import { searchProject } from '../shared/findings/search.js'

const paths = [v.array(v.string()), 'a list of texts'] as const

const checks = {
  paths,
  download: flag,
  ignore: paths,
  colorDistance: [v.pipe(v.number(), v.minValue(0)), 'a number from 0'],
  expires: [v.string(), 'the key of a field'],
  onDownloads: callback,
  fix: flag,
  force: flag,
  confirm: callback,
  pictures: flag,
  signal: abortSignal,
} as const satisfies Checks<keyof AuditOptions>

/**
 * Finds content of kits in a project that did not come through an import. Sends nothing about the project.
 * @throws ContentSpaceError what loading a kit throws; `invalidOption` for a path that does not exist; `fileSystem`,
 *   `aborted`
 * @internal
 */
export async function audit(engine: Engine, options: AuditOptions = {}): Promise<AuditReport> {
  checkEach(options, checks, 'audit')
  const { fix, force = false, confirm = () => true, signal = new AbortController().signal } = options
  const { root } = engine.options
  // Before the search: it takes longer.
  const tree = fix ? await (await import('../../disk/work-tree.js')).openWorkTree(root, '--fix', force) : undefined
  const report = await searchProject(engine, options, signal)
  if (tree === undefined) return report
  // The signal does not stop what is being written.
  const fixes = await (await import('./fix/fix.js')).fix(engine, report, tree, confirm)
  if (!fixes.written) return { ...report, fixes }
  const left = await searchProject(engine, { ...options, onDownloads: undefined }, signal)
  // The copies to delete are listed on their own.
  return { ...left, findings: left.findings.filter(({ file }) => !fixes.unnamed.includes(file)), fixes }
}

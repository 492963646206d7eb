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
 * Finds kit content that a project uses without importing it. Doesn't send anything about the project.
 * @throws ContentSpaceError any error of loading a kit; `invalidOption` for a path that doesn't exist; `fileSystem`,
 *   `aborted`
 * @internal
 */
export async function audit(engine: Engine, options: AuditOptions = {}): Promise<AuditReport> {
  checkEach(options, checks, 'audit')
  const { fix, force = false, confirm = () => true, signal = new AbortController().signal } = options
  const { root } = engine.options
  // Check this before the search, because the search takes longer.
  const tree = fix ? await (await import('../../disk/work-tree.js')).openWorkTree(root, '--fix', force) : undefined
  const report = await searchProject(engine, options, signal)
  if (tree === undefined) return report
  // The signal doesn't interrupt writing.
  const fixes = await (await import('./fix/fix.js')).fix(engine, report, tree, confirm)
  if (!fixes.written) return { ...report, fixes }
  const left = await searchProject(engine, { ...options, onDownloads: undefined }, signal)
  // Copies to delete are listed separately.
  return { ...left, findings: left.findings.filter(({ file }) => !fixes.unnamed.includes(file)), fixes }
}

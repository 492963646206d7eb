import { relative } from 'node:path'
import { Command } from 'commander'
import { hasDifference } from '../commands/diff/report.js'
import { diffText } from '../commands/diff/render/text.js'
import type { SyncReport } from '../importer.js'
import { places } from '../commands/sync/sync.js'
import type { CommonFlags } from './flags.js'
import { withImporter } from './with-importer.js'
import type { Terminal } from './terminal.js'
import { seesFile } from './tsconfig.js'
import { countText } from '../text/quantities.js'

/** `content-space sync` */
export function syncCommand(terminal: Terminal): Command {
  return new Command('sync')
    .description('fetch what the source imports, and write the lock and the declarations')
    .action(async (flags: CommonFlags) => {
      await withImporter(terminal, flags, async (importer) => {
        const report = await importer.sync()
        const { types, root } = importer.options
        report.warnings.push(...(await blindness(root, types, report.specifiers)))
        reportSync(report, root, flags, terminal)
      })
    })
}

/** Declarations that no tsconfig includes help nobody, and nobody would say so. */
async function blindness(root: string, types: string | false, specifiers: number): Promise<string[]> {
  if (types === false || specifiers === 0 || (await seesFile(root, types)) !== false) return []
  return [`No tsconfig includes ${relative(root, types)}: add it to "include", or move it with option types.`]
}

/** Prints what `sync` and `update` did; refusals call `fail`. */
export function reportSync(
  report: SyncReport,
  root: string,
  { json }: CommonFlags,
  { print, printJson, note, fail }: Terminal,
): void {
  const written = report.written.map((path) => relative(root, path))
  if (json) printJson({ ...report, written })
  else {
    for (const { kit, selector, from, to } of report.versions) {
      print(`${kit}@${selector}: version ${to.version}${from === undefined ? '' : `, was ${from.version}`}`)
    }
    if (report.changes && hasDifference(report.changes)) for (const line of diffText(report.changes)) print(line)
    print(`${countText(report.specifiers, 'specifier')} in the source, ${countText(report.files, 'file')}`)
    print(written.length === 0 ? 'nothing has changed' : `wrote ${written.join(', ')}`)
    for (const warning of report.warnings) note(`warning: ${warning}`)
    for (const { specifier, reason, uses } of report.refusals) {
      note(`${places(uses)}: ${specifier}`)
      // Its line feeds are those of `reasonOf`.
      for (const line of reason.split('\n')) note(`  ${line}`)
    }
  }
  if (report.refusals.length > 0) fail()
}

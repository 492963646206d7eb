import { relative } from 'node:path'
import { Command } from 'commander'
import type { SyncOptions } from '../../engine/sync/sync.js'
import type { SyncReport } from '../shared/sync.js'
import type { LockedVersion } from '../../lock/schema.js'
import { paint } from '../../text/display.js'
import { pick } from '../../text/pick.js'
import { countText, versionText } from '../../text/quantities.js'
import { withEngine, type CommonFlags } from '../../terminal/flags.js'
import type { Terminal } from '../../terminal/terminal.js'
import { lineChanges, ended } from '../../terminal/marks.js'

const help = `
Examples:
  npx content-space sync
  npx content-space sync --frozen
  npx content-space sync --convert

A specifier or a query that the space refuses is an error of tsc only after
sync, or a dev server, has written the declarations.`

export function command(terminal: Terminal): Command {
  return new Command('sync')
    .summary('download what the source imports, and write the lockfile and the declarations')
    .description(help)
    .option('--prune', 'drop entries from the lockfile that only builds use, such as content of dependencies')
    .option(
      '--convert',
      'also make the files that a build converts, and write them to the local cache and the cache of option remote, ' +
        'so that builds on other machines convert nothing',
    )
    .action(async (flags: CommonFlags & Pick<SyncOptions, 'prune' | 'convert'>) => {
      await withEngine(terminal, flags, async (engine) => {
        const { sync } = await import('../shared/sync.js')
        const { hiddenTypes } = await import('../shared/visible-types.js')
        const report = await sync(engine, pick(flags, ['prune', 'convert']))
        if (report.specifiers > 0) report.warnings.push(...(await hiddenTypes(engine)))
        const well = report.refusals.length === 0
        if (!well) terminal.fail()
        await printSync(report, { root: engine.options.root, well, ...flags }, terminal)
      })
    })
}

/** Prints the report of `sync` or `update`. @param well whether the command succeeded */
export async function printSync(
  report: SyncReport,
  { root, well, json }: { root: string; well: boolean } & CommonFlags,
  terminal: Terminal,
): Promise<void> {
  const { print, printJson, note } = terminal
  const written = report.written.map((path) => relative(root, path))
  if (json) return printJson({ ...report, written })
  const { places } = await import('../../engine/sync/sync.js')
  // A wrong alias causes the same error for all its imports, so print each reason once.
  for (const reason of new Set(report.refusals.map((refusal) => refusal.reason))) {
    const refused = report.refusals.filter((refusal) => refusal.reason === reason)
    const [first, ...rest] = reason.split('\n')
    note([paint('red', `error[${refused[0]?.code}]:`), ` ${first}`])
    for (const line of rest) note(`  ${line}`)
    for (const { specifier, uses } of refused) note(`  ${places(uses)}: ${specifier}`)
  }
  for (const { kit, selector, from, to } of report.versions) {
    print(`${kit}@${selector}: ${labelled(to)}${from === undefined ? '' : `, was ${labelled(from)}`}`)
  }
  await printChanges(report, print)
  printRenamed(report, print)
  print(`${countText(report.specifiers, 'id')} in the source, ${countText(report.files, 'file')}`)
  const { conversions } = report
  if (conversions !== undefined) print(conversions === 0 ? 'nothing to convert' : countText(conversions, 'conversion'))
  const outcome = written.length === 0 ? 'nothing has changed' : `wrote ${written.join(', ')}`
  print(ended(outcome, well, terminal))
  report.warnings.forEach(terminal.warn)
}

const labelled = ({ version, versionIdentifier }: LockedVersion) => versionText(version, versionIdentifier)

function printRenamed({ renamed }: SyncReport, print: Terminal['print']): void {
  if (renamed === undefined) return
  for (const line of lineChanges(renamed.lines)) print(line)
  for (const { file, reason } of renamed.left) print(`left: ${file}, because ${reason}`)
  const count = countText(renamed.lines.length, 'line')
  const next = `To write ${renamed.lines.length === 1 ? 'it' : 'them'}: npx content-space update --rename --write`
  print(renamed.written ? `changed ${count} of the source` : `${count} of the source with former names. ${next}`)
}

async function printChanges({ changes }: SyncReport, print: Terminal['print']): Promise<void> {
  if (changes === undefined) return
  const { hasDifference } = await import('../shared/changes/report.js')
  if (!hasDifference(changes)) return
  const { diffText } = await import('../shared/changes/text.js')
  for (const line of diffText(changes)) print(line)
}

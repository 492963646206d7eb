import { relative } from 'node:path'
import { Command } from 'commander'
import type { SyncReport } from '../commands/sync.js'
import type { LockedVersion } from '../lock/schema.js'
import { countText } from '../text/quantities.js'
import type { CommonFlags } from './flags.js'
import type { Terminal } from './terminal.js'
import { ended } from './output/marks.js'
import { printWarnings } from './output/warnings.js'
import { withEngine } from './with-engine.js'

const help = `
A specifier or a query that the space refuses is an error of tsc only after
sync, or a dev server, has written the declarations.

Examples:
  content-space sync
  content-space sync --frozen`

/** `content-space sync` */
export function syncCommand(terminal: Terminal): Command {
  return new Command('sync')
    .description('download what the source imports, and write the lockfile and the declarations')
    .addHelpText('after', help)
    .action(async (flags: CommonFlags) => {
      await withEngine(terminal, flags, async (engine) => {
        const { sync } = await import('../commands/sync.js')
        const report = await sync(engine)
        const { types, root } = engine.options
        report.warnings.push(...(await tsconfigWarnings(root, types, report.specifiers)))
        await printSync(report, root, flags, terminal)
      })
    })
}

/** TypeScript ignores declarations that no tsconfig includes, without a message. */
async function tsconfigWarnings(root: string, types: string | false, specifiers: number): Promise<string[]> {
  if (types === false || specifiers === 0) return []
  const { isIncluded } = await import('./tsconfig.js')
  if ((await isIncluded(root, types)) !== false) return []
  return [`No tsconfig includes ${relative(root, types)}. Add it to "include", or move the file with option types.`]
}

/** Prints the report of `sync` or `update`. If there are invalid imports, the command fails. */
export async function printSync(
  report: SyncReport,
  root: string,
  { json }: CommonFlags,
  terminal: Terminal,
): Promise<void> {
  const { print, printJson, note, fail } = terminal
  const written = report.written.map((path) => relative(root, path))
  if (report.refusals.length > 0) fail()
  if (json) return printJson({ ...report, written })
  for (const { kit, selector, from, to } of report.versions) {
    print(`${kit}@${selector}: version ${labelled(to)}${from === undefined ? '' : `, was ${labelled(from)}`}`)
  }
  await printChanges(report, print)
  print(`${countText(report.specifiers, 'specifier')} in the source, ${countText(report.files, 'file')}`)
  const outcome = written.length === 0 ? 'nothing has changed' : `wrote ${written.join(', ')}`
  print(ended(outcome, report.refusals.length === 0, terminal))
  printWarnings(report.warnings, terminal)
  const { places } = await import('../engine/sync/sync.js')
  for (const { specifier, reason, uses } of report.refusals) {
    note(`${places(uses)}: ${specifier}`)
    // `reasonOf` has made each line safe.
    for (const line of reason.split('\n')) note(`  ${line}`)
  }
}

function labelled({ version, versionIdentifier }: LockedVersion): string {
  return versionIdentifier === '' ? String(version) : `${version} (${versionIdentifier})`
}

async function printChanges({ changes }: SyncReport, print: Terminal['print']): Promise<void> {
  if (changes === undefined) return
  const { hasDifference } = await import('../commands/diff/report.js')
  if (!hasDifference(changes)) return
  const { diffText } = await import('../commands/diff/render/text.js')
  for (const line of diffText(changes)) print(line)
}

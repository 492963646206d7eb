import { resolve } from 'node:path'
import { Command } from 'commander'
import { countText } from '../../text/quantities.js'
import { choiceArgument, outOption, usageError, withEngine, type CommonFlags } from '../../terminal/flags.js'
import { ended } from '../../terminal/marks.js'
import type { Terminal } from '../../terminal/terminal.js'

type UsageFlags = CommonFlags & { out?: string; copies?: boolean }

const help = `
Examples:
  npx content-space usage --out usage.json
  npx content-space usage merge web/usage.json app/usage.json --out usage`

export function command(terminal: Terminal): Command {
  const out = outOption('file to write as JSON, or with merge the folder of the page', 'file')
  return new Command('usage')
    .summary('list the assets that the project uses, by imports and as copies, with their locations')
    .addArgument(choiceArgument('[action]', 'merge: make a page of such files of several projects', ['merge']))
    .argument('[file...]', 'with merge: files written by npx content-space usage --out')
    .addOption(out.makeOptionMandatory(false))
    .option('--no-copies', 'list only imports, without comparing files')
    .description(help)
    .action((action: string | undefined, files: string[], flags: UsageFlags) =>
      action === undefined ? showUsage(flags, terminal) : merge(files, flags, terminal),
    )
}

async function showUsage(flags: UsageFlags, terminal: Terminal): Promise<void> {
  const { cwd, signal, print, printAll, printJson } = terminal
  const { out, copies } = flags
  const { found, changed } = await withEngine(terminal, flags, async (engine) => {
    const { usage, writeUsage } = await import('./run.js')
    const result = await usage(engine, { copies, signal })
    return { found: result, changed: out !== undefined && (await writeUsage(resolve(cwd, out), result)) }
  })
  const summary = countText(found.assets.length, 'asset')
  if (out !== undefined) {
    if (flags.json) return printJson({ file: out, changed, assets: found.assets.length })
    return print(ended(changed ? `wrote ${out}: ${summary}` : `${out} is up to date: ${summary}`, true, terminal))
  }
  if (flags.json) return printJson(found)
  const { tableLines } = await import('../../terminal/table.js')
  const rows = found.assets.flatMap(({ name, kit, places }) =>
    places.map(({ file, line, by, version }) => [name, `${kit.name} ${version}`, by, `${file}:${line}`]),
  )
  printAll(tableLines(rows, { columns: [{ shrink: 1, least: 16 }, {}, {}, {}], width: terminal.columns }))
  print(ended(summary, true, terminal))
}

async function merge(files: readonly string[], { out, json }: UsageFlags, terminal: Terminal): Promise<void> {
  if (files.length === 0 || out === undefined) throw usageError('usage merge needs files and --out.')
  const { mergeUsage } = await import('./run.js')
  const { cwd, print, printJson } = terminal
  const report = await mergeUsage({ files: files.map((file) => resolve(cwd, file)), out: resolve(cwd, out) })
  if (json) return printJson(report)
  const counts = `${countText(report.assets, 'asset')} in ${countText(report.projects, 'project')}`
  const page = `${out}/index.html`
  print(ended(report.changed ? `wrote ${page}: ${counts}` : `${page} is up to date: ${counts}`, true, terminal))
}

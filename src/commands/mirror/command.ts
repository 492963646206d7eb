import { relative, resolve } from 'node:path'
import { Command } from 'commander'
import type { MirrorOptions, MirrorReport } from './run.js'
import type { ProgressEvent } from '../../progress.js'
import { countText, sizeText, versionText } from '../../text/quantities.js'
import { kitName, outOption, withEngine, type CommonFlags, type FlagExceptions } from '../../terminal/flags.js'
import { planLine } from '../../terminal/progress.js'
import { ended } from '../../terminal/marks.js'
import type { Terminal } from '../../terminal/terminal.js'

type MirrorFlags = CommonFlags & Pick<MirrorOptions, 'out' | 'allCuts'>

const help = `
Examples:
  npx content-space mirror brand --out mirror
  npx content-space ls --space mirror

To build from the folder, set option space or CONTENT_SPACE_URL to its path.`

export const flagExceptions: FlagExceptions = { frozen: 'implied' }

export function command(terminal: Terminal): Command {
  return new Command('mirror')
    .summary('write kits to a folder that is itself a space: builds from it need neither the service nor a token')
    .argument(
      '<kit...>',
      `${kitName}, with all its versions; brand@1: only version 1, the draft and the version in use`,
    )
    .addOption(outOption('folder to write; an earlier mirror is updated, any other folder must be empty'))
    .option(
      '--all-cuts',
      'include every cut of the service (default: locked cuts, and cuts that cannot be made from the original)',
    )
    .description(help)
    .action(async (kits: string[], flags: MirrorFlags) => {
      const { note, signal, cwd } = terminal
      const report = await withEngine(terminal, flags, async (engine, waiting) => {
        const { mirror } = await import('./run.js')
        const onProgress = (event: ProgressEvent): void => {
          if (flags.json) return
          if (event.type === 'plan') note(planLine(event, engine.options))
          waiting.progress(event)
        }
        const { allCuts = false } = flags
        return mirror(engine, { kits, out: resolve(cwd, flags.out), allCuts, signal, onProgress })
      })
      printMirror(report, flags, terminal)
    })
}

function printMirror(report: MirrorReport, { json }: CommonFlags, terminal: Terminal): void {
  const { print, printJson, warn, fail, cwd } = terminal
  // If only cuts are missing, don't fail, because the service couldn't make them and the mirror has the originals.
  const isWhole = report.missing.every(({ cut }) => cut !== undefined)
  if (!isWhole) fail()
  if (json) return printJson(report)
  for (const { name, cut, version, reason } of report.missing) {
    const file = cut === undefined ? name : `${name} as ${cut}`
    warn(`${file} (${versionText(version)}) is not in the mirror: ${reason}`)
  }
  report.warnings.forEach(warn)
  const folder = relative(cwd, report.out) || '.'
  const files = report.versions.reduce((sum, version) => sum + version.files, 0)
  const size = report.versions.reduce((sum, version) => sum + version.size, 0)
  const contents = `${countText(report.versions.length, 'version')}, ${countText(files, 'file')}, ${sizeText(size)}`
  const outcome = report.changed
    ? `wrote ${folder}: ${contents}. To build from it, set option space or CONTENT_SPACE_URL to this folder.`
    : `${folder} is up to date: ${contents}`
  print(ended(outcome, isWhole, terminal))
}

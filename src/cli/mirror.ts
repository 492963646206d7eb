import { relative } from 'node:path'
import { Command } from 'commander'
import type { MirrorReport } from '../commands/mirror/mirror.js'
import type { ProgressEvent } from '../progress.js'
import { folderPath, type CommonFlags } from './flags.js'
import { openProgress, planLine } from './progress.js'
import { withImporter } from './with-importer.js'
import type { Terminal } from './terminal.js'
import { countText, sizeText } from '../text/quantities.js'

interface MirrorFlags extends CommonFlags {
  out: string
  allCuts: boolean
}

/** `content-space mirror <kit>… --out <folder>` */
export function mirrorCommand(terminal: Terminal): Command {
  return new Command('mirror')
    .description('write kits as a folder that is a space, too: builds from it need no service and no token')
    .argument(
      '<kit...>',
      'alias, slug or uuid: all its versions; with @<version>, that one. The draft and the version in use are always there',
    )
    .requiredOption('--out <folder>', 'folder to write; an earlier mirror there is brought up to date', folderPath)
    .option(
      '--all-cuts',
      'also cuts that can be made from the file again (default: the others, and those that the lock has)',
      false,
    )
    .action(async (kits: string[], flags: MirrorFlags) => {
      const { note, signal } = terminal
      const progress = await openProgress(terminal)
      const report = await withImporter(terminal, flags, async (importer) => {
        const onProgress = (event: ProgressEvent): void => {
          if (flags.json) return
          if (event.type === 'plan') {
            progress.end()
            note(planLine(event, importer.options))
          }
          progress.show(event)
        }
        return importer.mirror({ kits, out: flags.out, allCuts: flags.allCuts, signal, onProgress })
      }).finally(progress.end)
      reportMirror(report, flags, terminal)
    })
}

function reportMirror(report: MirrorReport, { json }: CommonFlags, { print, printJson, note, cwd }: Terminal): void {
  if (json) return printJson(report)
  for (const { name, cut, version, reason } of report.missing) {
    note(
      `warning: ${name}${cut === undefined ? '' : ` as ${cut}`} (version ${version}) is not in the mirror: ${reason}`,
    )
  }
  for (const warning of report.warnings) note(`warning: ${warning}`)
  const folder = relative(cwd, report.out) || '.'
  const files = report.versions.reduce((sum, version) => sum + version.files, 0)
  const size = report.versions.reduce((sum, version) => sum + version.size, 0)
  const held = `${countText(report.versions.length, 'version')}, ${countText(files, 'file')}, ${sizeText(size)}`
  print(
    report.changed
      ? `wrote ${folder}: ${held}; set space to it, or CONTENT_SPACE_URL, to build from it`
      : `${folder} is up to date: ${held}`,
  )
}

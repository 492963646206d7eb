import { relative } from 'node:path'
import { Command } from 'commander'
import type { MirrorReport } from '../mirror/mirror.js'
import type { CommonFlags } from './flags.js'
import { inProject } from './project.js'
import type { Terminal } from './terminal.js'

interface MirrorFlags extends CommonFlags {
  out: string
  allCuts: boolean
}

/** `content-space mirror <kit>… --out <folder>` */
export function mirrorCommand(terminal: Terminal): Command {
  return new Command('mirror')
    .description('write kits as a folder that is a space, too: builds from it need no service and no token')
    .argument('<kit...>', 'alias, slug or uuid: all its versions; with @<version>, that one. The draft and the version in use are always there')
    .requiredOption('--out <folder>', 'folder to write; an earlier mirror there is brought up to date')
    .option('--all-cuts', 'also cuts that can be made from the file again (default: the others, and those that the lock has)', false)
    .action(async (kits: string[], flags: MirrorFlags) => {
      await inProject(terminal, flags, async (importer) => {
        const report = await importer.mirror({
          kits,
          out: flags.out,
          allCuts: flags.allCuts,
          onVersion: ({ kit, version, assets, files, size }) =>
            terminal.note(`${kit}@${version === 0 ? 'draft' : version}: ${assets} assets, ${files} files, ${Math.ceil(size / 1000)} kB`),
        })
        reportMirror(report, flags, terminal)
      })
    })
}

function reportMirror(report: MirrorReport, { json }: CommonFlags, { print, note, cwd }: Terminal): void {
  if (json) return print(JSON.stringify(report))
  for (const { name, cut, version, reason } of report.missing) {
    note(`warning: ${name}${cut === undefined ? '' : ` as ${cut}`} (version ${version}) is not in the mirror: ${reason}`)
  }
  for (const warning of report.warnings) note(`warning: ${warning}`)
  const folder = relative(cwd, report.out) || '.'
  print(report.changed ? `wrote ${folder}: set space to it, or CONTENT_SPACE_URL, to build from it` : `${folder} is up to date`)
}

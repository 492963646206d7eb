import { join, relative } from 'node:path'
import { Command, Option } from 'commander'
import type { PulledKit, PullReport } from '../importer.js'
import type { ProgressEvent } from '../progress.js'
import { moduleKinds, type ModuleKind } from '../commands/pull/render.js'
import { folderPath, type CommonFlags } from './flags.js'
import { openProgress, planLine } from './progress.js'
import { withImporter } from './with-importer.js'
import type { Terminal } from './terminal.js'
import { countText, sizeText } from '../text/quantities.js'

interface PullFlags extends CommonFlags {
  out: string
  cut?: string
  query?: string
  section?: string[]
  heading?: string[]
  asset?: string[]
  keyword?: string[]
  headings: boolean
  module: ModuleKind
  onlyUsed: boolean
  prune: boolean
  dryRun: boolean
}

const several = (value: string, before: string[] = []): string[] => [...before, value]

/** `content-space pull <kit>…` */
export function pullCommand(terminal: Terminal): Command {
  return new Command('pull')
    .description(
      'write the files of a kit, with a typed module beside each; of several kits, each gets a folder of its own',
    )
    .argument('<kit...>', 'alias, slug or uuid, and @<version>')
    .requiredOption(
      '--out <dir>',
      'the folder to write; what lies there and was not pulled is never touched',
      folderPath,
    )
    .option(
      '--cut <type>',
      "the service's file cut, for example png; with `;original`, the original where there is no such cut",
    )
    .option('--query <query>', "what is made of each asset: 'w=640;1280&format=webp'")
    .option('--section <section>', 'only this section; may be repeated, as the other filters', several)
    .option('--heading <heading>', 'only what stands under this heading', several)
    .option('--asset <asset>', 'only this asset', several)
    .option('--keyword <keyword>', 'only assets with this keyword', several)
    .option('--only-used', 'only assets that the source imports', false)
    .option('--headings', 'a folder for each heading', false)
    .addOption(new Option('--module <kind>', 'how modules refer to files').choices(moduleKinds).default('url'))
    .option('--prune', 'remove what was pulled before and the kit no longer has (default)')
    .option('--no-prune', 'leave it there')
    .option('--dry-run', 'say what would be done, and do none of it', false)
    .action(async (kits: string[], flags: PullFlags) => {
      const { print, printJson, note, signal, cwd } = terminal
      const progress = await openProgress(terminal)
      const pulling = withImporter(terminal, flags, async (importer) => {
        const onProgress = (event: ProgressEvent): void => {
          if (flags.json) return
          if (event.type === 'plan') {
            progress.end()
            print(planLine(event, importer.options))
          }
          if (!flags.dryRun) progress.show(event)
        }
        return importer.pull({ kits, ...optionsOfPull(flags), signal, onProgress })
      })
      const report = await pulling.finally(() => {
        progress.end()
        if (signal.aborted && !flags.json) note('Interrupted. What was downloaded is kept: run it again for the rest.')
      })
      const kitsShown = report.kits.map((kit) => ({ ...kit, folder: relative(cwd, kit.folder) || '.' }))
      if (flags.json) return printJson({ ...report, kits: kitsShown })
      for (const line of summary(kitsShown, report)) print(line)
      for (const warning of report.warnings) note(`warning: ${warning}`)
    })
}

function optionsOfPull({
  out,
  cut,
  query,
  section,
  heading,
  asset,
  keyword,
  headings,
  module,
  onlyUsed,
  prune,
  dryRun,
}: PullFlags) {
  return {
    out,
    cut,
    query,
    sections: section,
    headings: heading,
    assets: asset,
    keywords: keyword,
    headingFolders: headings,
    module,
    onlyUsed,
    prune,
    dryRun,
  }
}

function summary(kits: readonly PulledKit[], { dryRun, downloads, bytes }: PullReport): string[] {
  if (dryRun)
    return kits.flatMap(({ folder, written, removed }) => [
      ...written.map((path) => `would write ${join(folder, path)}`),
      ...removed.map((path) => `would remove ${join(folder, path)}`),
    ])
  const paid = downloads === 0 ? 'nothing downloaded' : `downloaded ${countText(downloads, 'file')}, ${sizeText(bytes)}`
  const lines = kits.map(kitLine)
  return lines.length === 1 ? [`${lines.join('')}; ${paid}`] : [...lines, paid]
}

function kitLine({ name, folder, files, written, removed, kept }: PulledKit): string {
  const done = [
    written.length === 0 ? 'nothing has changed' : `wrote ${countText(written.length, 'file')}`,
    ...(removed.length === 0 ? [] : [`removed ${removed.length}`]),
    ...(kept.length === 0 ? [] : [`kept ${kept.length} that you have changed`]),
  ]
  return `${name}: ${countText(files, 'asset file')} in ${folder}; ${done.join(', ')}`
}

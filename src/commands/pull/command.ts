import { join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { nearestPrefix, prefixRule } from './icon-set/icon-names.js'
import { moduleKinds } from './module-kinds.js'
import type { PullOptions } from './options.js'
import type { PulledKit, PullReport } from './run.js'
import type { Engine } from '../../engine/engine.js'
import type { ProgressEvent } from '../../progress.js'
import { pick } from '../../text/pick.js'
import { countText, sizeText } from '../../text/quantities.js'
import {
  choiceOption,
  collect,
  kitName,
  optionsOutsideProjects,
  outOption,
  resolveFlags,
  usageError,
  withEngine,
  type CommonFlags,
} from '../../terminal/flags.js'
import { ended } from '../../terminal/marks.js'
import { planLine } from '../../terminal/progress.js'
import type { Waiting } from '../../terminal/waiting.js'
import type { Terminal } from '../../terminal/terminal.js'

/** Options of the command whose flags have the same names. */
const sameNames = ['cut', 'query', 'module', 'prefix', 'exclude', 'onlyUsed', 'prune', 'dryRun'] as const

interface PullFlags extends CommonFlags, Pick<PullOptions, (typeof sameNames)[number] | 'out'> {
  section?: string[]
  heading?: string[]
  asset?: string[]
  keyword?: string[]
  headings?: boolean
}

const help = `
Examples:
  npx content-space pull brand --out icons/brand.json --module iconify
  npx content-space pull brand --out src/brand --query 'w=640;1280&format=webp'

--section, --heading, --asset and --keyword can be repeated. An asset is pulled
if it matches one of the values of each flag that is given. With several kits,
each gets its own folder in --out.`

export function command(terminal: Terminal): Command {
  return new Command('pull')
    .summary('write the files of kits to a folder, with a typed module beside each file')
    .argument('<kit...>', `${kitName}, optionally with @<version>, such as brand@2`)
    .addOption(outOption('folder to write; files in it that pull did not write are never changed'))
    .option('--cut <type>', "download this file cut, such as png; 'png;original': the original if there is no such cut")
    .option('--query <query>', "convert each asset, such as 'w=640;1280&format=webp'")
    .option('--section <section>', 'only the section with this slug, uuid or short id', collect)
    .option('--heading <heading>', 'only assets below the heading with this slug, uuid or short id', collect)
    .option('--asset <asset>', 'only the asset with this slug, uuid or short id', collect)
    .option('--keyword <keyword>', 'only assets with this keyword', collect)
    .option('--exclude <asset...>', 'leave out the assets with these slugs, uuids or short ids')
    .option('--only-used', 'only assets that the source of the project imports')
    .option('--headings', 'create a folder for each heading')
    .addOption(
      choiceOption(
        '--module <kind>',
        'how modules refer to files: by URL, by import for bundlers, as CommonJS with absolute paths, or by require ' +
          'for Metro (default: what fits the project, else url); ' +
          'iconify: one icon set (IconifyJSON) of the SVGs instead, for UnoCSS, Tailwind and editors',
        [...moduleKinds, 'iconify'],
      ),
    )
    .option('--prefix <prefix>', 'with --module iconify: the prefix of the icons (default: the slug of the kit)')
    .option('--prune', 'remove files of earlier runs that are no longer part of the kit (default)')
    .option('--no-prune', 'keep files of earlier runs that are no longer part of the kit')
    .option('--dry-run', 'list what would be written and removed, and change nothing')
    .description(help)
    .action(async (kits: string[], flags: PullFlags) => {
      checkFlags(flags)
      const { print, printJson, signal, cwd } = terminal
      const resolved = await resolveFlags(terminal, flags, await optionsOutsideProjects(terminal, flags))
      let waiting: Waiting | undefined
      const onProgress = (event: ProgressEvent): void => {
        if (flags.json) return
        if (event.type === 'plan') print(planLine(event, resolved))
        if (!flags.dryRun) waiting?.progress(event)
      }
      const request: PullOptions = { kits, ...pullOptionsOf(flags, cwd), signal, onProgress }
      const work = async (engine: Engine, shown: Waiting): Promise<PullReport> => {
        waiting = shown
        return (await import('./run.js')).pull(engine, request)
      }
      const { reportUnchanged } = await import('./unchanged.js')
      const unchanged = flags.dryRun ? undefined : await reportUnchanged(resolved, request)
      const report = unchanged ?? (await withEngine(terminal, flags, work, { resolved }))
      const relativeKits = report.kits.map((kit) => ({ ...kit, folder: relative(cwd, kit.folder) || '.' }))
      if (flags.json) return printJson({ ...report, kits: relativeKits })
      const lines = reportLines(relativeKits, report)
      for (const line of lines.slice(0, -1)) print(line)
      // With --dry-run, each line is a file.
      for (const line of lines.slice(-1)) print(flags.dryRun ? line : ended(line, true, terminal))
      report.warnings.forEach(terminal.warn)
    })
}

/** Rejects flags that can't be combined, as a usage error. The command itself also rejects such options. */
function checkFlags({ module, prefix, cut, query, headings }: PullFlags): void {
  if (module !== 'iconify') {
    if (prefix !== undefined) throw usageError('--prefix can only be used with --module iconify.')
    return
  }
  const given = Object.entries({ cut, query, headings }).find(([, value]) => value !== undefined)
  if (given) throw usageError(`--${given[0]} cannot be used with --module iconify.`)
  const near = prefix === undefined ? undefined : nearestPrefix(prefix)
  if (near === undefined) return
  const next = near === '' ? '' : ` Did you mean ${near}?`
  throw usageError(`${prefix} is not a valid prefix of an icon set. ${prefixRule}${next}`)
}

function pullOptionsOf(flags: PullFlags, cwd: string): Omit<PullOptions, 'kits'> {
  return {
    ...pick(flags, sameNames),
    out: resolve(cwd, flags.out),
    sections: flags.section,
    headings: flags.heading,
    assets: flags.asset,
    keywords: flags.keyword,
    headingFolders: flags.headings,
  }
}

function reportLines(kits: readonly PulledKit[], { dryRun, downloads, bytes }: PullReport): string[] {
  if (dryRun)
    return kits.flatMap(({ folder, written, removed }) => [
      ...written.map((path) => `would write ${join(folder, path)}`),
      ...removed.map((path) => `would remove ${join(folder, path)}`),
    ])
  const downloaded =
    downloads === 0 ? 'nothing downloaded' : `downloaded ${countText(downloads, 'file')}, ${sizeText(bytes)}`
  const lines = kits.map(kitLine)
  return lines.length === 1 ? [`${lines.join('')}; ${downloaded}`] : [...lines, downloaded]
}

function kitLine({ name, folder, files, written, removed, kept }: PulledKit): string {
  const changes = [
    written.length === 0 ? 'nothing has changed' : `wrote ${countText(written.length, 'file')}`,
    ...(removed.length === 0 ? [] : [`removed ${countText(removed.length, 'file')}`]),
    ...(kept.length === 0 ? [] : [`kept ${countText(kept.length, 'file')} that you have changed`]),
  ]
  return `${name}: ${countText(files, 'asset file')} in ${folder}; ${changes.join(', ')}`
}

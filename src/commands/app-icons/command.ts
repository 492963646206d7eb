import { relative, resolve } from 'node:path'
import { Command } from 'commander'
import type { AppIconsReport } from './run.js'
import type { Engine } from '../../engine/engine.js'
import { appIconKeys, parseAppIcons, type AppIconsQuery } from '../../request/app-icons.js'
import { countText } from '../../text/quantities.js'
import { optionsOutsideProjects, outOption, throwUsage, withEngine, type CommonFlags } from '../../terminal/flags.js'
import { ended } from '../../terminal/marks.js'
import type { Terminal } from '../../terminal/terminal.js'

type AppIconsFlags = CommonFlags & { out: string } & Partial<Record<keyof AppIconsQuery, string>>

const help = `
Examples:
  npx content-space app-icons brand/acme-logo --out public
  npx content-space app-icons brand/acme-logo --out public --padding 10

Writes favicon.ico, icon.svg, apple-touch-icon.png, icon-192.png, icon-512.png,
icon-maskable-512.png and manifest.webmanifest, and prints the elements for the
head of a page.`

export function command(terminal: Terminal): Command {
  return new Command('app-icons')
    .summary('make the icons of an application and its manifest from one asset')
    .argument('<kit/asset>', 'a kit, optionally with @<version>, and one of its assets')
    .addOption(outOption('folder to write, such as public; files that content-space did not write are never changed'))
    .option('--background <color>', 'background of all icons (default: white where an icon must be opaque)')
    .option('--padding <percent>', 'space on each side, from 0 to 40 (default: 0; maskable icons: 22)')
    .option('--name <name>', 'name of the application (default: the name of the kit)')
    .option('--theme <color>', 'theme color of the manifest (default: the background)')
    .option('--dark <asset>', 'asset of the same kit that icon.svg displays in dark themes')
    .option('--display <mode>', 'display mode of the manifest (default: standalone)')
    .option('--start <address>', 'page that the application starts with (default: the folder of the manifest)')
    .description(help)
    .action(async (asset: string, flags: AppIconsFlags) => {
      const { signal, cwd } = terminal
      const query = readQuery(flags)
      const options = await optionsOutsideProjects(terminal, flags)
      const work = async (engine: Engine): Promise<AppIconsReport> => {
        const { appIcons } = await import('./run.js')
        return appIcons(engine, { asset, out: resolve(cwd, flags.out), signal, ...query })
      }
      printAppIcons(await withEngine(terminal, flags, work, { options }), flags, terminal)
    })
}

/** Rejects invalid values as a usage error before loading anything. */
function readQuery(flags: AppIconsFlags): AppIconsQuery {
  const given = Object.entries(flags).filter(([name]) => Object.hasOwn(appIconKeys, name))
  try {
    return parseAppIcons(new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString())
  } catch (error) {
    return throwUsage(error)
  }
}

function printAppIcons(report: AppIconsReport, { json }: CommonFlags, terminal: Terminal): void {
  const { print, printJson, note, cwd } = terminal
  const { written, kept, name } = report
  const out = relative(cwd, report.out) || '.'
  if (json) return printJson({ ...report, out })
  const outcome = written.length === 0 ? `${out} is up to date` : `wrote ${countText(written.length, 'file')} to ${out}`
  note(ended(`${outcome}: application icons of ${name}`, true, terminal))
  for (const file of kept) note(`kept ${file}, which was changed since it was written`)
  // Print only the elements to stdout, so that users can redirect them to a file.
  for (const line of report.html.split('\n')) print(line)
  report.warnings.forEach(terminal.warn)
}

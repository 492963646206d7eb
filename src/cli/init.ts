import { Command, Option } from 'commander'
import { paint } from '../text/display.js'
import { createBuildImporter } from '../importer.js'
import { bundlerNames, type Bundler } from './init/detect.js'
import { init, type InitReport } from './init/init.js'
import { optionsOf, type CommonFlags } from './flags.js'
import type { Terminal } from './terminal.js'

interface InitFlags extends CommonFlags {
  bundler?: Bundler
  kit?: string
}

/** `content-space init` */
export function initCommand(terminal: Terminal): Command {
  return new Command('init')
    .description('set up a project: write a configuration, and say what to add to the bundler and to the source')
    .addOption(
      new Option('--bundler <name>', 'default: the one whose configuration or package is there').choices(bundlerNames),
    )
    .option('--kit <kit>', 'slug or uuid of the kit to begin with (default: the first of the space)')
    .action(async (flags: InitFlags) => {
      const { json, config, space, spaceId, token, bundler, kit } = flags
      const given = Object.entries({ space, spaceId, token, bundler, kit }).filter(([, value]) => value !== undefined)
      const report = await init({
        ...Object.fromEntries(given),
        root: terminal.cwd,
        open: () =>
          createBuildImporter(optionsOf(flags), { root: terminal.cwd, ...(config === undefined ? {} : { config }) }),
      })
      if (json) terminal.printJson(report)
      else show(report, terminal)
    })
}

function show(
  { bundler, bundlerConfig, written, kept, plugin, import: first, warnings, next }: InitReport,
  { print, note }: Terminal,
): void {
  const heading = (title: string): void => {
    print('')
    print([paint('bold', title)])
    print('')
  }
  const block = (title: string, text: string): void => {
    heading(title)
    for (const line of text.split('\n')) print(line === '' ? '' : ['  ', paint('cyan', line)])
  }
  if (bundler) print(`found ${bundler}${bundlerConfig === undefined ? '' : ` (${bundlerConfig})`}`)
  for (const file of written) print(`wrote ${file}`)
  for (const file of kept) print(`left ${file} as it is`)
  for (const warning of warnings) note(`warning: ${warning}`)
  if (plugin !== undefined) block(`Add to ${bundlerConfig ?? `the configuration of ${bundler}`}:`, plugin)
  block('A first import:', first)
  heading('Next:')
  for (const [index, step] of next.entries()) print(`  ${index + 1}. ${step}`)
}

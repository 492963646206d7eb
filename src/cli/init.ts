import { Command, Option } from 'commander'
import { messageOf } from '../errors.js'
import { withoutStdout } from '../print.js'
import { isAddress } from '../space/is-address.js'
import { paint } from '../text/display.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { choiceOption, openForFlags, withEngine, type CommonFlags } from './flags.js'
import { bundlerNames, type Bundler } from './init/bundlers.js'
import type { InitReport } from './init/init.js'
import { changedLine } from './output/marks.js'
import { wrapped } from './output/table.js'
import { openWaiting } from './output/waiting.js'
import type { Terminal } from './terminal.js'

interface InitFlags extends CommonFlags {
  bundler?: Bundler
  demo?: boolean
  yes?: boolean
  kit?: string
}

const help = `
Examples:
  npx content-space init --demo --yes
  npx content-space init --space ./space
  npx content-space init --space https://content.example.com --space-id 4021

The address and the token of a service go to .env.local, which is added to
.gitignore. An existing configuration is kept, and what differs from it is
printed. In a terminal, init asks for what is not given, and before it changes
the configuration of the bundler.`

export function initCommand(terminal: Terminal): Command {
  return new Command('init')
    .summary('write a configuration file, and add the plugin to the bundler, or print what to add')
    .addOption(
      choiceOption(
        '--bundler <name>',
        'bundler or framework of the project (default: the one with a configuration file or a dependency)',
        bundlerNames,
      ),
    )
    .addOption(new Option('--demo', 'write a small space to try the package without a service').conflicts('space'))
    .option('--yes', 'add the plugin to the configuration of the bundler, and ask nothing')
    .option('--kit <kit>', 'slug or uuid of the kit for the first import (default: the first kit of the space)')
    .description(help)
    .action(async ({ demo, yes, ...given }: InitFlags) => {
      const { cwd, env, signal, ask, note } = terminal
      const { init, needsSpace } = await import('./init/init.js')
      const isAsking = ask !== undefined && !given.json && !yes
      const asks = isAsking && !demo && needsSpace({ ...given, cwd, env })
      const answers: InitFlags = asks ? await askForSpace(ask, given, terminal) : {}
      const written = (demo ?? answers.demo) ? await (await import('./init/demo.js')).writeDemo(cwd) : undefined
      const flags: InitFlags = { ...given, ...answers, ...(written && { space: written.folder }) }
      const { json = false } = flags
      const waiting = openWaiting(terminal, json)
      const confirm = async (file: string, lines: readonly string[]): Promise<boolean> => {
        waiting.end()
        for (const line of json ? [] : [file, ...lines]) note(changedLine(line))
        if (yes) return true
        const isNew = lines.every((line) => line.startsWith('+'))
        return /^(?:y|yes|)$/i.test((await ask?.(isNew ? 'Write it? [Y/n] ' : 'Change it? [Y/n] ')) ?? 'n')
      }
      const open = () => openForFlags(terminal, flags, waiting)
      const order = { ...flags, ...((yes || isAsking) && { confirm }), cwd, env, signal, open }
      const report = await withoutStdout(() => init(order)).finally(waiting.end)
      if (written) (written.isNew ? report.written : report.kept).unshift(written.folder)
      if (json) terminal.printJson(report)
      else printReport(report, terminal)
    })
}

/** Asks where the content comes from, until it can be read. */
async function askForSpace(
  ask: NonNullable<Terminal['ask']>,
  given: InitFlags,
  terminal: Terminal,
): Promise<Pick<InitFlags, 'space' | 'spaceId' | 'token' | 'demo'>> {
  const { readKits } = await import('../commands/kits.js')
  for (;;) {
    const space = await ask('Address of the service, or path of a folder (empty: write a small space to try it): ')
    if (space === '') return { demo: true }
    const isComplete = !isAddress(space) || !URL.canParse(space) || new URL(space).username !== ''
    const spaceId = isComplete ? undefined : await ask('Id of the space (empty if you have none): ')
    const token = isComplete ? undefined : await ask('Token (not shown): ', true)
    const flags = { space, ...omitUndefined({ spaceId, token }) }
    const reading = withEngine(terminal, { ...given, ...flags }, (engine) => readKits(engine))
    const problem = await reading.then(() => undefined, messageOf)
    if (problem === undefined) return flags
    terminal.note(problem)
  }
}

function printReport(report: InitReport, { print, note, warn, columns }: Terminal): void {
  const { bundler, bundlerConfig, edited, written, ignored, kept, different, plugin, companions, warnings, next } =
    report
  const heading = (title: string): void => {
    print('')
    print([paint('bold', title)])
    print('')
  }
  const code = (title: string, text: string): void => {
    heading(title)
    for (const line of text.split('\n')) print(line === '' ? '' : ['  ', paint('cyan', line)])
  }
  if (bundler) print(`found ${bundler}${bundlerConfig === undefined ? '' : ` (${bundlerConfig})`}`)
  for (const file of written) print(`wrote ${file}`)
  if (ignored !== undefined) print(`added ${ignored} to .gitignore`)
  if (report.unformatted.length > 0) print(`added ${report.unformatted.join(', ')} to .prettierignore`)
  if (edited) print(`added the plugin to ${bundlerConfig}`)
  for (const file of kept) print(`kept ${file}, which already exists`)
  const script = report.script && `${JSON.stringify(report.script.name)}: ${JSON.stringify(report.script.command)}`
  if (report.scriptWritten) print(`added the script ${script} to package.json`)
  for (const line of different) note(`differs: ${line}`)
  warnings.forEach(warn)
  if (plugin !== undefined) code(`Add to ${bundlerConfig ?? `the configuration of ${bundler}`}:`, plugin)
  for (const { config, line } of companions) code(`Add to ${config}:`, line)
  if (script !== undefined && !report.scriptWritten) code('Add to the scripts of package.json:', script)
  code('First import:', report.import)
  heading('Next steps:')
  for (const [index, step] of next.entries()) wrapped(`  ${index + 1}. ${step}`, columns).forEach(print)
}

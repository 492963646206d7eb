import { relative } from 'node:path'
import { Command, Option } from 'commander'
import { messageOf } from '../../errors.js'
import { withoutStdout } from '../../print.js'
import { isAddress } from '../../space/is-address.js'
import { readKitPage } from '../../space/short-id.js'
import { paint } from '../../text/display.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { choiceOption, openForFlags, withEngine, type CommonFlags, type FlagExceptions } from '../../terminal/flags.js'
import { bundlerNames, type Bundler } from './bundlers.js'
import type { InitReport } from './run.js'
import { changedLine } from '../../terminal/marks.js'
import { wrapped } from '../../terminal/table.js'
import { openWaiting } from '../../terminal/waiting.js'
import type { Terminal } from '../../terminal/terminal.js'

interface InitFlags extends CommonFlags {
  bundler?: Bundler
  demo?: boolean
  yes?: boolean
  kit?: string
}

const help = `
Examples:
  npx unplugin-content-space init --demo --yes
  npx unplugin-content-space init --space ./space
  npx unplugin-content-space init --space https://content.example.com --space-id 4021

The address and the token of a service go to .env.local, which is added to
.gitignore. An existing configuration is kept, and what differs from it is
printed. In a terminal, init asks for what is not given, and before it changes
the configuration of the bundler.`

export const flagExceptions: FlagExceptions = { frozen: { refused: 'it writes a new configuration' } }

export function command(terminal: Terminal): Command {
  return new Command('init')
    .summary('write a configuration file, and add the plugin to the bundler, or print what to add')
    .addOption(
      choiceOption(
        '--bundler <name>',
        'bundler or framework of the project (default: detected from configuration files and dependencies)',
        bundlerNames,
      ),
    )
    .addOption(new Option('--demo', 'write a small space to try the package without a service').conflicts('space'))
    .option('--yes', 'add the plugin to the configuration of the bundler, without asking')
    .option(
      '--kit <kit>',
      'slug, short id or uuid of the kit for the first import (default: the first kit of the space)',
    )
    .description(help)
    .action(async ({ demo, yes, ...given }: InitFlags) => {
      const { cwd, env, signal, ask, note } = terminal
      const [{ init, needsSpace }, { demoFolder, writeDemo }] = await Promise.all([
        import('./run.js'),
        import('./demo.js'),
      ])
      const isAsking = ask !== undefined && !given.json && !yes
      const asks = isAsking && !demo && needsSpace({ ...given, cwd, env })
      const answers: InitFlags = asks ? await askForSpace(ask, given, terminal) : {}
      const isDemo = demo ?? answers.demo ?? false
      const flags = withPage({ ...given, ...answers, ...(isDemo && { space: demoFolder }) })
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
      let isNewDemo = false
      const begin = async (): Promise<void> => {
        if (isDemo) isNewDemo = await writeDemo(cwd)
      }
      const order = { ...flags, ...((yes || isAsking) && { confirm }), cwd, env, signal, open, begin }
      const report = await withoutStdout(() => init(order)).finally(waiting.end)
      if (isDemo) (isNewDemo ? report.written : report.kept).unshift(demoFolder)
      if (report.canSync) await syncFirst(report, given, terminal)
      if (json) terminal.printJson(report)
      else printInit(report, terminal)
    })
}

/** Writes the types of existing imports, so that the first build of a project finds them. */
async function syncFirst(report: InitReport, { json, config }: InitFlags, terminal: Terminal): Promise<void> {
  const { sync } = await import('../shared/sync.js')
  const work = withEngine(terminal, omitUndefined({ json, config }), (engine) => sync(engine))
  await work.then(
    ({ refusals, written }) => {
      const names = written.map((path) => relative(terminal.cwd, path).replaceAll('\\', '/'))
      report.written.push(...names.filter((name) => !report.written.includes(name)))
      if (refusals.length > 0)
        report.warnings.push('The source has imports that fail. List them: npx content-space sync')
    },
    (error: unknown) => void report.warnings.push(`The types could not be written: ${messageOf(error)}`),
  )
}

/** If the space is the address of a kit's page, takes the space and the kit from it. */
function withPage(flags: InitFlags): InitFlags {
  const page = readKitPage(flags.space ?? '')
  return page ? { ...page, ...flags, space: page.space } : flags
}

/** Asks where the content comes from, until the content can be read. */
async function askForSpace(
  ask: NonNullable<Terminal['ask']>,
  given: InitFlags,
  terminal: Terminal,
): Promise<Pick<InitFlags, 'space' | 'spaceId' | 'token' | 'kit' | 'demo'>> {
  const { readKits } = await import('../shared/kits.js')
  let space = ''
  let spaceId = ''
  // An empty response keeps the previous value.
  const askAgain = async (question: string, before: string): Promise<string> =>
    (await ask(before === '' ? `${question}: ` : `${question} [${before}]: `)) || before
  for (;;) {
    const empty = space === '' ? ' (empty: write a small space to try it)' : ''
    const answer = await askAgain(`Address of the service or of a kit in it, or path of a folder${empty}`, space)
    if (answer === '') return { demo: true }
    const page = readKitPage(answer)
    space = page?.space ?? answer
    spaceId = page?.spaceId ?? spaceId
    const isComplete = !isAddress(space) || !URL.canParse(space) || new URL(space).username !== ''
    if (!isComplete) spaceId = await askAgain('Id of the space', spaceId)
    const token = isComplete ? undefined : await ask('Token (not shown): ', true)
    const flags = { space, ...(!isComplete && { spaceId }), ...omitUndefined({ token, kit: page?.kit }) }
    const reading = withEngine(terminal, { ...given, ...flags }, (engine) => readKits(engine))
    const problem = await reading.then(() => undefined, messageOf)
    if (problem === undefined) return flags
    terminal.signal.throwIfAborted()
    terminal.note(problem)
  }
}

function printInit(report: InitReport, { print, note, warn, columns }: Terminal): void {
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
  const scripts = report.scripts.map((script) => `${JSON.stringify(script.name)}: ${JSON.stringify(script.command)}`)
  if (report.scriptsWritten) for (const script of scripts) print(`added the script ${script} to package.json`)
  if (report.fromEnvironment.length > 0)
    print(`${report.fromEnvironment.join(', ')}: set in the environment, so init did not write them to a file`)
  for (const line of different) note(`differs: ${line}`)
  warnings.forEach(warn)
  if (plugin !== undefined) code(`Add to ${bundlerConfig ?? `the configuration of ${bundler}`}:`, plugin)
  for (const { config, line } of companions) code(`Add to ${config}:`, line)
  if (scripts.length > 0 && !report.scriptsWritten) code('Add to the scripts of package.json:', scripts.join(',\n'))
  code('First import:', report.import)
  heading('Next steps:')
  for (const [index, step] of next.entries()) wrapped(`  ${index + 1}. ${step}`, columns).forEach(print)
}

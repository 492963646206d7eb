import type { Command } from 'commander'
import { groups } from './commands.js'
import { readPackage } from '../terminal/package.js'
import type { Terminal } from '../terminal/terminal.js'

export { openTerminal } from '../terminal/terminal.js'

const commands = new Map(Object.values(groups).flatMap((group) => Object.entries(group)))

/** The group of `complete` and of the commands that Commander adds. */
const lastGroup = 'More:'

const examples = `
Examples:
  npx unplugin-content-space init    set up this project
  npx content-space ls brand         list what a kit contains, and its imports
  npx content-space sync             lock and type what the source imports
  npx content-space diff             see what a newer version would change
  npx content-space update brand     update to it`

const versionFlags = ['-V', '--version']

export const exitCodes = { done: 0, failed: 1, usage: 2, SIGINT: 130, SIGTERM: 143 }

/**
 * Runs a command, and prints its result or its error.
 * @param args the arguments after the name of the program
 * @returns the exit code
 */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  if (args.length === 1 && versionFlags.includes(args[0] ?? '')) {
    // Print the version before loading any library.
    terminal.print(readPackage().version)
    return exitCodes.done
  }
  const [{ CommanderError }, { usageCode }] = await Promise.all([import('commander'), import('../terminal/flags.js')])
  try {
    // For an unknown name after `help`, Commander prints all commands. Treat it as a command instead, so that it is an
    // error.
    const words = args[0] === 'help' && args[1] !== undefined && !isCommand(args[1]) ? args.slice(1) : args
    const program = await createProgram(words, terminal)
    await program.parseAsync(words, { from: 'user' })
    return terminal.hasFailed() ? exitCodes.failed : exitCodes.done
  } catch (error) {
    const { errorLines, usageErrorLines } = await import('../terminal/errors.js')
    const width = terminal.screen?.columns
    if (error instanceof CommanderError) {
      // Commander has already printed its own errors.
      if (error.code === usageCode) usageErrorLines(error.message, width).forEach(terminal.note)
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    }
    const { signal, note } = terminal
    if (signal.aborted) note((await import('../commands/shared/interrupted.js')).interrupted(args[0] !== 'init'))
    else errorLines(error, width).forEach(note)
    return exitCodes.failed
  }
}

const isCommand = (name: string): boolean => commands.has(name) || name === 'complete' || name === 'help'

/** Creates the program with the requested command, or with all commands for help, completion and mistyped names. */
async function createProgram(words: readonly string[], terminal: Terminal): Promise<Command> {
  const [name = ''] = words
  const { version, description } = readPackage()
  const [{ Command }, { withCommonFlags }, { helpLines }, { usageErrorLines }] = await Promise.all([
    import('commander'),
    import('../terminal/flags.js'),
    import('../terminal/help.js'),
    import('../terminal/errors.js'),
  ])
  const program = new Command('content-space')
    .description(`${description}\n${examples}`)
    .commandsGroup(lastGroup)
    .version(version, versionFlags.join(', '), 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => helpLines(text).forEach(terminal.print),
      writeErr(text) {
        const isError = text.startsWith('error: ')
        const lines = isError ? usageErrorLines(text, terminal.screen?.columns) : helpLines(text)
        lines.forEach(terminal.note)
      },
    })
  if (versionFlags.includes(name)) return program
  const requested = commands.get(name)
  for (const [title, group] of Object.entries(groups)) {
    program.commandsGroup(title)
    for (const load of Object.values(group)) {
      if (requested && load !== requested) continue
      const { command: create, flagExceptions = {} } = await load()
      const command = create(terminal)
      // Lists of commands contain only summaries.
      command.description(requested ? `${command.summary()}\n${command.description()}` : command.summary())
      program.addCommand(
        withCommonFlags(command, flagExceptions, requested !== undefined).copyInheritedSettings(program),
      )
    }
  }
  if (requested) return program
  program.commandsGroup(lastGroup)
  const { addCompletion, completeCommand } = await import('../commands/complete/command.js')
  if (name === 'complete') await addCompletion(program, words, terminal)
  else program.addCommand(completeCommand().copyInheritedSettings(program))
  return program
}

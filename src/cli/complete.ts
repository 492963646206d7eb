import { Argument, Command } from 'commander'

const description = 'print a completion script for a shell'
const shells = ['zsh', 'bash', 'fish', 'powershell']

/** Declares `content-space complete` for help only. `addCompletion` adds the action, which needs all other commands. */
export function completeCommand(): Command {
  return new Command('complete')
    .description(description)
    .addArgument(new Argument('[shell]', 'the shell').choices(shells))
    .addHelpText('after', '\nExample for bash:\n  source <(content-space complete bash)')
}

/** Adds `content-space complete [shell]` to a program with all its commands. */
export async function addCompletion(program: Command): Promise<void> {
  const { default: tab } = await import('@bomb.sh/tab/commander')
  tab(program)
  program.commands.find((command) => command.name() === 'complete')?.description(description)
}

import { Argument, Command } from 'commander'
import { printedBy } from '../../print.js'
import { choiceParser } from '../../terminal/flags.js'
import type { Terminal } from '../../terminal/terminal.js'

const summary = 'print a completion script for a shell'
const shells = ['zsh', 'bash', 'fish', 'powershell']
const name = 'content-space'
/** The programs of the package. npx runs the second one if the package isn't installed. */
const names = [name, 'unplugin-content-space']

const help = `
Example for bash, where the package is installed in the project:
  source <(npx content-space complete bash)

The script completes npx content-space, in any project that has the package, and
content-space. Paste the line into .bashrc with a global installation only.`

/**
 * Declares `content-space complete`, so that `--help` lists it. `addCompletion` adds the action, because that requires
 * all other commands.
 */
export function completeCommand(): Command {
  return new Command('complete')
    .summary(summary)
    .description(`${summary}\n${help}`)
    .addArgument(new Argument('[shell]', 'the shell').choices(shells))
}

/**
 * The programs that the script completes. Each has the command that the script calls with `complete --` and the words
 * of the line. A package that is installed in a project doesn't put its program on the path, so npx is also completed
 * if the line begins with one of our commands.
 */
const programs = { [name]: name, npx: `npx --no ${name} complete npx` }

/**
 * Adds `content-space complete [shell]` to a program with all its commands.
 * @param words the words of the command line, from `complete`
 */
export async function addCompletion(program: Command, words: readonly string[], { printAll }: Terminal): Promise<void> {
  const [{ default: addTab }, { default: tab }] = await Promise.all([
    import('@bomb.sh/tab/commander'),
    import('@bomb.sh/tab'),
  ])
  addTab(program)
  const complete = program.commands.find((command) => command.name() === 'complete')
  complete?.summary(summary).action((shell: string = '') => {
    const start = words.indexOf('--')
    if (start === -1) {
      const chosen = choiceParser('The shell', shells)(shell)
      for (const [completed, call] of Object.entries(programs)) {
        const script = printedBy(() => tab.setup(completed, call, chosen))
        printAll((chosen === 'bash' ? bashScript(script) : script).split('\n'))
      }
      return
    }
    const [first = '', ...line] = words.slice(start + 1)
    if (words[1] !== 'npx') tab.parse([first, ...line])
    else if (names.includes(first) && line.length > 0) tab.parse(line)
    // The number tells the shell that file names may follow, because npx runs other programs, too.
    else printAll([...(line.length === 0 ? names.filter((one) => one.startsWith(first)) : []), ':0'])
  })
}

/** Called by the bash script if the package bash-completion isn't installed. */
const wordsOfLine = `
declare -F _get_comp_words_by_ref > /dev/null || _get_comp_words_by_ref() {
    words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur=\${COMP_WORDS[COMP_CWORD]}
}
`

/**
 * Makes a bash script work everywhere. Its constants would cause errors if it is loaded twice, or if another program's
 * script defines them, too. Lets bash complete file names if the script allows it.
 */
function bashScript(script: string): string {
  const constant = /^readonly (ShellCompDirective\w+)=(\d+)$/gm
  const inlined = [...script.matchAll(constant)].reduce(
    (text, [line, own = '', value = '']) => text.replace(line, '').replaceAll(`$${own})`, `${value})`),
    script,
  )
  return `${wordsOfLine}${inlined.replace(/^complete -F/m, 'complete -o default -F')}`
}

import { sanitizeError } from '../errors.js'
import { printText, processOutputs } from '../print.js'
import { exitCodes, openTerminal, run } from './main.js'
import type { TerminalProcess } from '../terminal/terminal.js'

/** Milliseconds within which a command must end after an interruption. */
const gracePeriod = 1000

const interrupt = () => process.emit('SIGINT', 'SIGINT')

/** Runs the command line in this process. */
export async function start(): Promise<void> {
  const { stdin } = process
  const { stdout, stderr } = processOutputs()
  const interruption = new AbortController()
  const { signal } = interruption
  const ask: TerminalProcess['ask'] = async (...asked) =>
    (await import('../terminal/ask.js')).askUser({ input: stdin, interrupt }, ...asked)
  const io = { stdin, stdout, stderr, env: process.env, cwd: process.cwd(), signal }
  const terminal = openTerminal(stdin.isTTY ? { ...io, ask } : io)

  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    // The second signal ends the process immediately.
    process.on(name, () => {
      if (signal.aborted) process.exit(exitCodes[name])
      process.exitCode = exitCodes[name]
      setTimeout(() => process.exit(), gracePeriod).unref()
      interruption.abort()
    })
  }
  // Show the cursor again even if the process ends early.
  process.on('exit', terminal.close)
  // If the reader of the output stops early, as in `| head`, the command hasn't failed.
  stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed),
  )
  // Handle this ourselves, because Node would print the message unescaped.
  process.on('uncaughtException', (error) => {
    sanitizeError(error)
    terminal.close()
    printText(stderr, `${error.stack ?? error.message}\n`)
    process.exit(exitCodes.failed)
  })

  const code = await run(process.argv.slice(2), terminal)
  process.exitCode ??= code
}

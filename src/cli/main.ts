#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { jsonText } from '../text/display.js'
import { ContentSpaceError, sanitizeError } from '../errors.js'
import { onOutputError, printJson, printLine, printText, screenOf } from '../print.js'
import type { Terminal } from './terminal.js'

/** One file a command, loaded when it may be the one; each is made with the terminal that it prints to. */
const commands: ReadonlyMap<string, () => Promise<(terminal: Terminal) => Command>> = new Map([
  ['init', async () => (await import('./init.js')).initCommand],
  ['sync', async () => (await import('./sync.js')).syncCommand],
  ['pull', async () => (await import('./pull.js')).pullCommand],
  ['update', async () => (await import('./update.js')).updateCommand],
  ['diff', async () => (await import('./diff.js')).diffCommand],
  ['verify', async () => (await import('./verify.js')).verifyCommand],
  ['ls', async () => (await import('./ls.js')).lsCommand],
  ['mirror', async () => (await import('./mirror.js')).mirrorCommand],
  ['cache', async () => (await import('./cache.js')).cacheCommand],
  ['serve', async () => (await import('./serve.js')).serveCommand],
])

/** Names the reason of errors when too many files are open: from then on, nothing more can be loaded. */
let openFiles: typeof import('../disk/open-files.js') | undefined

const exitCodes = { done: 0, failed: 1, usage: 2, SIGINT: 130, SIGTERM: 143 }

/** A command that has not ended by then is ended. */
const graceMilliseconds = 1000

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Not once: what draws the bar ends the process at once where nobody listens any more.
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(exitCodes[signal])
    process.exitCode = exitCodes[signal]
    setTimeout(() => process.exit(), graceMilliseconds).unref()
    interrupted.abort()
  })
}
// a reader that has seen enough (`| head`) is no failure
onOutputError((error) => process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed))
// Node would print the message as it is.
process.on('uncaughtException', (error) => {
  report(error)
  process.exit(exitCodes.failed)
})

const code = await run(process.argv.slice(2), {
  print: (line) => printLine('stdout', line),
  printJson: (value) => printJson(jsonText(value)),
  note: (line) => printLine('stderr', line),
  screen: screenOf(process.env),
  fail: () => void (process.exitCode ??= exitCodes.failed),
  signal: interrupted.signal,
  cwd: process.cwd(),
})
process.exitCode ??= code

async function run(args: string[], terminal: Terminal): Promise<number> {
  const { version, description } = readPackage()
  // Printed before any library is loaded.
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    terminal.print(version)
    return exitCodes.done
  }
  openFiles = await import('../disk/open-files.js')
  const [{ Command, CommanderError }, { withCommonFlags }] = await Promise.all([
    import('commander'),
    import('./flags.js'),
  ])
  const program = new Command('content-space').description(description).version(version).exitOverride()
  program.configureOutput({
    writeOut: (text) => printText('stdout', text),
    writeErr: (text) => printText('stderr', text),
  })
  const asked = commands.get(args[0] ?? '')
  for (const load of asked ? [asked] : commands.values()) {
    const create = await load()
    program.addCommand(withCommonFlags(create(terminal)).copyInheritedSettings(program))
  }
  // Help and completion know of all commands.
  if (!asked) (await import('@bomb.sh/tab/commander')).default(program)
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.done
  } catch (error) {
    // commander has printed its own
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    if (!terminal.signal.aborted) report(error)
    return exitCodes.failed
  }
}

/** A message is for the user; a stack only for us, when it is our bug. */
function report(error: unknown): void {
  sanitizeError(error)
  printText('stderr', `${error instanceof ContentSpaceError ? error.message : textOf(error)}\n`)
}

function textOf(error: unknown): string {
  if (openFiles?.isTooManyFiles(error)) return openFiles.tooManyFilesError(error).message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Reads the package file of this package, whose fields are known. */
function readPackage(): { version: string; description: string } {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
}

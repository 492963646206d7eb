import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { freePort } from '../../support/free-port.js'

/** How to run a command. */
export interface Running {
  cwd: string
  env: Record<string, string>
}

/** A command that runs in its own process group. */
interface Started {
  /** The output so far, without colors. */
  output(this: void): string
  /** Resolves with the exit code. */
  ended: Promise<number | null>
  /** Ends the command and its children. */
  stop(this: void): Promise<void>
}

/** A running server and the URL of its first page. */
export interface Site {
  url: string
  output(this: void): string
  stop(this: void): Promise<void>
}

function start(command: string, args: readonly string[], { cwd, env }: Running): Started {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  const kill = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // All processes in the group have ended.
    }
  }
  return {
    output: () => stripVTControlCharacters(Buffer.concat(chunks).toString()),
    ended,
    async stop() {
      kill('SIGTERM')
      await Promise.race([ended, setTimeout(3000)])
      kill('SIGKILL')
      await ended
    },
  }
}

/**
 * Runs a command to its end.
 * @returns what it printed
 * @throws Error with the output if the exit code is not 0
 */
export async function run(command: string, args: readonly string[], running: Running): Promise<string> {
  const { ended, output } = start(command, args, running)
  const code = await ended
  if (code === 0) return output()
  throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output()}`)
}

/**
 * Starts a server and waits until it answers.
 * @param args returns the arguments, given a free port
 * @param path the path of the first page
 */
export async function serve(
  command: string,
  args: (port: number) => readonly string[],
  path: string,
  running: Running,
): Promise<Site> {
  const port = await freePort()
  const env = { ...running.env, PORT: String(port), HOST: '127.0.0.1' }
  const { ended, output, stop } = start(command, args(port), { ...running, env })
  const url = `http://127.0.0.1:${port}${path}`
  const state = { ended: false }
  void ended.then(() => (state.ended = true))
  for (let tries = 0; tries < 600 && !state.ended; tries++) {
    // While a dev server is starting, it may never answer its first request.
    const response = await fetch(url, { signal: AbortSignal.timeout(60_000) }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return { url, output, stop }
    await setTimeout(200)
  }
  await stop()
  throw new Error(`${command} did not serve ${url}:\n${output()}`)
}

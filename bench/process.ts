import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import type { Usage } from './compare.js'
import { settings } from './settings.js'

/** Returns the path of the package's command. */
export function cli(): string {
  return join(settings().folder, 'dist/cli/bin.js')
}

const usage = v.object({ cpu: v.number(), memory: v.number() })

const reportUsage = `--import=${new URL('usage.js', import.meta.url).href}`

export interface Finished extends Required<Usage> {
  stdout: string
  stderr: string
}

export interface ProcessOptions {
  /** By default, the package's folder, where scripts can import the package and its libraries by name. */
  cwd?: string
  /** Replaces the environment except `PATH` and `HOME`. By default, this process's environment. */
  env?: Record<string, string>
  /** Text for the standard input. */
  input?: string | undefined
}

/** Runs Node and measures it from start to end. Rejects if the exit code isn't 0. */
export async function runNode(args: readonly string[], options: ProcessOptions = {}): Promise<Finished> {
  const { cwd = settings().folder, env, input = '' } = options
  const { PATH = '', HOME = '' } = process.env
  const started = performance.now()
  const child = spawn(settings().node, [reportUsage, ...args], {
    cwd,
    env: env === undefined ? process.env : { PATH, HOME, ...env },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    timeout: 600_000,
  })
  const ended = new Promise<{ code: number | null; wall: number }>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve({ code, wall: performance.now() - started }))
  })
  child.stdin.end(input)
  const report = child.stdio[3]
  if (!(report instanceof Readable)) throw new Error('Node has no pipe for the report.')
  const [{ code, wall }, stdout, stderr, measured] = await Promise.all([
    ended,
    text(child.stdout),
    text(child.stderr),
    text(report),
  ])
  if (code !== 0) throw new Error(`node ${args.join(' ')} failed with exit code ${code}:\n${stderr || stdout}`)
  return { wall, ...v.parse(usage, JSON.parse(measured)), stdout, stderr }
}

/** Runs a script as a module. Its working directory is `cwd`, and it finds the package and its libraries. */
export function runScript(
  code: string,
  { cwd = settings().folder, ...options }: ProcessOptions = {},
): Promise<Finished> {
  const script = `process.chdir(${JSON.stringify(cwd)})\n${code}`
  return runNode(['--input-type=module', '--eval', script], options)
}

/** A script that runs until it is stopped. */
export interface Running {
  /** Returns the rest of the next line that begins with a prefix. */
  read(prefix: string): Promise<string>
  /** Returns the processor time since the start in milliseconds, and discards lines that haven't been read. */
  cpu(): Promise<number>
  /** Sends a line to the standard input. */
  say(line: string): void
  stop(): Promise<void>
}

/** Starts a script as a module, such as a server. It finds the package and its libraries. */
export function startScript(code: string, cwd: string): Running {
  const script = `process.chdir(${JSON.stringify(cwd)})
    const { childrenTime } = await import(${JSON.stringify(new URL('children.js', import.meta.url).href)})
    process.stdin.on('data', (text) => {
      const { user, system } = process.cpuUsage()
      if (String(text) === 'cpu\\n') console.log('cpu ' + ((user + system) / 1000 + childrenTime()))
    })
    ${code}`
  const child = spawn(settings().node, ['--input-type=module', '--eval', script], {
    cwd: settings().folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const say = (line: string): void => void child.stdin.write(`${line}\n`)
  async function read(prefix: string): Promise<string> {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error(`The script has ended before a line with ${prefix}.`)
      if (value.startsWith(prefix)) return value.slice(prefix.length)
    }
  }
  return {
    read,
    say,
    async cpu() {
      say('cpu')
      return Number(await read('cpu '))
    },
    async stop() {
      if (child.exitCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}

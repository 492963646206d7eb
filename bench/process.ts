import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import type { Usage } from './compare.js'

export const repository = fileURLToPath(new URL('..', import.meta.url))
/** The command of this package. */
export const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

const usage = v.object({ userCPUTime: v.number(), systemCPUTime: v.number(), maxRSS: v.number() })

/** Writes what the process has taken to file descriptor 3, which in forked processes is a channel. */
const reportUsage = `--import=data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs'
  import { isMainThread } from 'node:worker_threads'
  if (isMainThread && process.send === undefined)
    process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())))`)}`

export interface Finished extends Required<Usage> {
  stdout: string
  stderr: string
}

export interface ProcessOptions {
  /** Default: the repository, so that scripts find its packages. */
  cwd?: string
  /** Replaces the environment, except `PATH` and `HOME`. Default: the environment of this process. */
  env?: Record<string, string>
  /** Text for the standard input. */
  input?: string
}

/**
 * Runs Node from its start to its end, and measures it. Processes that it starts itself are not counted.
 * Rejects if its exit code is not 0.
 */
export async function runNode(args: readonly string[], options: ProcessOptions = {}): Promise<Finished> {
  const { cwd = repository, env, input = '' } = options
  const { PATH = '', HOME = '' } = process.env
  const started = performance.now()
  const child = spawn(process.execPath, [reportUsage, ...args], {
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
  const { userCPUTime, systemCPUTime, maxRSS } = v.parse(usage, JSON.parse(measured))
  return { wall, cpu: (userCPUTime + systemCPUTime) / 1000, memory: maxRSS / 1024, stdout, stderr }
}

/** Runs a script that is a module. Its working directory is `cwd`, and its packages are those of the repository. */
export function runScript(code: string, { cwd = repository, ...options }: ProcessOptions = {}): Promise<Finished> {
  const script = `process.chdir(${JSON.stringify(cwd)})\n${code}`
  return runNode(['--input-type=module', '--eval', script], options)
}

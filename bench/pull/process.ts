import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as v from 'valibot'
import { median } from '../compare.js'

/** Prints the use of resources as the last line of stderr. */
const printUsage = `--import=data:text/javascript,process.on('exit',()=>console.error(JSON.stringify(process.resourceUsage())))`

const usage = v.object({ maxRSS: v.number(), userCPUTime: v.number(), systemCPUTime: v.number() })

/** What one process used. */
export interface ProcessRun {
  /** Milliseconds. */
  time: number
  /** Milliseconds of all processors, user and system. */
  processor: number
  /** MB. */
  memory: number
  stdout: string
}

/** Runs Node. Rejects if its exit code is not 0. */
export async function runNode(args: string[], cwd: string, env: Record<string, string>): Promise<ProcessRun> {
  const started = performance.now()
  const running = spawn(process.execPath, [printUsage, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    timeout: 120_000,
  })
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  running.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  running.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  const [code]: unknown[] = await once(running, 'close')
  const time = performance.now() - started
  const errors = Buffer.concat(stderr).toString()
  if (code !== 0) throw new Error(`node ${args.join(' ')} failed with exit code ${String(code)}:\n${errors}`)
  const used = v.parse(usage, JSON.parse(errors.trim().split('\n').at(-1) ?? ''))
  return {
    time,
    processor: (used.userCPUTime + used.systemCPUTime) / 1000,
    memory: used.maxRSS / 1024,
    stdout: Buffer.concat(stdout).toString(),
  }
}

/** Returns the medians of runs. */
export function medians(runs: readonly ProcessRun[]): Omit<ProcessRun, 'stdout'> {
  const of = (key: 'time' | 'processor' | 'memory'): number => median(runs.map((run) => run[key]))
  return { time: of('time'), processor: of('processor'), memory: of('memory') }
}

import { execFileSync } from 'node:child_process'
import { vi, expect } from 'vitest'

/** Returns the child processes that convert files. @param of the process id of their parent */
export function converters(of: number | undefined = process.pid): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args=']).toString().split('\n')
  return lines.flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)/.exec(line) ?? []
    return Number(parent) === of && line.includes('convert/worker.js') ? [Number(pid)] : []
  })
}

/** Ends the children of earlier tests, because pools share idle children. */
export async function endConverters(): Promise<void> {
  for (const child of converters()) process.kill(child, 'SIGKILL')
  await vi.waitFor(() => expect(converters()).toEqual([]))
  vi.resetModules()
}

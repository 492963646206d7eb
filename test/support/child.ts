import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Returns the first line that a process prints. */
export async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('The process has no output.')
  for await (const line of createInterface(stdout)) return line
  throw new Error('The process printed nothing.')
}

/**
 * Waits for a process to end.
 * @returns the exit code and the text on stderr
 */
export async function ended(child: ChildProcess): Promise<[unknown, string]> {
  const chunks: string[] = []
  child.stderr?.on('data', (chunk) => chunks.push(String(chunk)))
  const [code] = await once(child, 'close')
  return [code, chunks.join('')]
}

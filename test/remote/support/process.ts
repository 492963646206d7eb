import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A cache server that a test has started. */
export interface Engine {
  /** The option `remote`. */
  remote: string
  /** Sends a signal to its process. */
  signal(name: NodeJS.Signals): void
  stop(): Promise<void>
  /** The folder with its files, if it has one. */
  folder: string
}

/** Waits until a port accepts connections. */
export async function listening(port: number, child: ChildProcess): Promise<void> {
  // Kills the server if a worker ends early, for example after a time-out.
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    await wait(50)
  }
  end()
  throw new Error(`Nothing listens on port ${port}.`)
}

export const newFolder = () => mkdtemp(join(tmpdir(), 'content-space-remote-'))

export function stopProcess(child: ChildProcess, folder: string): () => Promise<void> {
  return async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    // A stopped process ends only after it continues.
    child.kill('SIGCONT')
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

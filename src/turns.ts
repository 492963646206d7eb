import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lock } from 'proper-lockfile'
import { isRunning } from './running.js'

/** Milliseconds between looks. */
const patience = 100

/**
 * Runs that are about one folder work one after the other. This saves work and keeps the reports of both true; it
 * guards nothing: where no lock can be had, or one is lost, each file is whole all the same.
 * @param cacheDir where the lock is, for all processes of this user
 */
export async function inTurn<T>(folder: string, cacheDir: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const release = await takeTurn(join(cacheDir, 'pulling'), createHash('sha256').update(folder).digest('hex'), signal)
  try {
    return await work()
  } finally {
    await release()
  }
}

async function takeTurn(locks: string, name: string, signal: AbortSignal): Promise<() => Promise<void>> {
  const path = join(locks, name)
  const holder = `${path}.pid`
  try {
    await mkdir(locks, { recursive: true, mode: 0o700 })
    for (;;) {
      signal.throwIfAborted()
      const release = await lock(path, { realpath: false, onCompromised: () => {} }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ELOCKED') throw error
      })
      if (release) {
        await writeFile(holder, String(process.pid))
        return () => rm(holder, { force: true }).then(() => release()).catch(() => {})
      }
      await expire(`${path}.lock`, holder)
      await sleep(patience, undefined, { signal }).catch(() => {})
    }
  } catch {
    signal.throwIfAborted()
    return async () => {}
  }
}

/** A killed process cannot give back its lock: one that is old is taken over at once. */
async function expire(path: string, holder: string): Promise<void> {
  const pid = Number(await readFile(holder, 'utf8').catch(() => ''))
  if (pid > 0 && !isRunning(pid)) await utimes(path, 0, 0).catch(() => {})
}

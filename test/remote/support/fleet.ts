import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Options } from 'unplugin-content-space'
import * as v from 'valibot'

const lockName = 'content-space.lock.json'
const script = fileURLToPath(new URL('runners.js', import.meta.url))

const results = v.array(v.object({ files: v.number(), warnings: v.array(v.string()) }))

export interface Fleet {
  /** How many files each runner has received, and all warnings. */
  files: number[]
  warnings: string[]
  /** The lockfiles without duplicates. */
  locks: string[]
}

interface FleetSize {
  runners: number
  processes: number
  /** Milliseconds between the starts of runners in one process. */
  apart: number
  /** The lockfile of each runner. By default, none. */
  lock?: string
}

/** Runs runners concurrently in a few processes, because a machine can't run hundreds of processes. */
export async function runFleet(
  { runners: count, processes, apart, lock }: FleetSize,
  source: string,
  options: Options,
): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), 'content-space-fleet-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const roots = Array.from({ length: count }, (_, at) => join(folder, String(at)))
  await Promise.all(
    roots.map(async (root) => {
      await mkdir(root)
      await writeFile(join(root, 'main.js'), source)
      if (lock !== undefined) await writeFile(join(root, lockName), lock)
    }),
  )
  const shares = Array.from({ length: processes }, (_, at) => roots.filter((_root, index) => index % processes === at))
  const ran = (await Promise.all(shares.map((share) => resultsOf(startFleet(share, options, apart))))).flat()
  const locks = await Promise.all(roots.map((root) => readFile(join(root, lockName), 'utf8')))
  return {
    files: ran.map((one) => one.files),
    warnings: ran.flatMap((one) => one.warnings),
    locks: [...new Set(locks)],
  }
}

/** Starts runners in one process. */
export function startFleet(roots: readonly string[], options: Options, apart = 0): ChildProcess {
  const child = spawn(process.execPath, [script, JSON.stringify({ roots, options, apart })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function resultsOf(child: ChildProcess) {
  const chunks: string[] = []
  child.stdout?.on('data', (chunk) => void chunks.push(String(chunk)))
  await once(child, 'close')
  return v.parse(results, JSON.parse(chunks.join('')))
}

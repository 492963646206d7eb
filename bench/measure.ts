import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type PluginOption } from 'vite'

/** Runs with a folder of its own, which is gone afterwards. */
export async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'content-space-bench-'))
  try {
    return await run(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Milliseconds of wall time. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return Math.round(performance.now() - started)
}

/** The middle of several runs, of which the first is thrown away: it pays for what the process loads. */
export async function median(runs: number, run: () => Promise<unknown>): Promise<number> {
  await run()
  const times: number[] = []
  for (let count = 0; count < runs; count++) times.push(await timed(run))
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN
}

/** A production build of `main.js` of a folder with Vite. */
export async function viteBuild(root: string, ...plugins: PluginOption[]): Promise<void> {
  await build({ root, configFile: false, logLevel: 'error', plugins, build: { rolldownOptions: { input: join(root, 'main.js') } } })
}

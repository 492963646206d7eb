import { resolve } from 'node:path'
import { ContentSpaceError } from '../../errors.js'
import type { Engine } from '../../engine/engine.js'
import type { BundlerHost } from './host.js'

const quietMilliseconds = 500
const searchMilliseconds = 3000

/**
 * Writes the lockfile and the declarations, one write at a time, and logs what a build used.
 * @param open returns the engine, and opens it if no hook has opened it before `writeSoon` is called
 */
export function createProjectWriter(host: BundlerHost, open: () => Promise<Engine>) {
  const loggedWarnings = new Set<string>()
  const loggedErrors = new Set<string>()
  let loggedSummary = ''
  let finished: Engine | undefined
  let timer: NodeJS.Timeout | undefined
  let searching: NodeJS.Timeout | undefined
  /** The files that may have changed since the last write. Undefined if any file may have changed. */
  let changed: Set<string> | undefined
  let currentWrite: Promise<unknown> = Promise.resolve()

  /** @returns the lines of the summary */
  async function write(engine: Engine): Promise<string[]> {
    const files = host.command === 'build' ? undefined : changed
    changed = new Set()
    clearTimeout(searching)
    if (files) searching = setTimeout(search, searchMilliseconds).unref()
    const summary = currentWrite.then(async () => (await import('./content.js')).finish(engine, files))
    currentWrite = summary.catch(() => void (changed = undefined))
    const { summaryLines } = await import('./content.js')
    const { warnings, lines } = summaryLines(await summary)
    const { logged } = host.together ?? { logged: loggedWarnings }
    for (const warning of warnings) if (!logged.has(warning)) host.log.warn(warning)
    for (const warning of warnings) logged.add(warning)
    return lines
  }

  function logFileError(error: unknown): void {
    if (!(error instanceof ContentSpaceError) || error.code !== 'fileSystem' || loggedErrors.has(error.message)) return
    loggedErrors.add(error.message)
    host.log.error(error.message)
  }

  function writeNow(): void {
    // Ignore errors here, because the hooks that load modules report invalid options and imports.
    open().then(
      (engine) => write(engine).catch(logFileError),
      () => {},
    )
  }

  function search(): void {
    changed = undefined
    writeNow()
  }

  /**
   * Writes after half a second without another call, while a bundler watches or serves. Editors need current
   * declarations even though a dev server never finishes a build and a failed build doesn't call `finish`.
   */
  function writeSoon(): void {
    clearTimeout(timer)
    if (host.command !== 'build' && !host.isChild) timer = setTimeout(writeNow, quietMilliseconds).unref()
  }

  return {
    writeSoon,
    /** Called when a build starts. Several builds may run concurrently. */
    begin(this: void): void {
      finished?.stats.next()
      finished = undefined
    },
    /**
     * Like `writeSoon`, for a source file that may have changed. The next write searches only changed files for
     * imports. A write after a quiet period checks all other files, because bundlers don't report files that contain
     * only types.
     * @param file a path, or the id of a module; by default, any file may have changed
     */
    sourceChanged(this: void, file?: string): void {
      writeSoon()
      const [path] = file?.split('?') ?? []
      if (path === undefined) changed = undefined
      else changed?.add(resolve(path))
    },
    /**
     * Writes after a build and logs its summary, unless another output of the same build has logged the same summary.
     */
    async finish(engine: Engine): Promise<void> {
      // This write replaces the scheduled one.
      clearTimeout(timer)
      const lines = await write(engine)
      finished = engine
      const summary = lines.join()
      if (host.command === 'serve' || summary === loggedSummary) return
      loggedSummary = summary
      const log = (): void => lines.forEach((line) => host.log.info(line))
      if (host.together) host.together.atEnd(log)
      else log()
    },
    /** Waits for the current write, because bundlers may close before their last hook has ended. */
    async close(): Promise<void> {
      loggedSummary = ''
      clearTimeout(timer)
      clearTimeout(searching)
      await currentWrite
    },
  }
}

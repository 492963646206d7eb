import type { BuildImporter } from '../../importer.js'
import type { BundlerHost } from './host.js'

/** Writes the lockfile and the declarations, one write at a time, and logs what a build used. */
export interface BuildRecord {
  /**
   * Writes after half a second without another call, while a bundler watches or serves: a dev server has no end of a
   * build, and a build that fails needs the declarations most.
   */
  writeSoon(this: void): void
  /** Writes after a build, and logs its summary, unless another output of the same build had the same one. */
  finish(importer: BuildImporter): Promise<void>
  /** Waits for the current write: bundlers close while their last hook still runs. */
  close(): Promise<void>
}

const quietMilliseconds = 500

/** @param openImporter opens it when `writeSoon` is the first to need it */
export function createBuildRecord(host: BundlerHost, openImporter: () => Promise<BuildImporter>): BuildRecord {
  const loggedWarnings = new Set<string>()
  let loggedSummary = ''
  let timer: NodeJS.Timeout | undefined
  let currentWrite: Promise<unknown> = Promise.resolve()

  /** @returns the lines of the summary */
  async function write(importer: BuildImporter): Promise<string[]> {
    const summary = currentWrite.then(() => importer.finish())
    currentWrite = summary.catch(() => {})
    const { summaryLines } = await import('./build-report.js')
    const { warnings, lines } = summaryLines(await summary)
    for (const warning of warnings) if (!loggedWarnings.has(warning)) host.log.warn(warning)
    for (const warning of warnings) loggedWarnings.add(warning)
    return lines
  }

  return {
    writeSoon() {
      clearTimeout(timer)
      if (host.command === 'build') return
      timer = setTimeout(() => {
        // Invalid options and imports are reported by the hooks that load modules.
        openImporter()
          .then(write)
          .catch(() => {})
      }, quietMilliseconds).unref()
    },
    async finish(importer) {
      const lines = await write(importer)
      const summary = lines.join()
      if (host.command === 'serve' || summary === loggedSummary) return
      loggedSummary = summary
      for (const line of lines) host.log.info(line)
    },
    async close() {
      loggedSummary = ''
      clearTimeout(timer)
      await currentWrite
    },
  }
}

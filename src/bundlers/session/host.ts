import type { Host } from '../../config/options.js'
import { consoleLog } from '../../print.js'
import { safeLines } from '../../text/display.js'

/** What is known about the running bundler. */
export interface BundlerHost extends Host {
  command: NonNullable<Host['command']>
  /** False for a dev server that only loads modules for a framework, and ends without watching files. */
  watches: boolean
  log: { info(message: string): void; warn(message: string): void }
}

/** A host, and the function that completes it. */
export interface ConfigurableHost {
  readonly host: BundlerHost
  /** Adds what the bundler's configuration contains. Adapters call it each time more of it is known. */
  configure(this: void, known: Partial<BundlerHost>): void
}

/**
 * Describes a single build in the working directory, until the adapter configures it.
 * @param fixed facts that a framework knows better than its bundler
 */
export function createHost(fixed: Partial<BundlerHost> = {}): ConfigurableHost {
  let log: BundlerHost['log'] = consoleLog
  const host: BundlerHost = {
    root: process.cwd(),
    mode: process.env['NODE_ENV'] ?? 'production',
    command: 'build',
    watches: true,
    // All messages pass through here, so that content in them is safe to print before the bundler receives it.
    log: { info: (message) => log.info(safeLines(message)), warn: (message) => log.warn(safeLines(message)) },
    ...fixed,
  }
  return {
    host,
    configure({ log: bundlerLog = log, ...known }) {
      log = bundlerLog
      Object.assign(host, known, fixed)
    },
  }
}

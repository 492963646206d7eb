import type { Host } from '../../config/options.js'
import type { BuildCounts } from '../../progress.js'
import { consoleLog } from '../../print.js'
import { safeLines, shortLines } from '../../text/display.js'

/** The properties of the running bundler. */
export interface BundlerHost extends Host {
  command: NonNullable<Host['command']>
  /** False for a dev server that only loads modules for a framework and ends without watching files. */
  watches: boolean
  /**
   * Whether the bundler compiles for another dev server of the project, which follows changes and writes files for
   * both.
   */
  isChild: boolean
  /** Whether the bundler may keep watching after a build without telling plugins. */
  mayWatch: boolean
  /** Whether the bundler restarts when a file in `envDir` changes. */
  watchesEnv: boolean
  /** Returns whether a browser that would show new content is connected. Always true for bundlers in watch mode. */
  connected: () => boolean
  /** The command that this build is part of, if the command runs several builds. */
  together: BuildsTogether | undefined
  log: BundlerLog
}

/** Builds that share a summary although each has its own plugin instance. */
export interface BuildsTogether {
  /** Set when the first build opens its engine. */
  counts?: BuildCounts
  /** The warnings that any of the builds has logged. */
  logged: Set<string>
  /** Sets the function that logs the summary after all builds have succeeded. */
  atEnd(this: void, log: () => void): void
}

interface BundlerLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** A bundler's log, which may lack a function for errors that don't end a build. */
type KnownLog = Omit<BundlerLog, 'error'> & Partial<Pick<BundlerLog, 'error'>>

/**
 * Creates a host that describes a single build in the working directory until the adapter configures it.
 * @param fixed properties that a framework knows better than its bundler
 */
export function createHost(fixed: Partial<BundlerHost> = {}) {
  let log: KnownLog = consoleLog
  const host: BundlerHost = {
    root: process.cwd(),
    mode: process.env['NODE_ENV'] ?? 'production',
    command: 'build',
    watches: true,
    isChild: false,
    mayWatch: false,
    watchesEnv: false,
    connected: () => true,
    together: undefined,
    // All messages pass through here, so that content in them is made safe to print before the bundler receives it.
    log: {
      info: (message) => log.info(safeLines(message)),
      warn: (message) => log.warn(shortLines(safeLines(message))),
      error: (message) => (log.error ?? log.warn)(shortLines(safeLines(message))),
    },
    ...fixed,
  }
  return {
    host,
    /** Sets properties from the bundler's configuration. Adapters call it whenever they learn more. */
    configure(this: void, { log: given = log, ...known }: Partial<Omit<BundlerHost, 'log'>> & { log?: KnownLog }) {
      log = given
      Object.assign(host, known, fixed)
    },
  }
}

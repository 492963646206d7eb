import type { Host } from '../../config/options.js'
import type { BuildCounts } from '../../progress.js'
import { consoleLog } from '../../print.js'
import { safeLines, shortLines } from '../../text/display.js'

/** The facts about the running bundler. */
export interface BundlerHost extends Host {
  command: NonNullable<Host['command']>
  /** False for a dev server that only loads modules for a framework, and ends without watching files. */
  watches: boolean
  /** Whether it compiles for another dev server of the project, which follows, checks and writes what both load. */
  isChild: boolean
  /** Whether the bundler may go on watching after a build, which it does not tell. */
  mayWatch: boolean
  /** Whether the bundler starts again when a file of `envDir` changes. */
  watchesEnv: boolean
  /** Whether a browser that would show new content is connected. Watching bundlers always answer yes. */
  connected: () => boolean
  /** The command that the build is a part of, if it runs several. */
  together: BuildsTogether | undefined
  log: BundlerLog
}

/** Builds that have one summary, although each has an instance of the plugin. */
export interface BuildsTogether {
  /** Set when the first one opens its engine. */
  counts?: BuildCounts
  /** Warnings that one of them has logged. */
  logged: Set<string>
  /** Sets how to log the summary when all have ended, if they succeed. */
  atEnd(this: void, log: () => void): void
}

interface BundlerLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** The log of a bundler, which may lack a function for errors that don't end a build. */
type KnownLog = Omit<BundlerLog, 'error'> & Partial<Pick<BundlerLog, 'error'>>

/**
 * Describes a single build in the working directory, until the adapter configures it.
 * @param fixed facts that a framework knows better than its bundler
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
    // All messages pass through here, so that content in them is safe to print before the bundler receives it.
    log: {
      info: (message) => log.info(safeLines(message)),
      warn: (message) => log.warn(shortLines(safeLines(message))),
      error: (message) => (log.error ?? log.warn)(shortLines(safeLines(message))),
    },
    ...fixed,
  }
  return {
    host,
    /** Adds what the bundler's configuration contains. Adapters call it each time more of it is known. */
    configure(this: void, { log: given = log, ...known }: Partial<Omit<BundlerHost, 'log'>> & { log?: KnownLog }) {
      log = given
      Object.assign(host, known, fixed)
    },
  }
}

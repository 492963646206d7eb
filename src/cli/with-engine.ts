import { abortable } from '../async/abortable.js'
import type { Host, Options, ResolvedOptions } from '../config/options.js'
import type { Engine } from '../engine/engine.js'
import type { UpdateOptions } from '../lock/run.js'
import { withoutStdout } from '../print.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { optionsOf, type CommonFlags } from './flags.js'
import { openWaiting, type Waiting } from './output/waiting.js'
import type { Terminal } from './terminal.js'

/**
 * Options of a command that writes files to any folder, such as `pull`. Where no project is, and the space is given on
 * the command line, it writes no lockfile: the folder where a user happens to be is not the place for it. A space that
 * the environment names belongs to the folder, like one of a configuration.
 */
export async function optionsOutsideProjects(
  { cwd, env }: Terminal,
  { config, space }: CommonFlags,
): Promise<Pick<Options, 'lockfile'>> {
  const { isInProject } = await import('../config/project.js')
  return space === undefined || isInProject(cwd, config, env) ? {} : { lockfile: false }
}

interface Need {
  options?: Options
  update?: UpdateOptions
  resolved?: ResolvedOptions
}

export async function resolveFlags(
  terminal: Terminal,
  flags: CommonFlags,
  options: Options = {},
): Promise<ResolvedOptions> {
  const { resolveOptions } = await import('../config/resolve.js')
  const given = { ...optionsOf(flags, terminal.cwd), ...options }
  const resolved = await withoutStdout(() => resolveOptions(given, hostOf(terminal, flags)))
  resolved.warnings.forEach(terminal.warn)
  return resolved
}

/** Returns the project and the process that options of a command are resolved for. */
export function hostOf({ cwd, env }: Terminal, { config }: CommonFlags): Host {
  return { root: cwd, mode: env['NODE_ENV'] ?? 'production', env, ...omitUndefined({ config }) }
}

/**
 * Opens an engine for the project of the working directory, and closes it after the work. A terminal shows what the
 * command waits for until the work ends, or calls `end` because it prints something.
 */
export async function withEngine<T>(
  terminal: Terminal,
  flags: CommonFlags,
  work: (engine: Engine, waiting: Waiting) => Promise<T>,
  need: Need = {},
): Promise<T> {
  // Opened first, so that there is a sign of life before the engine is loaded.
  const waiting = openWaiting(terminal, flags.json === true)
  let engine: Engine | undefined
  try {
    engine = await withoutStdout(() => openForFlags(terminal, flags, waiting, need))
    return await abortable(work(engine, waiting), terminal.signal)
  } finally {
    waiting.end()
    await engine?.close()
  }
}

export async function openForFlags(
  terminal: Terminal,
  flags: CommonFlags,
  waiting: Waiting,
  { options, update, resolved }: Need = {},
): Promise<Engine> {
  // Loaded here and not at the top of the file: `--help` and `--version` need no engine.
  const { openEngine } = await import('../engine/engine.js')
  const host = { ...hostOf(terminal, flags), resolved: resolved ?? (await resolveFlags(terminal, flags, options)) }
  const engine = await openEngine({}, host, update, waiting)
  const { space, offline } = engine.options
  waiting.from('address' in space && !offline ? space.address.origin : undefined)
  return engine
}

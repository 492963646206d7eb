import { resolve } from 'node:path'
import { Argument, CommanderError, Option, type Command } from 'commander'
import { abortable } from '../async/abortable.js'
import type { Host, Options, ResolvedOptions } from '../config/options.js'
import type { Engine } from '../engine/engine.js'
import { ContentSpaceError, summaryAndHint } from '../errors.js'
import type { UpdateOptions } from '../lock/recorder.js'
import { withoutStdout } from '../print.js'
import { isAddress } from '../space/is-address.js'
import { didYouMean } from '../text/nearest.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { openWaiting, type Waiting } from './waiting.js'
import type { Terminal } from './terminal.js'

const common = {
  json: ['--json', 'print only the result, as one JSON document'],
  frozen: ['--frozen', 'fail if the lockfile would change (default: on if CI is set and a lockfile exists)'],
  offline: ['--offline', 'use only the cache, and open no connections (or: CONTENT_SPACE_OFFLINE=1)'],
  config: [
    '--config <path>',
    'configuration file (default: content-space.config.{ts,mts,cts,js,mjs,cjs,json} in this folder or above)',
  ],
  space: [
    '--space <address>',
    'https:// address of the service, or path of a folder (default: option space, or CONTENT_SPACE_URL)',
  ],
  spaceId: ['--space-id <id>', 'id of the space (default: option spaceId, or CONTENT_SPACE_ID)'],
  token: ['--token <token>', 'API token; other users can see it here, so prefer CONTENT_SPACE_TOKEN'],
  cacheDir: [
    '--cache-dir <path>',
    'cache folder (default: option cacheDir, CONTENT_SPACE_CACHE, or the cache folder of the user)',
  ],
} as const satisfies Record<string, readonly [string, string]>

type CommonName = keyof typeof common

/** The flags that several commands accept. */
export type CommonFlags = {
  [Name in CommonName]?: (typeof common)[Name][0] extends `${string} <${string}>` ? string : boolean
}

/**
 * How a command treats a common flag that doesn't have its usual effect. `implied`: the command always behaves this
 * way. It accepts the flag, because a script may pass the flag to every command, but help doesn't list the flag.
 * `refused`: the command can't support the flag, so it fails with this reason. `description`: the command describes the
 * flag in its own words.
 */
export type FlagExceptions = Partial<Record<CommonName, 'implied' | { refused: string } | { description: string }>>

/**
 * Adds the common flags that a command supports, after its own.
 * @param guarded whether to also declare the other flags, hidden from help, so that implied flags are accepted and
 *   refused flags get an explanation
 */
export function withCommonFlags(command: Command, exceptions: FlagExceptions, guarded: boolean): Command {
  const own: Partial<Record<string, FlagExceptions[CommonName]>> = exceptions
  if (command.options.length > 0) command.optionsGroup('Common options:')
  for (const [name, [flags, description]] of Object.entries(common)) {
    const exception = own[name] ?? { description }
    const option = new Option(flags)
    if (exception !== 'implied' && 'description' in exception) option.description = exception.description
    else option.hideHelp()
    if (guarded || !option.hidden) command.addOption(option)
    if (!guarded || exception === 'implied' || !('refused' in exception)) continue
    command.on(`option:${option.name()}`, () => {
      throw usageError(`${option.long} cannot be used with ${command.name()}: ${exception.refused}.`)
    })
  }
  return command.helpOption('-h, --help', 'print help')
}

/**
 * Returns the options that flags set. The configuration file and the environment provide the others.
 * @param cwd the working directory, which paths in flags are relative to, unlike paths in the configuration file
 */
export function optionsOf({ frozen, offline, space, spaceId, token, cacheDir }: CommonFlags, cwd: string): Options {
  const pathOf = (text: string | undefined) => (text ? resolve(cwd, text) : text)
  return omitUndefined({
    frozen,
    offline,
    space: space !== undefined && isAddress(space) ? space : pathOf(space),
    spaceId,
    token,
    cacheDir: pathOf(cacheDir),
  })
}

export function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/** How help refers to a kit. */
export const kitName = 'alias, slug or uuid of a kit'

/**
 * Declares `--out`. Rejects an empty path, because it usually comes from an unset shell variable, and would mean the
 * working directory.
 */
export function outOption(description: string, what: 'folder' | 'file' = 'folder'): Option {
  return new Option(`--out <${what}>`, description)
    .argParser(parser('--out', `the path of a ${what}`, (text) => (text === '' ? undefined : text)))
    .makeOptionMandatory()
}

const readPort = parser('--port', 'a whole number from 0 to 65535', (text) => readInteger(text, 65_535))

export function portOption(description: string): Option {
  return new Option('--port <n>', description).argParser(readPort)
}

/** Identifies errors of `usageError`, because Commander prints only its own errors. */
export const usageCode = 'content-space.usage'

/** Returns an error that is printed after `error: ` and ends the process with the exit code for usage errors. */
export function usageError(message: string): CommanderError {
  return new CommanderError(2, usageCode, message)
}

/** Rethrows an error of this package as a usage error, and any other error unchanged. */
export function throwUsage(error: unknown): never {
  throw error instanceof ContentSpaceError ? usageError(summaryAndHint(error)) : error
}

/**
 * Returns a parser for the value of a flag or an argument.
 * @param name `--port`
 * @param expected completes the sentence: `a whole number from 0 to 65535`
 * @param read returns undefined for an invalid value
 */
export function parser<T>(name: string, expected: string, read: (text: string) => T | undefined): (text: string) => T {
  return (text) => {
    const value = read(text)
    if (value !== undefined) return value
    throw usageError(`${name} must be ${expected}, got '${text}'.`)
  }
}

/** Declares an option with a fixed set of values, which help and shell completion list. */
export function choiceOption(flags: string, description: string, values: readonly string[]): Option {
  const [name = ''] = flags.split(' ')
  return new Option(flags, description).choices(values).argParser(choiceParser(name, values))
}

/** Declares an argument with a fixed set of values, which help and shell completion list. */
export function choiceArgument(name: string, description: string, values: readonly string[]): Argument {
  return new Argument(name, description).choices(values).argParser(choiceParser(name, values))
}

export function choiceParser<T extends string>(name: string, values: readonly T[]): (text: string) => T {
  const expected = [values.slice(0, -1).join(', '), values.at(-1)].filter(Boolean).join(' or ')
  return (text) => {
    const value = values.find((one) => one === text)
    if (value !== undefined) return value
    const near = didYouMean(text, values)
    throw usageError(`${name} must be ${expected}, got '${text}'.${near && ` ${near}`}`)
  }
}

/** Returns a whole number from 0 to `maximum`; undefined for any other string. */
export function readInteger(text: string, maximum: number): number | undefined {
  return /^\d{1,9}$/.test(text) && Number(text) <= maximum ? Number(text) : undefined
}

/**
 * Returns the options of a command that writes files to any folder, such as `pull`. If a flag names the space outside a
 * project, the command doesn't write a lockfile, because it would end up in whatever folder the user happens to be in.
 * A space in the environment counts as a project's configuration.
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

/** Returns the project and the environment that a command's options are resolved for. */
export function hostOf({ cwd, env }: Terminal, { config }: CommonFlags): Host {
  return { root: cwd, mode: env['NODE_ENV'] ?? 'production', env, ...omitUndefined({ config }) }
}

/**
 * Opens an engine for the project in the working directory, and closes it after the work. Then prints its warnings.
 * During the work, a terminal displays what the command is waiting for. `work` calls `end` before it prints.
 */
export async function withEngine<T>(
  terminal: Terminal,
  flags: CommonFlags,
  work: (engine: Engine, waiting: Waiting) => Promise<T>,
  need: Need = {},
): Promise<T> {
  // Open this first, so that the user sees a sign of life while the engine loads.
  const waiting = openWaiting(terminal, flags.json === true)
  let engine: Engine | undefined
  try {
    engine = await withoutStdout(() => openForFlags(terminal, flags, waiting, need))
    const result = await abortable(work(engine, waiting), terminal.signal)
    engine.stats.summary().warnings.forEach(terminal.warn)
    return result
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
  // Load the engine only here, because `--help` and `--version` don't need it.
  const { openEngine } = await import('../engine/engine.js')
  const host = { ...hostOf(terminal, flags), resolved: resolved ?? (await resolveFlags(terminal, flags, options)) }
  const engine = await openEngine({}, host, update, waiting)
  const { space, offline } = engine.options
  waiting.from('address' in space && !offline ? space.address.origin : undefined)
  return engine
}

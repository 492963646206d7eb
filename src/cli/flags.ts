import { resolve } from 'node:path'
import { Option, type Command } from 'commander'
import type { Options } from '../config/options.js'
import { isAddress } from '../space/is-address.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { parser, usageError } from './usage.js'

/** The flags that several commands accept. */
export interface CommonFlags {
  json?: boolean
  frozen?: boolean
  offline?: boolean
  config?: string
  space?: string
  spaceId?: string
  token?: string
  cacheDir?: string
}

const common = {
  json: ['--json', 'print the result as one JSON document, and nothing else'],
  frozen: ['--frozen', 'fail if the lockfile would change (default: on if CI is set and there is a lockfile)'],
  offline: ['--offline', 'use only the cache, and open no connections (or: CONTENT_SPACE_OFFLINE=1)'],
  config: [
    '--config <path>',
    'configuration file (default: content-space.config.{ts,js,mjs,json} in this folder or above)',
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
} as const satisfies Record<keyof CommonFlags, readonly [string, string]>

type CommonName = keyof typeof common

/** In the order of help. */
const commonNames: readonly CommonName[] = [
  'json',
  'frozen',
  'offline',
  'config',
  'space',
  'spaceId',
  'token',
  'cacheDir',
]

/** Why a flag means nothing to a command, as the end of a sentence. */
type Reasons = Partial<Record<CommonName, string>>

/** The common flags that a command refuses, because it would seem to do what they say. */
const refused: Readonly<Record<string, Reasons>> = {
  init: { frozen: 'it writes a new configuration' },
  serve: {
    config: 'it reads no configuration',
    space: 'the argument names the folder',
    cacheDir: 'it uses no cache',
  },
}

/**
 * The common flags that are true of a command anyway. It accepts them, because a script may give them to every command,
 * and does not list them in its help.
 */
const implied: Readonly<Record<string, readonly CommonName[]>> = {
  ls: ['frozen'],
  diff: ['frozen'],
  mirror: ['frozen'],
  browse: ['frozen'],
  cache: ['frozen'],
  serve: ['frozen', 'offline'],
}

/** Flags that commands describe in their own way. */
const own: Readonly<Record<string, Partial<Record<CommonName, string>>>> = {
  serve: {
    json: 'print the address and made-up credentials as one JSON document, and log no requests',
    spaceId: 'id of the space that clients need (default: the one in space.json)',
    token: 'token that clients need (default: a random one, which is printed)',
  },
}

/**
 * Adds the common flags that mean something to a command, after its own.
 * @param guarded whether the other flags are declared as well, hidden from help: to accept those that are true anyway,
 * and to explain the error of those that mean nothing
 */
export function withCommonFlags(command: Command, guarded: boolean): Command {
  const reasons = refused[command.name()] ?? {}
  const accepted = implied[command.name()] ?? []
  const described = own[command.name()] ?? {}
  command.optionsGroup('Common options:')
  for (const name of commonNames) {
    const [flags, description] = common[name]
    const reason = reasons[name]
    if (accepted.includes(name)) {
      if (guarded) command.addOption(new Option(flags).hideHelp())
    } else if (reason === undefined) command.addOption(new Option(flags, described[name] ?? description))
    else if (guarded) refuse(command, flags, reason)
  }
  return command.helpOption('-h, --help', 'print help')
}

function refuse(command: Command, flags: string, reason: string): void {
  const option = new Option(flags).hideHelp()
  command.addOption(option)
  command.on(`option:${option.name()}`, () => {
    throw usageError(`${option.long} means nothing to ${command.name()}: ${reason}.`)
  })
}

/**
 * Returns the options that flags set. The configuration file and the environment provide the others.
 * @param cwd paths of flags are relative to the working directory, not to the folder of the configuration file
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

/** Collects the values of a flag that is given several times. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/** How a kit is named in arguments. */
export const kitName = 'alias, slug or uuid of a kit'

/**
 * Declares `--out`. An empty path is refused: it usually comes from an unset variable of a shell, and would mean the
 * working directory.
 */
export function outOption(description: string, what: 'folder' | 'file' = 'folder'): Option {
  return new Option(`--out <${what}>`, description)
    .argParser(parser('--out', `the path of a ${what}`, (text) => (text === '' ? undefined : text)))
    .makeOptionMandatory()
}

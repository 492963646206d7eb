import { resolve } from 'node:path'
import { Option, type Command } from 'commander'
import type { Options } from '../config/options.js'
import { isAddress } from '../space/is-address.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { parser } from './usage.js'

/** The flags that every command accepts. */
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

const common = [
  new Option('--json', 'print the result as one JSON document, and nothing else'),
  new Option('--frozen', 'fail if the lockfile would change (default: on if CI is set and there is a lockfile)'),
  new Option('--offline', 'use only the cache, and open no connections'),
  new Option(
    '--config <path>',
    'configuration file (default: content-space.config.{ts,js,mjs,json} in this folder or above)',
  ),
  new Option(
    '--space <address>',
    'https:// address of the service, or path of a folder (default: option space, or CONTENT_SPACE_URL)',
  ),
  new Option('--space-id <id>', 'id of the space (default: option spaceId, or CONTENT_SPACE_ID)'),
  new Option('--token <token>', 'API token; other users can see it here, so prefer CONTENT_SPACE_TOKEN'),
  new Option(
    '--cache-dir <path>',
    'cache folder (default: option cacheDir, CONTENT_SPACE_CACHE, or the cache folder of the user)',
  ),
]

/** Adds the common flags to a command, after its own. */
export function withCommonFlags(command: Command): Command {
  for (const option of common) command.addOption(option)
  return command
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

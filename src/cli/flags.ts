import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Options } from '../config/options.js'

/** What every command understands. */
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
  new Option('--json', 'print one JSON document and nothing else'),
  new Option('--frozen', 'fail rather than change the lock'),
  new Option('--offline', 'use what is cached and open no sockets'),
  new Option('--config <path>', 'configuration file (default: content-space.config.{ts,js,mjs,json})'),
  new Option('--space <address>', 'address of the service, or path of a folder'),
  new Option('--space-id <id>', 'id of the space'),
  new Option('--token <token>', 'API token; better kept in CONTENT_SPACE_TOKEN'),
  new Option('--cache-dir <path>', 'cache folder'),
]

/** Gives a command the flags that all have, behind its own. */
export function withCommonFlags(command: Command): Command {
  for (const option of common) command.addOption(option)
  return command
}

/** The options that flags set; the configuration file and the environment complete them. */
export function optionsOf({ frozen, offline, space, spaceId, token, cacheDir }: CommonFlags): Options {
  const given = Object.entries({ frozen, offline, space, spaceId, token, cacheDir })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/** The path of a folder. An empty one, as an unset variable of a shell gives, would be the working directory. */
export function folderPath(value: string): string {
  if (value !== '') return value
  throw new InvalidArgumentError('It is the path of a folder.')
}

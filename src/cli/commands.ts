import type { Command } from 'commander'
import type { FlagExceptions } from '../terminal/flags.js'
import type { Terminal } from '../terminal/terminal.js'

/** The exports of a command's `command.ts`. */
interface CommandModule {
  /** Only declares flags. The engine is loaded when the command runs, so that `--help` and `--version` are fast. */
  command: (terminal: Terminal) => Command
  flagExceptions?: FlagExceptions
}

/** All commands, by the groups of `--help`. */
export const groups: Readonly<Record<string, Readonly<Record<string, () => Promise<CommandModule>>>>> = {
  'Every day:': {
    init: () => import('../commands/init/command.js'),
    sync: () => import('../commands/sync/command.js'),
    ls: () => import('../commands/ls/command.js'),
    browse: () => import('../commands/browse/command.js'),
    diff: () => import('../commands/diff/command.js'),
    update: () => import('../commands/sync/update.js'),
  },
  'Content:': {
    pull: () => import('../commands/pull/command.js'),
    tokens: () => import('../commands/tokens/command.js'),
    'app-icons': () => import('../commands/app-icons/command.js'),
    catalog: () => import('../commands/catalog/command.js'),
    mcp: () => import('../commands/mcp/command.js'),
    mirror: () => import('../commands/mirror/command.js'),
    serve: () => import('../commands/serve/command.js'),
  },
  'CI and care:': {
    doctor: () => import('../commands/doctor/command.js'),
    verify: () => import('../commands/sync/verify.js'),
    audit: () => import('../commands/audit/command.js'),
    usage: () => import('../commands/usage/command.js'),
    eject: () => import('../commands/eject/command.js'),
    cache: () => import('../commands/cache/command.js'),
  },
}

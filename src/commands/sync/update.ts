import { Command } from 'commander'
import type { Engine } from '../../engine/engine.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { kitName, usageError, withEngine, type CommonFlags } from '../../terminal/flags.js'
import { printSync } from './command.js'
import type { Terminal } from '../../terminal/terminal.js'

interface Flags extends CommonFlags {
  rename?: boolean
  write?: boolean
  force?: boolean
}

const help = `
Examples:
  npx content-space update
  npx content-space update brand --rename
  npx content-space update --rename --write

Unlike other commands, update is not frozen in CI unless --frozen is given. It
lists imports that break, and succeeds: sync, verify and builds fail.`

export function command(terminal: Terminal): Command {
  return new Command('update')
    .summary('update the lockfile to the versions in use and to changed files, then do the same as sync')
    .argument('[kit]', `${kitName} (default: every kit of the lockfile)`)
    .option('--rename', 'drop former names of renamed assets, so that only the current names work')
    .option(
      '--write',
      'with --rename: write the current names into the imports of the source, which are listed otherwise',
    )
    .option('--force', 'with --write: even in a project with uncommitted changes')
    .description(help)
    .action(async (kit: string | undefined, flags: Flags) => {
      const { rename = false, write, force } = flags
      if (kit?.includes('@'))
        throw usageError(
          `update does not take a version: it locks the version in use. Write ${kit.replace(/@.*/, '')}.`,
        )
      if (write && !rename) throw usageError('--write can only be used with --rename.')
      if (force && !write) throw usageError('--force can only be used with --write.')
      const update = { rename, ...omitUndefined({ kit, write, force }) }
      // Not frozen by default, even in CI, because the purpose of the command is to change the lockfile.
      const options = { frozen: flags.frozen ?? false }
      const { sync } = await import('../shared/sync.js')
      const work = async (engine: Engine): Promise<void> => {
        // Succeed even if imports break. They are listed, and `sync` and builds will fail.
        await printSync(await sync(engine), { root: engine.options.root, well: true, ...flags }, terminal)
      }
      await withEngine(terminal, flags, work, { options, update })
    })
}

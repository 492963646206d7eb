import { Command } from 'commander'
import type { CommonFlags } from './flags.js'
import { withImporter } from './with-importer.js'
import { reportSync } from './sync.js'
import type { Terminal } from './terminal.js'

interface UpdateFlags extends CommonFlags {
  rename: boolean
}

/** `content-space update [kit]` */
export function updateCommand(terminal: Terminal): Command {
  return new Command('update')
    .description('look at the space anew: versions in use, and files that have changed')
    .argument('[kit]', 'alias, slug or uuid (default: all kits that the lock has)')
    .option('--rename', 'give names anew, and drop those from before upstream renames', false)
    .action(async (kit: string | undefined, flags: UpdateFlags) => {
      const renew = { rename: flags.rename, ...(kit === undefined ? {} : { kit }) }
      // What updates the lock may change it, in CI too; `--frozen` still says no.
      const options = { frozen: flags.frozen ?? false }
      // The update is done also where the source has to follow it: that is listed, and for `sync` and the build to fail
      // at.
      const reported = { ...terminal, fail() {} }
      await withImporter(
        terminal,
        flags,
        async (importer) => reportSync(await importer.sync(), importer.options.root, flags, reported),
        { options, renew },
      )
    })
}

import { Command } from 'commander'
import type { CommonFlags } from './flags.js'
import { withImporter } from './with-importer.js'
import type { Terminal } from './terminal.js'

/** `content-space verify` */
export function verifyCommand(terminal: Terminal): Command {
  return new Command('verify')
    .description('check that the lock, the declarations and the cache are true; writes nothing, for CI')
    .action(async (flags: CommonFlags) => {
      const { print, printJson, note, fail } = terminal
      const differences = await withImporter(terminal, flags, (importer) => importer.verify(), {
        options: { frozen: true },
      })
      if (flags.json) printJson({ ok: differences.length === 0, differences })
      else if (differences.length === 0) print('The lock, the declarations and the cache are true.')
      else for (const line of differences.flatMap((difference) => difference.split('\n'))) note(line)
      if (differences.length > 0) fail()
    })
}

import { relative, resolve } from 'node:path'
import { Command } from 'commander'
import type { EjectPlan } from './eject.js'
import { countText } from '../../text/quantities.js'
import { outOption, withEngine, type CommonFlags } from '../../terminal/flags.js'
import { changedLine, lineChanges, ended } from '../../terminal/marks.js'
import type { Terminal } from '../../terminal/terminal.js'

interface EjectFlags extends CommonFlags {
  out: string
  yes?: boolean
  force?: boolean
}

const help = `
Examples:
  npx content-space eject
  npx content-space eject --out src/brand --yes

Prints the lines that change, and asks. Without a terminal, it writes only with
--yes. Imports without a plain form stay, and are listed with the reason.`

export function command(terminal: Terminal): Command {
  const out = outOption('folder to write; a file in it is never overwritten')
  return new Command('eject')
    .summary('leave: write the imported content as files, and import these instead')
    .addOption(out.makeOptionMandatory(false).default('src/assets/content'))
    .option('--yes', 'write without asking')
    .option('--force', 'even with uncommitted changes')
    .description(help)
    .action(async ({ yes = false, force, ...flags }: EjectFlags) => {
      const { note, cwd, signal, ask, print, printJson } = terminal
      const report = await withEngine(terminal, flags, async (engine, waiting) => {
        const { eject } = await import('./eject.js')
        return eject(engine, {
          out: relative(engine.options.root, resolve(cwd, flags.out)),
          force,
          signal,
          async confirm(plan) {
            waiting.end()
            if (!flags.json) showPlan(plan, terminal)
            if (yes || flags.json || !ask) return yes
            return /^(?:y|yes|)$/i.test(await ask('Write this? [Y/n] '))
          },
        })
      })
      if (flags.json) return printJson(report)
      const { files, lines, left, needs, written } = report
      for (const one of left) note(`left: ${one.file}:${one.line}: ${one.import}: ${one.reason}`)
      if (lines.length === 0) return print('The source has no import that a file can replace.')
      if (!written) return print(ask ? 'Nothing was written.' : 'Nothing was written. Use --yes to write it.')
      const counts = [`${countText(files.length, 'file')} in ${report.out}`, countText(lines.length, 'line')]
      print(ended(`wrote ${counts.join(', and changed ')}; ${countText(left.length, 'place')} left`, true, terminal))
      if (needs !== undefined) note(needs)
      note(
        'Next: remove the plugin, content-space.config.*, content-space.lock.json, content-space.d.ts and the package.',
      )
    })
}

function showPlan({ out, files, lines }: EjectPlan, { note }: Terminal): void {
  for (const file of files) note(changedLine(`+ ${out}/${file}`))
  for (const line of lineChanges(lines)) note(line)
}

import { resolve } from 'node:path'
import { Command } from 'commander'
import { countText } from '../../text/quantities.js'
import {
  kitName,
  outOption,
  parser,
  readInteger,
  withEngine,
  type CommonFlags,
  type FlagExceptions,
} from '../../terminal/flags.js'
import { ended } from '../../terminal/marks.js'
import type { Terminal } from '../../terminal/terminal.js'

type CatalogFlags = CommonFlags & { out?: string; limit?: number }

const readLimit = parser('--limit', 'a whole number', (text) => readInteger(text, 1e9))

const help = `
Examples:
  npx content-space catalog
  npx content-space catalog brand --out CONTENT.md --limit 200`

export const flagExceptions: FlagExceptions = { frozen: 'implied' }

export function command(terminal: Terminal): Command {
  const file = outOption('file to write; a file that content-space did not write is never changed', 'file')
  return new Command('catalog')
    .summary('list the assets of kits as Markdown, for people and agents that write code')
    .argument('[kit...]', `${kitName} (default: the kits of option kits and of the lockfile, else all kits)`)
    .addOption(file.makeOptionMandatory(false))
    .option('--limit <n>', 'list at most this number of assets (default: 1000)', readLimit)
    .description(help)
    .action(async (kits: string[], flags: CatalogFlags) => {
      const { print, printAll, printJson, cwd } = terminal
      const { out, limit } = flags
      const { changed, text, ...counts } = await withEngine(terminal, flags, async (engine) => {
        const { catalog, writeCatalog } = await import('../shared/catalog.js')
        const found = await catalog(engine, { kits: kits.length > 0 ? kits : undefined, limit })
        return { ...found, changed: out !== undefined && (await writeCatalog(resolve(cwd, out), found)) }
      })
      if (out === undefined) {
        if (flags.json) printJson({ text, ...counts })
        else printAll(text.trimEnd().split('\n'))
        return
      }
      if (flags.json) return printJson({ file: out, changed, ...counts })
      const contents = `${countText(counts.kits, 'kit')}, ${countText(counts.assets, 'asset')}`
      print(ended(changed ? `wrote ${out}: ${contents}` : `${out} is up to date: ${contents}`, true, terminal))
    })
}

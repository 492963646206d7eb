import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { notOurs } from '../disk/file-error.js'
import { readText, replaceFile } from '../disk/replace-file.js'
import { countText } from '../text/quantities.js'
import { kitName, outOption, type CommonFlags } from './flags.js'
import { ended } from './output/marks.js'
import type { Terminal } from './terminal.js'
import { parser, readInteger } from './usage.js'
import { withEngine } from './with-engine.js'

interface CatalogFlags extends CommonFlags {
  out?: string
  limit?: number
}

const help = `
Examples:
  content-space catalog
  content-space catalog brand --out CONTENT.md --limit 200`

/** `content-space catalog [kit…]` */
export function catalogCommand(terminal: Terminal): Command {
  return new Command('catalog')
    .description('list the assets of kits as Markdown, for people and agents that write code')
    .argument('[kit...]', `${kitName} (default: the kits of option kits and of the lockfile, else all kits)`)
    .addOption(
      outOption('file to write; a file that content-space did not write is never changed', 'file').makeOptionMandatory(
        false,
      ),
    )
    .addOption(
      new Option('--limit <n>', 'list at most this number of assets (default: 1000)').argParser(
        parser('--limit', 'a whole number', (text) => readInteger(text, 1e9)),
      ),
    )
    .addHelpText('after', help)
    .action(async (kits: string[], flags: CatalogFlags) => {
      const { print, printJson, cwd, signal } = terminal
      const { out, limit } = flags
      const { text, ...counts } = await withEngine(terminal, flags, async (engine) => {
        const { catalog } = await import('../commands/catalog.js')
        return catalog(engine, { kits: kits.length > 0 ? kits : undefined, limit, signal })
      })
      if (out === undefined) {
        if (flags.json) printJson({ text, ...counts })
        else for (const line of text.trimEnd().split('\n')) print(line)
        return
      }
      const changed = await writeOwn(resolve(cwd, out), text)
      if (flags.json) return printJson({ file: out, changed, ...counts })
      const contents = `${countText(counts.kits, 'kit')}, ${countText(counts.assets, 'asset')}`
      print(ended(changed ? `wrote ${out}: ${contents}` : `${out} is up to date: ${contents}`, true, terminal))
    })
}

/** @returns whether the file has changed */
async function writeOwn(path: string, text: string): Promise<boolean> {
  const { catalogMark } = await import('../commands/catalog.js')
  const before = await readText(path)
  if (before === text) return false
  if (before !== undefined && before.trim() !== '' && !before.startsWith(catalogMark)) throw notOurs(path)
  await replaceFile(path, text)
  return true
}

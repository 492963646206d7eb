import { Argument, Command, InvalidArgumentError } from 'commander'
import { clearCache, listCache, pruneCache, verifyCache, type CacheListing } from '../commands/cache/cache.js'
import type { CacheEntry } from '../commands/cache/entries.js'
import { resolveCacheDir } from '../config/resolve.js'
import { optionsOf, type CommonFlags } from './flags.js'
import type { Terminal } from './terminal.js'
import { countText, sizeText } from '../text/quantities.js'

interface CacheFlags extends CommonFlags {
  /** Milliseconds. */
  olderThan?: number
}

interface Outcome {
  data: unknown
  lines: string[]
  failed?: boolean
}

type Action = (cacheDir: string, olderThan: number) => Promise<Outcome>

const day = 86_400_000
const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: day, w: 7 * day }
const defaultAge = 30 * day

const actions = {
  async ls(cacheDir) {
    const listing = await listCache(cacheDir)
    return { data: listing, lines: listingLines(listing) }
  },
  async prune(cacheDir, olderThan) {
    const pruned = await pruneCache(cacheDir, olderThan)
    return {
      data: pruned,
      lines: [`removed ${countText(pruned.removed.entries, 'entry', 'entries')}, ${sizeText(pruned.removed.size)}`],
    }
  },
  async clear(cacheDir) {
    const cleared = await clearCache(cacheDir)
    return {
      data: cleared,
      lines: [`removed ${countText(cleared.removed.entries, 'entry', 'entries')}, ${sizeText(cleared.removed.size)}`],
    }
  },
  async verify(cacheDir) {
    const check = await verifyCache(cacheDir)
    const { checked, corrupt } = check
    const found = corrupt.length === 0 ? 'all are what they should be' : `${corrupt.length} removed`
    const lines = [
      ...corrupt.map((entry) => `${entry.reason}: ${entryLine(entry)}`),
      `checked ${countText(checked, 'entry', 'entries')}: ${found}`,
    ]
    return { data: check, lines, failed: corrupt.length > 0 }
  },
} satisfies Record<string, Action>

type ActionName = keyof typeof actions

const help = `
Actions:
  ls      every entry, with totals by kind
  prune   remove entries not used for a time, and content that no entry names
  clear   remove everything; a folder that holds anything else is left alone
  verify  read every entry, and remove those that are not what their hash says; exit 1 when there are any

It needs no space and no token, and builds may go on meanwhile.`

/** `content-space cache ls|prune|clear|verify` */
export function cacheCommand(terminal: Terminal): Command {
  return new Command('cache')
    .description('look into the cache, make it smaller, or check it')
    .addArgument(new Argument('<action>').choices(Object.keys(actions)))
    .option('--older-than <time>', 'for prune: not used for so long, such as 12h, 30d or 8w (default: 30d)', age)
    .addHelpText('after', help)
    .action(async (action: ActionName, flags: CacheFlags, command: Command) => {
      if (flags.olderThan !== undefined && action !== 'prune') command.error('error: --older-than goes with prune')
      const host = {
        root: terminal.cwd,
        mode: process.env['NODE_ENV'] ?? 'production',
        ...(flags.config === undefined ? {} : { config: flags.config }),
      }
      const cacheDir = await resolveCacheDir(optionsOf(flags), host)
      const { data, lines, failed }: Outcome = await actions[action](cacheDir, flags.olderThan ?? defaultAge)
      if (flags.json) terminal.printJson(data)
      else for (const line of lines) terminal.print(line)
      if (failed) terminal.fail()
    })
}

function listingLines({ cacheDir, entries, kinds, total }: CacheListing): string[] {
  return [
    ...entries.map(entryLine),
    ...kinds.flatMap(({ kind, entries: number, size }) =>
      number === 0 ? [] : [`${kind}: ${countText(number, 'entry', 'entries')}, ${sizeText(size)}`],
    ),
    `${cacheDir}: ${countText(total.entries, 'entry', 'entries')}, ${sizeText(total.size)}`,
  ]
}

function entryLine({ kind, of, detail, size, used, space }: CacheEntry): string {
  return [kind, of, detail, sizeText(size), used?.slice(0, 10), space].filter((part) => part !== undefined).join('  ')
}

function age(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  const milliseconds = Number(number) * (units[unit] ?? Number.NaN)
  if (!Number.isNaN(milliseconds)) return milliseconds
  throw new InvalidArgumentError('It is a number with s, m, h, d or w behind it: 30d.')
}

import { join } from 'node:path'
import { Command } from 'commander'
import type { CacheRemoval } from './run.js'
import type { RemoteListing, RemoteTransfer } from './remote.js'
import { withoutStdout } from '../../print.js'
import { paint, type Line } from '../../text/display.js'
import { countText, sizeText } from '../../text/quantities.js'
import {
  choiceArgument,
  hostOf,
  optionsOf,
  parser,
  usageError,
  withEngine,
  type CommonFlags,
  type FlagExceptions,
} from '../../terminal/flags.js'
import { ended } from '../../terminal/marks.js'
import { openWaiting } from '../../terminal/waiting.js'
import type { Terminal } from '../../terminal/terminal.js'

interface CacheFlags extends CommonFlags {
  /** In milliseconds. */
  olderThan?: number
  remote?: boolean
  shared?: boolean
}

const day = 86_400_000
const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: day, w: 7 * day }
const defaultAge = 30 * day

const actionNames = ['ls', 'prune', 'clear', 'verify', 'push', 'pull', 'keygen'] as const
type ActionName = (typeof actionNames)[number]

/** The output of an action: data with `--json`, otherwise lines and warnings. */
interface ActionReport {
  data: unknown
  lines: Line[]
  warnings?: string[]
  failed?: boolean
}

const help = `
Examples:
  npx content-space cache ls
  npx content-space cache prune --older-than 8w
  npx content-space cache keygen

Actions:
  ls      list every entry, and totals by kind
  prune   remove entries that were not used for some time, and files that no
          entry refers to
  clear   remove all entries; refused for a folder that contains other files
  verify  read every entry, remove corrupt ones, and exit with 1 if there were
          any
  push    write the files of the lockfile to the cache of option remote, with
          their conversions, as far as the local cache has them
  pull    fetch the files of the lockfile from that cache
  keygen  make a pair of keys for that cache: a private one for machines that
          write, and a public one for machines that only read; with --shared,
          one secret for all machines

Except for push, pull and ls --remote, the command needs no space and no token.
Builds may run at the same time.`

export const flagExceptions: FlagExceptions = { frozen: 'implied' }

export function command(terminal: Terminal): Command {
  return new Command('cache')
    .summary('list, shrink, empty or check the cache of downloaded and converted files')
    .addArgument(choiceArgument('<action>', 'what to do with the cache', actionNames))
    .option(
      '--older-than <time>',
      'for prune: the time since the last use; a number with s, m, h, d or w, such as 12h or 8w (default: 30d)',
      parser('--older-than', 'a number with s, m, h, d or w, such as 30d', readAge),
    )
    .option('--remote', 'for ls: list the remote cache instead')
    .option('--shared', 'for keygen: create one secret for all machines')
    .description(help)
    .action(async (action: ActionName, flags: CacheFlags) => {
      if (flags.olderThan !== undefined && action !== 'prune')
        throw usageError(`--older-than can only be used with prune, not with ${action}.`)
      if (flags.remote && action !== 'ls') throw usageError(`--remote can only be used with ls, not with ${action}.`)
      if (flags.shared && action !== 'keygen')
        throw usageError(`--shared can only be used with keygen, not with ${action}.`)
      const report = await reportOf(action, flags, terminal)
      if (flags.json) terminal.printJson(report.data)
      else {
        terminal.printAll(report.lines)
        report.warnings?.forEach(terminal.warn)
      }
      if (report.failed) terminal.fail()
    })
}

async function reportOf(action: ActionName, flags: CacheFlags, terminal: Terminal): Promise<ActionReport> {
  if (action === 'push' || action === 'pull' || flags.remote) return remoteCache(terminal, flags, action)
  refuseSpace(flags)
  if (action === 'keygen') return makeKeys(flags)
  const waiting = openWaiting(terminal, true, 'reading the cache')
  return localCache(action, flags, terminal).finally(waiting.end)
}

/** Creates keys. Prints them once but doesn't write them to a file. */
async function makeKeys({ shared }: CacheFlags): Promise<ActionReport> {
  const { createKeyPair, createSecret } = await import('../../remote/keys.js')
  if (shared) {
    const key = createSecret()
    return { data: { key }, lines: [`CONTENT_SPACE_REMOTE_KEY=${key}`] }
  }
  const pair = createKeyPair()
  const lines = [`CONTENT_SPACE_REMOTE_KEY=${pair.key}`, `CONTENT_SPACE_REMOTE_PUBLIC_KEY=${pair.publicKey}`]
  return { data: pair, lines }
}

/** Rejects options of a space, because the local cache doesn't belong to a space. */
function refuseSpace({ space, spaceId, token }: CacheFlags): void {
  const given = Object.entries({ space, 'space-id': spaceId, token }).find(([, value]) => value !== undefined)
  if (given) throw usageError(`--${given[0]} cannot be used with cache, which does not read a space.`)
}

async function cacheDirOf(flags: CacheFlags, terminal: Terminal): Promise<string> {
  const { resolveCacheDir } = await import('../../config/resolve.js')
  const options = optionsOf(flags, terminal.cwd)
  const { cacheDir, warnings } = await withoutStdout(() => resolveCacheDir(options, hostOf(terminal, flags)))
  warnings.forEach(terminal.warn)
  return cacheDir
}

/** Returns the slugs of the assets in the lockfile of the project, by uuid. */
async function lockedSlugs({ cwd, env }: Terminal): Promise<Map<string, string>> {
  const { findProject } = await import('../../config/project.js')
  const { readLock } = await import('../../lock/lockfile.js')
  const { root } = findProject(cwd, undefined, env)
  const lock = await readLock(join(root, 'content-space.lock.json')).catch(() => undefined)
  const tables = Object.values(lock?.kits ?? {}).flatMap(({ versions }) => Object.values(versions))
  const assets = tables.flatMap((table) => Object.entries(table.assets))
  return new Map(assets.map(([uuid, { slug }]) => [uuid, slug]))
}

async function localCache(action: ActionName, flags: CacheFlags, terminal: Terminal): Promise<ActionReport> {
  const { listCache, pruneCache, clearCache, verifyCache } = await import('./run.js')
  const cacheDir = await cacheDirOf(flags, terminal)
  if (action === 'prune') {
    const removal = await pruneCache(cacheDir, flags.olderThan ?? defaultAge)
    return { data: removal, lines: [ended(pruneLine(removal), true, terminal)] }
  }
  if (action === 'clear') {
    const removal = await clearCache(cacheDir)
    const { entries, size } = removal.removed
    const amount = `${countText(entries, 'entry', 'entries')}, ${sizeText(size)}`
    return { data: removal, lines: [ended(`cleared ${cacheDir}: ${amount}`, true, terminal)] }
  }
  const { cacheTable, entryCells } = await import('./listing.js')
  if (action === 'ls') {
    const listing = await listCache(cacheDir, await lockedSlugs(terminal))
    return { data: listing, lines: cacheTable(listing, terminal) }
  }
  const check = await verifyCache(cacheDir)
  const { checked, corrupt } = check
  const result = corrupt.length === 0 ? 'no corrupt entries' : `${corrupt.length} removed`
  const { tableLines } = await import('../../terminal/table.js')
  const rows = corrupt.map((entry) => [paint('red', entry.reason), ...entryCells(entry)])
  const lines = [
    ...tableLines(rows, { columns: [{}, { shrink: 1 }, { shrink: 2 }, {}, {}], width: terminal.columns }),
    ended(`checked ${countText(checked, 'entry', 'entries')}: ${result}`, corrupt.length === 0, terminal),
  ]
  return { data: check, lines, failed: corrupt.length > 0 }
}

/**
 * Describes a removal. The size covers all removed files, because entries may share content, and some files don't
 * belong to an entry.
 */
function pruneLine({ removed: { entries, size } }: CacheRemoval): string {
  if (entries === 0 && size === 0) return 'nothing to remove'
  const what = entries === 0 ? 'files that no entry refers to' : countText(entries, 'unused entry', 'unused entries')
  return `removed ${what}, freed ${sizeText(size)}`
}

function readAge(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  const milliseconds = units[unit]
  return milliseconds === undefined ? undefined : Number(number) * milliseconds
}

/** Runs `content-space cache push`, `cache pull` and `cache ls --remote`. */
function remoteCache(terminal: Terminal, flags: CommonFlags, action: string): Promise<ActionReport> {
  return withEngine(terminal, flags, async (engine, waiting) => {
    const { pushCache, pullCache, listRemoteCache } = await import('./remote.js')
    const show = (what: string) => (done: number, total: number) =>
      waiting.show(`${what} ${done} of ${countText(total, 'entry', 'entries')}`)
    if (action === 'ls') {
      const listing = await listRemoteCache(engine, show('looked for'))
      return { data: listing, lines: listingLines(listing), warnings: engine.stats.summary().warnings }
    }
    const transfer = await (action === 'push' ? pushCache(engine, show('pushed')) : pullCache(engine, show('pulled')))
    const lines = [ended(transferLine(action, transfer), true, terminal)]
    return { data: transfer, lines, warnings: transfer.warnings }
  })
}

function transferLine(action: string, { remote, moved, present, missing }: RemoteTransfer): string {
  const rest = missing === 0 ? '' : `, ${missing} not in the ${action === 'push' ? 'local' : 'remote'} cache`
  return `${remote}: ${action}ed ${countText(moved, 'entry', 'entries')}, ${present} up to date${rest}`
}

function listingLines({ remote, kinds = [], locked }: RemoteListing): string[] {
  const all = kinds.map(
    ({ kind, entries, size }) => `${kind}: ${countText(entries, 'entry', 'entries')}, ${sizeText(size)}`,
  )
  return [...all, `${remote}: ${locked.present} of ${countText(locked.files, 'file')} of the lockfile`]
}

import type { RemoteListing, RemoteTransfer } from '../commands/cache/remote.js'
import { countText, sizeText } from '../text/quantities.js'
import type { CommonFlags } from './flags.js'
import { ended } from './output/marks.js'
import { printWarnings } from './output/warnings.js'
import type { Terminal } from './terminal.js'
import { withEngine } from './with-engine.js'

/** `content-space cache push`, `cache pull` and `cache ls --remote` */
export async function remoteCache(terminal: Terminal, flags: CommonFlags, action: string): Promise<void> {
  const { print, printJson } = terminal
  const {
    data,
    lines,
    warnings = [],
  } = await withEngine(terminal, flags, async (engine, waiting) => {
    const { pushCache, pullCache, listRemoteCache } = await import('../commands/cache/remote.js')
    const show = (what: string) => (done: number, total: number) =>
      waiting.show(`${what} ${done} of ${countText(total, 'entry', 'entries')}`)
    if (action === 'ls') {
      const listing = await listRemoteCache(engine, show('looked for'))
      return { ...reportListing(listing), warnings: engine.stats.summary().warnings }
    }
    return action === 'push'
      ? reportTransfer('pushed', await pushCache(engine, show('pushed')))
      : reportTransfer('pulled', await pullCache(engine, show('pulled')))
  })
  if (flags.json) printJson(data)
  else for (const line of lines) print(action === 'ls' ? line : ended(line, true, terminal))
  if (!flags.json) printWarnings(warnings, terminal)
}

interface Report {
  data: unknown
  lines: string[]
  warnings?: string[]
}

function reportTransfer(done: string, transfer: RemoteTransfer): Report {
  const { remote, moved, present, missing, warnings } = transfer
  const lacks = done === 'pushed' ? 'not in the local cache' : 'not in the remote cache'
  const rest = missing === 0 ? '' : `, ${missing} ${lacks}`
  return {
    data: transfer,
    lines: [`${remote}: ${done} ${countText(moved, 'entry', 'entries')}, ${present} up to date${rest}`],
    warnings,
  }
}

function reportListing(listing: RemoteListing): Report {
  const { remote, kinds = [], locked } = listing
  const all = kinds.map(
    ({ kind, entries, size }) => `${kind}: ${countText(entries, 'entry', 'entries')}, ${sizeText(size)}`,
  )
  return {
    data: listing,
    lines: [...all, `${remote}: ${locked.present} of ${countText(locked.files, 'file')} of the lockfile`],
  }
}

import type { RemoteListing, RemoteTransfer } from '../commands/cache/remote.js'
import type { Line } from '../text/display.js'
import { countText, sizeText } from '../text/quantities.js'
import type { CommonFlags } from './flags.js'
import { ended } from './output/marks.js'
import type { Terminal } from './terminal.js'
import { withEngine } from './with-engine.js'

/** What an action prints: data with `--json`, lines and warnings otherwise. */
export interface ActionReport {
  data: unknown
  lines: Line[]
  warnings?: string[]
  failed?: boolean
}

/** `content-space cache push`, `cache pull` and `cache ls --remote` */
export function remoteCache(terminal: Terminal, flags: CommonFlags, action: string): Promise<ActionReport> {
  return withEngine(terminal, flags, async (engine, waiting) => {
    const { pushCache, pullCache, listRemoteCache } = await import('../commands/cache/remote.js')
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

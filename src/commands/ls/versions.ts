import type { KitVersion } from '../../space/space.js'
import { shownDate } from '../../space/undated.js'
import { paint, type Line } from '../../text/display.js'
import { countText, isRevision } from '../../text/quantities.js'
import { tableLines, type Cell, type Column } from '../../terminal/table.js'
import type { Terminal } from '../../terminal/terminal.js'
import type { KitRow } from './kits.js'

const right: Column = { align: 'right' }
const columns = [right, { shrink: 2, least: 8 }, {}, right, {}, { shrink: 1, least: 12 }]

/** @param kit undefined if the list of kits can't be read */
export function versionTable(
  versions: readonly KitVersion[],
  kit: KitRow | undefined,
  { columns: width }: Pick<Terminal, 'columns'>,
): Line[] {
  const rows = versions.map(({ version, versionIdentifier, counts, dateUpdated, notes }): Cell[] => [
    paint('cyan', isRevision(version) ? 'revision' : String(version)),
    version === 0 ? 'draft' : versionIdentifier,
    shownDate(dateUpdated)?.slice(0, 10) ?? '',
    counts.assets === undefined ? '' : countText(counts.assets, 'asset'),
    [version === kit?.useVersion ? 'in use' : [], version === kit?.lockedVersion ? 'locked' : []].flat().join(', '),
    notes,
  ])
  return tableLines(rows, { columns, width })
}

import type { Summary } from '../../importer.js'
import { oneLine } from '../../text/display.js'
import { countText, sizeText } from '../../text/quantities.js'

/** Returns the summary of a build as lines of text: one for each kit, and one with the totals. */
export function summaryLines(summary: Summary): { warnings: string[]; lines: string[] } {
  const kits = summary.kits.map(({ name, version, assets, used, size }) => {
    const usage =
      used === assets && assets > 1 ? `whole kit used (${assets} assets)` : `${used} of ${assets} assets used`
    return oneLine(`content-space: ${name} (version ${version}): ${usage}, ${sizeText(size)}`)
  })
  const totals = [
    countText(summary.files, 'file'),
    `${summary.downloads} downloaded (${sizeText(summary.bytes)})`,
    countText(summary.requests, 'request'),
  ].join(', ')
  return { warnings: summary.warnings, lines: kits.length === 0 ? [] : [...kits, `content-space: ${totals}`] }
}

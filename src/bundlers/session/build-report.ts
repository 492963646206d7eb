import type { Summary } from '../../importer.js'
import { countText, oneLine } from '../../text/display.js'

/** Returns the summary of a build as lines for people: one for each kit, and the totals. */
export function summaryLines(summary: Summary): { warnings: string[]; lines: string[] } {
  const kits = summary.kits.map(({ name, version, assets, used, size }) => {
    const usage =
      used === assets && assets > 1 ? `whole kit used (${assets} assets)` : `${used} of ${assets} assets used`
    return oneLine(`content-space: ${name} (version ${version}): ${usage}, ${readableSize(size)}`)
  })
  const totals = [
    countText(summary.files, 'file'),
    `${summary.downloads} downloaded (${readableSize(summary.bytes)})`,
    countText(summary.requests, 'request'),
  ].join(', ')
  return { warnings: summary.warnings, lines: kits.length === 0 ? [] : [...kits, `content-space: ${totals}`] }
}

function readableSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

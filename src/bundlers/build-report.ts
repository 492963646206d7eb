import { countText, oneLine } from '../text/display.js'
import type { Summary } from '../importer.js'

/** The summary of a build as people read it: one line a kit, then what it cost. */
export function summaryLines(summary: Summary): { warnings: string[]; lines: string[] } {
  const kits = summary.kits.map(({ name, version, assets, used, size }) => {
    const taken =
      used === assets && assets > 1 ? `the whole kit is taken, ${assets} assets` : `${used} of ${assets} assets used`
    return oneLine(`content-space: ${name} (version ${version}): ${taken}, ${readableSize(size)}`)
  })
  const cost = `${countText(summary.files, 'file')}, ${summary.downloads} downloaded (${readableSize(summary.bytes)}), ${countText(summary.requests, 'request')}`
  return { warnings: summary.warnings, lines: kits.length === 0 ? [] : [...kits, `content-space: ${cost}`] }
}

function readableSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

import { oneLine } from '../text/display.js'
import type { Summary } from '../importer.js'
import { countText, sizeText } from '../text/quantities.js'

/** The summary of a build as people read it: one line a kit, then what it cost. */
export function summaryLines(summary: Summary): { warnings: string[]; lines: string[] } {
  const kits = summary.kits.map(({ name, version, assets, used, size }) => {
    const taken =
      used === assets && assets > 1 ? `the whole kit is taken, ${assets} assets` : `${used} of ${assets} assets used`
    return oneLine(`content-space: ${name} (version ${version}): ${taken}, ${sizeText(size)}`)
  })
  const cost = `${countText(summary.files, 'file')}, ${summary.downloads} downloaded (${sizeText(summary.bytes)}), ${countText(summary.requests, 'request')}`
  return { warnings: summary.warnings, lines: kits.length === 0 ? [] : [...kits, `content-space: ${cost}`] }
}

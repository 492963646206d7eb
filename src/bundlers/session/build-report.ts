import type { Summary } from '../../progress.js'
import { oneLine } from '../../text/display.js'
import { countText, sizeText, versionText } from '../../text/quantities.js'

/** Returns the summary of a build as lines of text: one for each kit, and one with the totals. */
export function summaryLines(summary: Summary): { warnings: string[]; lines: string[] } {
  const kits = summary.kits.map(({ name, version, assets, used, size }) => {
    const usage =
      used === assets && assets > 1 ? `whole kit used (${assets} assets)` : `${used} of ${assets} assets used`
    return oneLine(`content-space: ${name} (${versionText(version)}): ${usage}, ${sizeText(size)}`)
  })
  const totals = [filesText(summary), countText(summary.requests, 'request')].join(', ')
  return { warnings: summary.warnings, lines: kits.length === 0 ? [] : [...kits, `content-space: ${totals}`] }
}

function filesText({ files, origins, downloads, bytes }: Summary): string {
  const total = countText(files, 'file')
  if (!origins) return `${total}, ${downloads} downloaded (${sizeText(bytes)})`
  const { local, remote, downloaded } = origins
  return `${total}: ${local} local, ${remote} remote, ${downloaded} downloaded (${sizeText(bytes)})`
}

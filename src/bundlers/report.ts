import type { Summary } from '../importer.js'

/** The summary of a build as people read it: one line a kit, then what it cost. */
export function summaryLines(summary: Summary): { warnings: string[]; lines: string[] } {
  const kits = summary.kits.map(({ name, version, assets, used }) => {
    const taken = used === assets && assets > 1 ? `the whole kit, ${assets} assets, is taken` : `${used} of ${assets} assets used`
    return `content-space: ${name} (version ${version}): ${taken}`
  })
  const cost = `${summary.files} files, ${summary.downloads} downloads (${size(summary.bytes)}), ${summary.requests} requests`
  return { warnings: summary.warnings, lines: kits.length === 0 ? [] : [...kits, `content-space: ${cost}`] }
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

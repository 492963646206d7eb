import type { Summary } from '../../progress.js'
import { oneLine } from '../../text/display.js'
import { countText, isRevision, sizeText, versionText } from '../../text/quantities.js'

/** Returns the summary of a build as lines of text: one for each kit. The last line includes downloads. */
export function summaryLines(summary: Summary): { warnings: string[]; lines: string[] } {
  const kits = summary.kits.map((kit) => {
    const { name, version, assets, used, bytes } = kit
    const whole = used === assets && assets > 1 ? ` (the whole kit: ${countText(assets, 'asset')})` : ''
    const size = used === 0 ? '' : `, ${sizeText(bytes)}`
    const label = version === 0 || isRevision(version) ? `(${versionText(version)})` : version
    return `${filesText(kit)} from ${name} ${label}${whole}${size}`
  })
  const { conversions } = summary
  const last = `${downloadsText(summary)}${conversions === 0 ? '' : `, ${conversions} converted`}`
  const [only, ...others] = kits
  const lines = only !== undefined && others.length === 0 ? [`${only}; ${last}`] : [...kits, last]
  return {
    warnings: summary.warnings,
    lines: kits.length === 0 ? [] : lines.map((line) => oneLine(`content-space: ${line}`)),
  }
}

function filesText({ files, inlined }: Summary['kits'][number]): string {
  if (files === 0) return inlined === 0 ? 'no files' : countText(inlined, 'inlined file')
  return `${countText(files, 'file')}${inlined === 0 ? '' : ` and ${inlined} inlined`}`
}

function downloadsText({ origins, downloads, bytes }: Summary): string {
  const size = downloads === 0 ? '' : ` (${sizeText(bytes)})`
  if (origins) return `${origins.local} local, ${origins.remote} remote, ${origins.downloaded} downloaded${size}`
  return downloads === 0 ? 'nothing downloaded' : `${downloads} downloaded${size}`
}

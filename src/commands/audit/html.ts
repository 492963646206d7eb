import { findings as kinds } from '../../config/findings.js'
import { countText } from '../../text/quantities.js'
import { escaped, pageOf, pictureHtml, swatch, type Markup } from '../shared/page/page.js'
import type { SmallPicture } from '../shared/page/picture.js'
import { findingText, rules, type AuditReport, type Finding } from '../shared/findings/report.js'

/** Renders findings as one page, with the found file and the asset side by side. */
export function auditHtml({ findings, unknown }: AuditReport): string {
  const missing = unknown > 0 ? `. ${countText(unknown, 'picture')} of the kits could not be compared.` : ''
  const sections = kinds.flatMap((kind) => {
    const own = findings.filter(({ finding }) => finding === kind)
    if (own.length === 0) return []
    return [escaped`<section><h2>${rules[kind]}</h2>\n${own.map(findingHtml)}\n</section>`]
  })
  return pageOf({
    command: 'audit',
    heading: 'Content audit',
    summary: countText(findings.length, 'finding') + missing,
    sections,
  })
}

function findingHtml(one: Finding): Markup {
  const { finding, file, line, import: id, color, asset, pictures } = one
  const place = `${file}:${line}`
  const found = color ? swatch(color.text) : pictureOr(pictures?.found, 'no picture', place)
  const absent = id === undefined ? 'not in this version' : 'no picture'
  const current = color ? swatch(color.hex) : pictureOr(pictures?.asset, absent, asset.name)
  // An expired finding is an import, or a copy that has a separate finding.
  const left = finding === 'expired' ? '' : figure(found, color ? `Found, ${color.text}` : 'Found')
  const instead = id === undefined ? '' : escaped`<p>Import <code class="whole">${id}</code></p>`
  return escaped`<article>
<h3><b class="${finding}">${finding}</b> ${findingText(one)}</h3>
<p><code>${place}</code></p>
<div class="low">${left}${figure(current, color ? `${asset.name}, ${color.hex}` : asset.name)}</div>
${instead}
</article>`
}

function figure(shown: Markup, caption: string): Markup {
  return escaped`<figure>${shown}<figcaption>${caption}</figcaption></figure>`
}

function pictureOr(picture: SmallPicture | undefined, text: string, alt: string): Markup {
  return picture ? pictureHtml(picture, alt) : escaped`<p>${text}</p>`
}

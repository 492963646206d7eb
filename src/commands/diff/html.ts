import { escaped, pageOf, pictureHtml, swatch, type Markup } from '../shared/page/page.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import type { Break } from '../shared/changes/breaks.js'
import type { Diff, DiffSide } from '../shared/changes/report.js'
import {
  dataText,
  groupsOf,
  tokenIn,
  totals,
  type Group,
  type ReleaseText,
  type ShownEntry,
} from '../shared/changes/groups.js'
import type { PartText } from '../shared/changes/describe-parts.js'

/** Renders differences as one page, with the pictures of both sides next to each other. */
export function diffHtml(diff: Diff): string {
  const groups = groupsOf(diff)
  const title = groups.map((group) => group.title)
  const sections = groups.map(groupHtml)
  return pageOf({ command: 'diff', heading: 'Content changes', title, summary: totals(diff), sections })
}

function groupHtml({ title, releases, entries, parts }: Group): Markup {
  const colors = parts.filter((part) => part.colors !== undefined)
  const others = parts.filter((part) => part.colors === undefined)
  return escaped`<section><h2>${title}</h2>
${releases.map(releaseHtml)}
${entries.map(entryHtml)}
${colors.map(colorHtml)}
${others.length === 0 ? '' : escaped`<ul class="parts">${others.map(partHtml)}</ul>`}
</section>`
}

function partHtml(part: PartText): Markup {
  return escaped`<li>${partHead(part)}
${breaksHtml(part.breaks)}</li>`
}

function partHead({ word, what, title, names, place, values }: PartText): Markup {
  const code = names.length === 0 ? escaped`` : escaped`<code>${names.join(' → ')}</code>`
  const kind = what === '' ? escaped`` : escaped` <small>${what}</small>`
  return escaped`<h3><b class="${word}">${word}</b>${kind} ${title}</h3>
<p>${code}${place} <small>${values.join(' → ')}</small></p>`
}

function colorHtml(part: PartText): Markup {
  const { from, to } = part.colors ?? {}
  return escaped`<article>
${partHead(part)}
<div>${colorSide('Before', from)}${colorSide('After', to)}</div>
${breaksHtml(part.breaks)}
</article>`
}

function colorSide(label: string, color: string | undefined): Markup {
  if (color === undefined) return absentSide(label)
  return escaped`<figure>${swatch(color)}<figcaption>${label}, ${color}</figcaption></figure>`
}

function absentSide(label: string): Markup {
  return escaped`<figure><p>not in this version</p><figcaption>${label}</figcaption></figure>`
}

function breaksHtml(breaks: readonly Break[]): Markup {
  const lines = breaks.map(
    ({ file, line, specifier }) => escaped`<li><code>${`${file}:${line}`}</code> <code>${specifier}</code></li>`,
  )
  return lines.length === 0 ? escaped`` : escaped`<p>These imports would break:</p><ul>${lines}</ul>`
}

function releaseHtml({ title, lines }: ReleaseText): Markup {
  if (lines.length === 0) return escaped``
  return escaped`<aside><h3>${title}</h3>${lines.map((line) => escaped`<p>${line}</p>`)}</aside>`
}

function entryHtml(shown: ShownEntry): Markup {
  const { from, to } = shown.entry
  return escaped`<article>
${partHead(shown)}
<div>${sideHtml('Before', from, to)}${sideHtml('After', to, from)}</div>
${breaksHtml(shown.breaks)}
</article>`
}

function sideHtml(label: string, side: DiffSide | undefined, other: DiffSide | undefined): Markup {
  if (side === undefined) return absentSide(label)
  const { picture: uri, ground, width, height, name } = side
  // If the other side has a picture, files of this type can be displayed, so this side's file must be missing.
  const placeholder = other?.picture === undefined ? 'no preview' : 'the file is no longer available'
  const token = tokenIn(side)
  const text = token?.type === 'color' ? swatch(token.value) : escaped`<p>${dataText(side) ?? placeholder}</p>`
  const shown = uri === undefined ? text : pictureHtml({ uri, ...omitUndefined({ ground }) }, name)
  const size = width === undefined || height === undefined ? '' : `, ${width} × ${height}`
  return escaped`<figure>${shown}<figcaption>${label}${size}</figcaption></figure>`
}

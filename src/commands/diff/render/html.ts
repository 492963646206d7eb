import { createHash } from 'node:crypto'
import type { Difference } from '../compare.js'
import type { Diff, DiffEntry, DiffSide } from '../report.js'
import { dataText, facts, groupsOf, titleOf, totals, type Group } from './groups.js'
import { html, type Markup } from './markup.js'
import { style } from './style.js'

/**
 * A difference as one page, with pictures of before and after side by side where the entries have them.
 * It asks for nothing and runs nothing: its policy allows its own style and pictures in data URIs, and no more.
 */
export function diffHtml(diff: Diff): string {
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`
  const groups = groupsOf(diff)
  const page = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content="${{ markup: policy }}" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${['What has changed', ...groups.map(({ title }) => title)].join(' · ')}</title>
      <style>
        ${{ markup: style }}
      </style>
      <header>
        <h1>What has changed</h1>
        <p>${totals(diff)}</p>
      </header>
      ${groups.map(groupHtml)}
    </html>`
  return `${page.markup}\n`
}

function groupHtml({ title, entries }: Group): Markup {
  return html`<section>
    <h2>${title}</h2>
    ${entries.map(({ difference, entry }) => entryHtml(difference, entry))}
  </section>`
}

function entryHtml(difference: Difference, entry: DiffEntry): Markup {
  const { from, to, breaks } = entry
  const [names = '', file = ''] = facts(difference, entry)
  const lines = breaks.map(
    ({ file: path, line, specifier }) => html`<li><code>${`${path}:${line}`}</code> <code>${specifier}</code></li>`,
  )
  return html`<article>
    <h3><b class="${difference}">${difference}</b> ${titleOf(entry)}</h3>
    <p><code>${names}</code> <small>${file}</small></p>
    <div>${sideHtml('Before', from, to)}${sideHtml('After', to, from)}</div>
    ${
      lines.length === 0
        ? ''
        : html`<p>These lines would break:</p>
            <ul>
              ${lines}
            </ul>`
    }
  </article>`
}

function sideHtml(label: string, side: DiffSide | undefined, other: DiffSide | undefined): Markup {
  if (side === undefined)
    return html`<figure>
      <p>not there</p>
      <figcaption>${label}</figcaption>
    </figure>`
  const { picture, width, height, name } = side
  // of what can be drawn on the other side, only the file can be missing
  const without = other?.picture === undefined ? 'no picture' : 'the file is not available any more'
  const shown =
    picture === undefined ? html`<p>${dataText(side) ?? without}</p>` : html`<img src="${picture}" alt="${name}" />`
  const size = width === undefined || height === undefined ? '' : `, ${width} × ${height}`
  return html`<figure>
    ${shown}
    <figcaption>${label}${size}</figcaption>
  </figure>`
}

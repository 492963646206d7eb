import { createHash } from 'node:crypto'
import { escapeAttribute } from '../../text/attribute.js'
import { compareStrings } from '../../text/compare.js'
import { oneLine } from '../../text/display.js'
import { countText } from '../../text/quantities.js'
import type { AssetUsage, ProjectUsage, UsagePlace } from './report.js'

const mark = '<meta name="generator" content="content-space usage">'

/** Follows the theme of the user, and needs no script. */
const style = `
:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h2 { margin: 2rem 0 0.25rem; font-size: 1.1rem; overflow-wrap: anywhere; }
p { margin: 0.25rem 0; }
ul { margin: 0.25rem 0; padding-left: 1.25rem; }
li { overflow-wrap: anywhere; }
small { opacity: 0.75; }
`

/** Whether a text is a page of this module. */
export function isPage(text: string): boolean {
  return text.includes(mark)
}

/** Returns a page that says who uses each asset, where, and in which version. All texts are escaped. */
export function pageOf(projects: readonly ProjectUsage[]): string {
  const users = new Map<string, { asset: AssetUsage; uses: { project: string; places: UsagePlace[] }[] }>()
  for (const { project, assets } of projects.toSorted((a, b) => compareStrings(a.project, b.project))) {
    for (const asset of assets) {
      const known = users.get(asset.uuid) ?? { asset, uses: [] }
      known.uses.push({ project, places: asset.places })
      users.set(asset.uuid, known)
    }
  }
  const sorted = [...users.values()].toSorted(
    ({ asset: a }, { asset: b }) => compareStrings(a.kit.name, b.kit.name) || compareStrings(a.name, b.name),
  )
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width">
${mark}
<title>Who uses which asset</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Who uses which asset</h1>
<p>${countText(sorted.length, 'asset')} in ${countText(projects.length, 'project')}</p>
${sorted.map(({ asset, uses }) => assetHtml(asset, uses)).join('')}</main>
</body>
</html>
`
}

function assetHtml({ name, slug, kit }: AssetUsage, uses: { project: string; places: UsagePlace[] }[]): string {
  const items = uses.map(({ project, places }) => {
    const versions = [...new Set(places.map(({ version }) => version))].toSorted(compareStrings)
    const lines = places.map(
      ({ file, line, by, version }) =>
        `<li>${escape(`${file}:${line}`)} <small>${escape(`${by}, ${versionText(version)}`)}</small></li>\n`,
    )
    const head = `<strong>${escape(project)}</strong> ${escape(versions.map(versionText).join(', '))}`
    return `<li>${head}\n<ul>\n${lines.join('')}</ul>\n</li>\n`
  })
  return `<section>
<h2>${escape(name)}</h2>
<p><small>${escape(`${kit.name}, ${slug}`)}</small></p>
<ul>
${items.join('')}</ul>
</section>
`
}

function versionText(version: string): string {
  return version === 'draft' ? 'draft' : `version ${version}`
}

function escape(text: string): string {
  return escapeAttribute(oneLine(text))
}

import { compareStrings } from '../../text/compare.js'
import { countText } from '../../text/quantities.js'
import { escaped, pageOf, type Markup } from '../page/page.js'
import type { AssetUsage, ProjectUsage, UsagePlace } from './report.js'

export function usageHtml(projects: readonly ProjectUsage[]): string {
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
  return pageOf({
    command: 'usage',
    heading: 'Who uses which asset',
    summary: `${countText(sorted.length, 'asset')} in ${countText(projects.length, 'project')}`,
    sections: sorted.map(({ asset, uses }) => assetHtml(asset, uses)),
  })
}

function assetHtml({ name, slug, kit }: AssetUsage, uses: { project: string; places: UsagePlace[] }[]): Markup {
  const items = uses.map(({ project, places }) => {
    const versions = [...new Set(places.map(({ version }) => version))].toSorted(compareStrings)
    const lines = places.map(
      ({ file, line, by, version }) =>
        escaped`<li><code>${`${file}:${line}`}</code> <small>${`${by}, ${versionText(version)}`}</small></li>`,
    )
    return escaped`<li><strong>${project}</strong> ${versions.map(versionText).join(', ')}
<ul>
${lines}
</ul></li>`
  })
  return escaped`<section><h2>${name}</h2>
<p><small>${`${kit.name}, ${slug}`}</small></p>
<ul>
${items}
</ul></section>`
}

function versionText(version: string): string {
  return version === 'draft' ? 'draft' : `version ${version}`
}

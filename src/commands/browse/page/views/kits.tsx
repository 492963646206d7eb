import { useState } from 'preact/hooks'
import type { Theme } from '../app/settings.js'
import { useShell } from '../app/shell.js'
import type { Drift, KitEntry, Project } from '../../../shared/kit-page/data.js'
import { groundFor, lookAtImage, type Look } from '../preview/look.js'
import { formatRoute } from '../route.js'
import { count, date } from '../text.js'
import { changesOf } from './changes.js'
import { ThemeChoice } from './segments.js'
import { Notice } from './states.js'

interface KitsProperties {
  project: Project
  drift: Drift | undefined
  theme: Theme
  onTheme: (theme: Theme) => void
}

export function Kits({ project, drift, theme, onTheme }: KitsProperties) {
  return (
    <div class="kits">
      <header class="kits-head">
        <h1 dir="auto">{project.name || 'Kits'}</h1>
        <ThemeChoice name="theme" value={theme} onChange={onTheme} />
      </header>
      <main id="main" tabIndex={-1}>
        {project.error !== undefined && <p class="banner is-alert">{project.error}</p>}
        {project.kits.length === 0 ? (
          <Notice icon="empty" title="This space has no kit yet">
            <p class="notice-text">A kit appears here as soon as the space has one.</p>
          </Notice>
        ) : (
          <ul class="kits-list">
            {project.kits.map((entry) => (
              <KitCard key={entry.uuid} entry={entry} changes={changesOf(drift, entry.uuid)} />
            ))}
          </ul>
        )}
      </main>
    </div>
  )
}

function KitCard({ entry, changes = 0 }: { entry: KitEntry; changes: number | undefined }) {
  const { name, reference, version, versions, cover, isUsed, dateUpdated } = entry
  const current = versions.find((known) => known.version === version)
  const updated = date(current?.dateUpdated ?? dateUpdated)
  const facts = [
    version === 0 ? 'Draft' : `Version ${version}`,
    current?.assets === undefined ? undefined : count(current.assets, 'asset'),
    updated && `updated ${updated}`,
  ]
  return (
    <li>
      <a class="kit-card" href={formatRoute({ kit: reference })}>
        <span class="kit-cover" aria-hidden="true">
          <Cover path={cover} name={name} />
        </span>
        <span class="kit-text">
          <span class="kit-name" dir="auto">
            {name}
          </span>
          <span class="kit-facts">{facts.filter(Boolean).join(' · ')}</span>
          <span class="kit-marks">
            <code>{reference}</code>
            {isUsed && <span class="tag">used</span>}
            {changes > 0 && <span class="badge">{count(changes, 'change')}</span>}
          </span>
        </span>
      </a>
    </li>
  )
}

/** Displays a cover. A photo fills its box; an SVG is displayed whole, on a background against which it is visible. */
function Cover({ path, name }: { path: string | undefined; name: string }) {
  const { isDark } = useShell()
  const [look, setLook] = useState<Look | 'broken'>()
  if (path === undefined || look === 'broken') return <span>{initials(name)}</span>
  const ground = look === undefined || look.isOpaque ? '' : `is-whole ground-${groundFor(look, isDark)}`
  return (
    <img
      class={ground}
      src={path}
      alt=""
      loading="lazy"
      onLoad={({ currentTarget }) => setLook(lookAtImage(currentTarget))}
      onError={() => setLook('broken')}
    />
  )
}

function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => Array.from(word)[0]?.toUpperCase())
    .join('')
}

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Theme } from '../app/settings.js'
import type { AssetData, KitEntry, Project } from '../../../shared/kit-page/data.js'
import { countAssets, type Group, type KitModel } from '../../../shared/kit-page/model.js'
import { formatRoute, type Route } from '../route.js'
import { date } from '../text.js'
import { Icon, type IconName } from './icons.js'
import { ThemeChoice } from './segments.js'

export interface SidebarProperties {
  /** Distinguishes the two sidebars: one is beside the page, and one is in a drawer. */
  name: string
  project: Project
  entry: KitEntry
  model: KitModel | undefined
  route: Route
  /** The results of a search. */
  found: readonly AssetData[] | undefined
  /** The visible section and heading. */
  seen: { section: string; heading?: string | undefined } | undefined
  changes: number | undefined
  theme: Theme
  hasUsage: boolean
  hasChanges: boolean
  onTheme: (theme: Theme) => void
  onKeys: () => void
  onVersion: (version: number) => void
}

export function Sidebar(properties: SidebarProperties) {
  const { name, project, entry, model, route, changes, hasUsage, hasChanges, theme, onTheme, onKeys } = properties
  const base: Partial<Route> = { kit: entry.reference, ...(route.version !== undefined && { version: route.version }) }
  const total = model && (properties.found ?? model.index.assets).length
  return (
    <div class="side-body">
      <div class="side-head">
        {project.kits.length > 1 && (
          <a class="side-back" href={formatRoute({})}>
            <Icon name="left" /> All kits
          </a>
        )}
        <p class="side-kit" dir="auto" title={entry.name}>
          {entry.name}
        </p>
        <VersionChoice {...properties} />
      </div>
      <nav aria-label="Views" class="side-nav">
        <ul>
          <NavLink icon="grid" route={{ ...base, view: 'assets' }} current={route} count={total?.toLocaleString('en')}>
            Assets
          </NavLink>
          {hasUsage && (
            <NavLink icon="usage" route={{ ...base, view: 'usage' }} current={route}>
              Usage
            </NavLink>
          )}
          {hasChanges && (
            <NavLink icon="changes" route={{ ...base, view: 'changes' }} current={route} badge={changes}>
              Changes
            </NavLink>
          )}
        </ul>
      </nav>
      {model && model.groups.length > 0 && <Contents {...properties} model={model} base={base} />}
      <div class="side-foot">
        <ThemeChoice name={`theme-${name}`} value={theme} onChange={onTheme} />
        <button type="button" class="icon-button" aria-label="Keys" title="Keys (?)" onClick={onKeys}>
          <Icon name="keyboard" />
        </button>
      </div>
    </div>
  )
}

function VersionChoice({ name, entry, model, route, onVersion }: SidebarProperties) {
  const version = model?.kit.version ?? route.version ?? entry.version
  const current = entry.versions.find((known) => known.version === version)
  const notes = current?.notes
  const facts = [
    version === entry.lockedVersion && 'locked',
    version === entry.useVersion && 'in use',
    date(current?.dateUpdated ?? entry.dateUpdated),
  ]
  return (
    <div class="version">
      {entry.versions.length > 1 ? (
        <>
          <label class="hidden" for={`version-${name}`}>
            Version
          </label>
          <select
            id={`version-${name}`}
            class="field"
            value={String(version)}
            onChange={(event) => onVersion(Number(event.currentTarget.value))}
          >
            {entry.versions.map((known) => (
              <option key={known.version} value={String(known.version)}>
                {versionName(known.version, known.label)}
              </option>
            ))}
          </select>
        </>
      ) : (
        <span class="quiet">{versionName(version, current?.label ?? '')}</span>
      )}
      <p class="version-date">{facts.filter(Boolean).join(' · ')}</p>
      {notes && (
        <details class="more version-notes">
          <summary>Release notes</summary>
          <p dir="auto">{notes}</p>
        </details>
      )}
    </div>
  )
}

function versionName(version: number, label: string): string {
  const name = version === 0 ? 'Draft' : `Version ${version}`
  const own = label && label !== String(version) && label.toLowerCase() !== 'draft' ? ` · ${label}` : ''
  return `${name}${own}`
}

function NavLink(properties: {
  icon: IconName
  route: Partial<Route>
  current: Route
  count?: string | undefined
  badge?: number | undefined
  children: ComponentChildren
}) {
  const { icon, route, current, count, badge, children } = properties
  return (
    <li>
      <a href={formatRoute(route)} aria-current={route.view === current.view ? 'page' : undefined}>
        <Icon name={icon} />
        <span class="side-text">{children}</span>
        {count !== undefined && <span class="count">{count}</span>}
        {badge !== undefined && badge > 0 && <span class="badge">{badge.toLocaleString('en')}</span>}
      </a>
    </li>
  )
}

/** The table of contents. */
function Contents({ model, base, seen, found }: SidebarProperties & { model: KitModel; base: Partial<Route> }) {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [seen?.section, seen?.heading])
  const shown = found && new Set(found)
  const countOf = ({ section, isFirst, at }: Group): number => {
    const next = model.groups.findIndex((group) => group.at > at && !group.isContinued)
    const groups = isFirst
      ? model.groups.filter((group) => group.section === section)
      : model.groups.slice(at, next === -1 ? undefined : next)
    return countAssets(groups.flatMap((group) => group.assets).filter(({ asset }) => shown?.has(asset) ?? true))
  }
  return (
    <nav ref={list} aria-label="Contents" class="side-contents">
      <ul>
        {model.groups.map((group) => {
          const { at, section, heading, headingName, sectionName, isFirst, isContinued } = group
          if (isContinued) return null
          const isSeen = seen?.section === section && seen.heading === heading
          return (
            <li key={at} class={isFirst ? '' : 'is-heading'}>
              <a
                href={formatRoute({ ...base, section, ...(heading !== undefined && { heading }) })}
                aria-current={isSeen ? 'location' : undefined}
              >
                <span class="side-text" dir="auto" title={headingName ?? sectionName}>
                  {headingName ?? sectionName}
                </span>
                <span class="count">{countOf(group)}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

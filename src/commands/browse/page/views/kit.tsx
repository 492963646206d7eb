import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Navigation } from '../app/navigation.js'
import { useResource } from '../app/resource.js'
import { grounds, type Ground, type Theme } from '../app/settings.js'
import { useShell } from '../app/shell.js'
import type { Copies, Drift, KitData, KitEntry, Usage } from '../../../shared/kit-page/data.js'
import type { SeenGroup } from '../grid/seen.js'
import { assetOf, countTypes, createModel, type KitModel } from '../../../shared/kit-page/model.js'
import type { Route } from '../route.js'
import { withoutTypes } from '../../../shared/kit-page/search/query.js'
import { fieldChoices } from '../../../shared/kit-page/search/fields.js'
import { search, type Found } from '../../../shared/kit-page/search/search.js'
import { namedImport } from '../../../shared/kit-page/snippets.js'
import { count } from '../text.js'
import { Browse, type BrowseHandle } from './browse.js'
import { Changes, changesOf } from './changes.js'
import { Drawer } from './drawer.js'
import { Keys } from './keys.js'
import { useShortcuts } from './shortcuts.js'
import { Sidebar } from './sidebar.js'
import { LoadFailure, Skeleton } from './states.js'
import { Toolbar } from './toolbar.js'
import { UsageView } from './usage.js'

export interface KitProperties {
  entry: KitEntry
  navigation: Navigation
  revision: number
  isAway: boolean
  usage: Usage | undefined
  drift: Drift | undefined
  theme: Theme
  onTheme: (theme: Theme) => void
  onGround: (ground: Ground) => void
}

const noCopies: Copies = {}
const nothing: Found = { assets: [], isRanked: false }

export function Kit(properties: KitProperties) {
  const { entry, navigation, revision, isAway, usage, drift, theme, onTheme, onGround } = properties
  const { route, go, visit } = navigation
  const { project, ground, copy } = useShell()
  const version = route.version ?? entry.version
  const { data, error, retry } = useResource<KitData>(`data/kits/${entry.uuid}/${version}.json`, revision)
  const model = useMemo(() => data && createModel(data), [data])
  const [text, setText] = useSearchText(navigation)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [areKeysOpen, setKeysOpen] = useState(false)
  const [seen, setSeen] = useState<SeenGroup>()
  const input = useRef<HTMLInputElement>(null)
  const handle = useRef<BrowseHandle>(null)
  const isUsed = useMemo(() => usage && usedIn(entry, usage), [entry, usage])
  const found = useMemo(() => (model ? search(model.index, text, isUsed) : nothing), [model, text, isUsed])
  const isSearch = text.trim() !== ''
  // A type is one of several choices, so its count is the number of assets that choosing it would find.
  const types = useMemo(
    () => (model ? countTypes(model, search(model.index, withoutTypes(text), isUsed).assets) : []),
    [model, text, isUsed],
  )
  const fields = useMemo(
    () =>
      model ? fieldChoices(model.kit, text, found.assets, (other) => search(model.index, other, isUsed).assets) : [],
    [model, text, isUsed, found],
  )
  const base: Partial<Route> = { kit: entry.reference, ...(route.version !== undefined && { version: route.version }) }
  const opened = model && route.asset !== undefined ? assetOf(model, route.asset) : undefined

  // Load copies only if they are displayed, because loading them compares files of the project.
  const areCopiesShown = usage !== undefined && (route.asset !== undefined || route.view === 'usage')
  const { data: copies = noCopies } = useResource<Copies>(areCopiesShown ? 'data/copies.json' : undefined, revision)

  useEffect(() => setMenuOpen(false), [visit])
  useLayoutEffect(() => scrollTo(0, 0), [entry.uuid, version, route.view])
  useTitle([opened?.name, entry.name, project.name])
  useShortcuts({
    onSearch: () => input.current?.select(),
    onKeys: () => setKeysOpen(true),
    onGround: () => onGround(grounds[(grounds.indexOf(ground) + 1) % grounds.length] ?? 'auto'),
    onCopy: () => {
      const name = document.activeElement?.getAttribute('data-export')
      const asset = opened ?? model?.index.assets.find((one) => one.export === name)
      if (model && asset) copy(namedImport(model, asset))
    },
    onEscape: () => {
      if (route.asset !== undefined) document.querySelector('dialog.detail')?.dispatchEvent(new Event('cancel'))
      else setText('')
    },
  })
  const changes = changesOf(drift, entry.uuid)
  const sidebar = (name: string) => (
    <Sidebar
      name={name}
      project={project}
      entry={entry}
      model={model}
      route={route}
      found={isSearch ? found.assets : undefined}
      seen={route.view === 'assets' && !text ? seen : undefined}
      changes={changes}
      hasUsage={project.mode !== 'static' && usage !== undefined}
      hasChanges={project.mode !== 'static' && drift !== undefined}
      theme={theme}
      onTheme={onTheme}
      onKeys={() => setKeysOpen(true)}
      onVersion={(to) =>
        go({ kit: entry.reference, view: route.view, search: text, ...(to !== entry.version && { version: to }) })
      }
    />
  )
  const results = (event: KeyboardEvent) => {
    event.preventDefault()
    if (event.key === 'Enter') handle.current?.openFirst()
    else handle.current?.focusFirst()
  }
  return (
    <div class={`kit ${opened && route.view === 'assets' ? 'has-detail' : ''}`}>
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('#main')?.focus()}>
        Skip to content
      </button>
      <aside class="side" aria-label="Kit">
        {sidebar('side')}
      </aside>
      {isMenuOpen && <Drawer onClose={() => setMenuOpen(false)}>{sidebar('drawer')}</Drawer>}
      <Toolbar
        input={input}
        text={text}
        onText={setText}
        types={types}
        fields={fields}
        hasUsage={usage !== undefined}
        ground={ground}
        onGround={onGround}
        onMenu={() => setMenuOpen(true)}
        onResults={results}
      />
      <main id="main" tabIndex={-1}>
        <Head entry={entry} model={model} route={route} text={text} found={found} />
        {project.error !== undefined && !isAway && <p class="banner is-alert">{project.error}</p>}
        {error !== undefined && model && !isAway && <Stale message={error} onRetry={retry} />}
        {!model && error === undefined && <Skeleton />}
        {!model && error !== undefined && <LoadFailure what={entry.name} message={error} onRetry={retry} />}
        {model && route.view === 'usage' && usage && (
          <UsageView entry={entry} model={model} usage={usage} copies={copies} base={base} />
        )}
        {model && route.view === 'changes' && <Changes entry={entry} model={model} drift={drift?.[entry.uuid]} />}
        {model && route.view === 'assets' && (
          <Browse
            entry={entry}
            model={model}
            usage={usage}
            copies={copies}
            navigation={navigation}
            text={text}
            found={found}
            base={base}
            handle={handle}
            onText={setText}
            onGround={onGround}
            onSeen={setSeen}
          />
        )}
      </main>
      {areKeysOpen && <Keys onClose={() => setKeysOpen(false)} />}
    </div>
  )
}

/** Keeps the text of the search. The page updates immediately, and the URL shortly after. */
function useSearchText({ route, visit, go }: Navigation) {
  const [text, setText] = useState(route.search)
  useEffect(() => setText(route.search), [visit])
  useEffect(() => {
    if (text === route.search) return undefined
    const timer = setTimeout(() => go({ ...route, search: text }, true), 300)
    return () => clearTimeout(timer)
  }, [text, route, go])
  const change = useCallback(
    (next: string) => {
      setText(next)
      // The results are in the grid.
      if (route.view === 'assets') return
      go({ ...route, view: 'assets', search: next })
    },
    [route, go],
  )
  return [text, change] as const
}

function usedIn(entry: KitEntry, usage: Usage): (uuid: string) => boolean {
  const isWhole = (usage.kits[entry.uuid]?.length ?? 0) > 0
  return (uuid) => isWhole || usage.assets[uuid] !== undefined
}

/** Sets the title. Skips repeated parts, because a space often has the same name as its only kit. */
function useTitle(parts: (string | undefined)[]): void {
  const title = [...new Set(parts)].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title || 'Kits'
  }, [title])
}

interface HeadProperties {
  entry: KitEntry
  model: KitModel | undefined
  route: Route
  text: string
  found: Found
}

const titles = { assets: '', usage: 'Usage', changes: 'Changes' }

function Head({ entry, model, route, text, found }: HeadProperties) {
  const total = model?.index.assets.length ?? 0
  const isSearch = route.view === 'assets' && text.trim() !== ''
  const facts = isSearch
    ? `${found.assets.length.toLocaleString('en')} of ${count(total, 'asset')}`
    : count(total, 'asset')
  const announced = useLate(isSearch && model ? facts : '', 500)
  return (
    <div class="head">
      <h1 dir="auto">{titles[route.view] || entry.name}</h1>
      {model && route.view === 'assets' && <p class="quiet">{facts}</p>}
      {model?.kit.description && route.view === 'assets' && !isSearch && (
        <p class="head-description" dir="auto">
          {model.kit.description}
        </p>
      )}
      <p class="hidden" role="status">
        {announced}
      </p>
    </div>
  )
}

/**
 * Returns a value once it hasn't changed for a while. Otherwise, a screen reader would announce each key press of a
 * search.
 */
function useLate(value: string, delay: number): string {
  const [late, setLate] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return late
}

function Stale({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <p class="banner is-alert" role="alert">
      <span>The page shows the content that was loaded last. {message}</span>
      <button type="button" class="text-button" onClick={onRetry}>
        Try again
      </button>
    </p>
  )
}

import './styles/base.css'
import './styles/controls.css'
import './styles/frame.css'
import './styles/grid.css'
import './styles/detail.css'
import './styles/views.css'
import { render } from 'preact'
import { useMemo } from 'preact/hooks'
import { useCopy } from './app/copy.js'
import { useLive } from './app/live.js'
import { useNavigation } from './app/navigation.js'
import { useResource } from './app/resource.js'
import { grounds, useSetting, useTheme } from './app/settings.js'
import { ShellContext, type Shell } from './app/shell.js'
import type { Drift, KitEntry, Project, Usage } from '../../shared/kit-page/data.js'
import { createFontLoader } from './preview/font.js'
import { createWatch } from './preview/visible.js'
import { Icon } from './views/icons.js'
import { Kit } from './views/kit.js'
import { Kits } from './views/kits.js'
import { LoadFailure, Notice, Skeleton } from './views/states.js'

function App() {
  const navigation = useNavigation()
  const { theme, setTheme, isDark } = useTheme()
  const [ground, setGround] = useSetting('ground', grounds, 'auto')
  const { notice, copy, say } = useCopy()
  const tools = useMemo(() => ({ watch: createWatch(), fonts: createFontLoader(), looks: new Map() }), [])
  const first = useResource<Project>('data/project.json', 0)
  const isServed = first.data !== undefined && first.data.mode !== 'static'
  const { revision, isAway } = useLive(isServed)
  const latest = useResource<Project>(revision > 0 ? 'data/project.json' : undefined, revision)
  const { data: usage } = useResource<Usage>(isServed ? 'data/usage.json' : undefined, revision)
  const { data: drift } = useResource<Drift>(isServed ? 'data/drift.json' : undefined, revision)
  const project = latest.data ?? first.data
  if (!project)
    return (
      <main class="alone">
        <h1 class="hidden">Kits</h1>
        {first.error === undefined ? (
          <Skeleton />
        ) : (
          <LoadFailure what="The kits" message={first.error} onRetry={first.retry} />
        )}
      </main>
    )
  const shell: Shell = { project, copy, say, isDark, ground, ...tools }
  const { route } = navigation
  const { kit } = route
  const entry = kit === undefined ? onlyOf(project.kits) : entryOfKit(project.kits, kit)
  const version = route.version ?? (kit === undefined ? undefined : entry?.aliases?.[kit])
  const common = { usage, drift, theme, onTheme: setTheme }
  return (
    <ShellContext.Provider value={shell}>
      {entry && (
        <Kit
          key={entry.uuid}
          entry={entry}
          navigation={version === undefined ? navigation : { ...navigation, route: { ...route, version } }}
          revision={revision}
          isAway={isAway}
          onGround={setGround}
          {...common}
        />
      )}
      {!entry && kit !== undefined && <UnknownKit reference={kit} />}
      {!entry && kit === undefined && <Kits project={project} {...common} />}
      {isAway && (
        <p class="away" role="status">
          <Icon name="away" /> The server does not respond. The page shows its last content.
        </p>
      )}
      <p class={`toast ${notice ? 'is-shown' : ''}`} role="status">
        {notice && <span key={notice.id}>{notice.text}</span>}
      </p>
    </ShellContext.Provider>
  )
}

function UnknownKit({ reference }: { reference: string }) {
  return (
    <main class="alone">
      <h1 class="hidden">Kits</h1>
      <Notice icon="empty" title="No such kit">
        <p class="notice-text">
          The space has no kit <code>{reference}</code>.
        </p>
        <a class="button" href="#/">
          Show all kits
        </a>
      </Notice>
    </main>
  )
}

const onlyOf = (kits: KitEntry[]): KitEntry | undefined => (kits.length === 1 ? kits[0] : undefined)

function entryOfKit(kits: KitEntry[], reference: string): KitEntry | undefined {
  const uuid = reference.toUpperCase()
  return (
    kits.find((entry) => entry.reference === reference || Object.hasOwn(entry.aliases ?? {}, reference)) ??
    kits.find((entry) => entry.uuid.toUpperCase() === uuid)
  )
}

const root = document.querySelector('#app')
if (root) render(<App />, root)

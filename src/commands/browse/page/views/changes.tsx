import type { Drift, DriftEntry, KitDrift, KitEntry } from '../../../shared/kit-page/data.js'
import { assetOf, referenceIn, type KitModel } from '../../../shared/kit-page/model.js'
import { formatRoute } from '../route.js'
import { count } from '../text.js'
import { CodeLine } from './copy-button.js'
import { Name } from './name.js'
import { Notice } from './states.js'
import { Thumb } from './thumb.js'

const changesIn = ({ added, removed, renamed, changed }: KitDrift): number =>
  added.length + removed.length + renamed.length + changed.length

/** @returns undefined while the changes are unknown */
export function changesOf(drift: Drift | undefined, uuid: string): number | undefined {
  const kit = drift?.[uuid]
  return kit ? changesIn(kit) : undefined
}

/** The differences between the lockfile and the space. */
export function Changes({ entry, model, drift }: { entry: KitEntry; model: KitModel; drift: KitDrift | undefined }) {
  if (drift?.error !== undefined)
    return (
      <Notice icon="away" title="The space could not be compared">
        <p class="notice-text">{drift.error}</p>
      </Notice>
    )
  const isSame = !drift || (changesIn(drift) === 0 && drift.from === drift.to)
  if (isSame)
    return (
      <Notice icon="check" title="Nothing has changed">
        <p class="notice-text">
          {entry.lockedVersion === undefined
            ? 'The lockfile does not have this kit yet.'
            : 'The lockfile and the space have the same assets.'}
        </p>
      </Notice>
    )
  const { added, removed, renamed, changed, from, to } = drift
  return (
    <>
      <p class="lead">
        {from === to
          ? `In version ${versionName(to)}: `
          : `Version ${versionName(from)} is locked, ${versionName(to)} is in use: `}
        {count(changesIn(drift), 'change')}.
      </p>
      <CodeLine label="To update to it" code={`npx content-space update ${entry.reference}`} />
      <Entries title="Removed" kind="removed" model={model} entries={removed} factsOf={() => []} />
      <Entries
        title="Renamed"
        kind="renamed"
        model={model}
        entries={renamed}
        factsOf={({ before }) => [`was ${before}`]}
      />
      <Entries title="Changed" kind="changed" model={model} entries={changed} factsOf={({ details }) => details} />
      <Entries title="Added" kind="added" model={model} entries={added} factsOf={() => []} />
    </>
  )
}

const versionName = (version: number): string => (version === 0 ? 'draft' : String(version))

interface EntriesProperties<T extends DriftEntry> {
  title: string
  kind: string
  model: KitModel
  entries: T[]
  factsOf: (entry: T) => string[]
}

function Entries<T extends DriftEntry>({ title, kind, model, entries, factsOf }: EntriesProperties<T>) {
  if (entries.length === 0) return null
  return (
    <section class="list-part">
      <h2>
        <span class={`mark is-${kind}`} />
        {title} <span class="count">{entries.length.toLocaleString('en')}</span>
      </h2>
      <ul class="rows">
        {entries.map((entry) => (
          <Entry key={entry.uuid} model={model} entry={entry} facts={factsOf(entry)} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ model, entry, facts }: { model: KitModel; entry: DriftEntry; facts: string[] }) {
  const asset = assetOf(model, entry.uuid)
  const text = (
    <>
      <Thumb asset={asset} />
      <span class="row-text">
        <Name text={entry.name} />
        <span class="row-facts">{[entry.export, ...facts].join(' · ')}</span>
      </span>
    </>
  )
  if (!asset)
    return (
      <li>
        <span class="row">{text}</span>
      </li>
    )
  const href = formatRoute({
    kit: model.kit.reference.replace(/@.*$/, ''),
    version: model.kit.version,
    asset: referenceIn(model, asset),
  })
  return (
    <li>
      <a class="row" href={href}>
        {text}
      </a>
    </li>
  )
}

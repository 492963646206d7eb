import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { AssetData, Copies, KitEntry, Usage, UsedAsset } from '../../../shared/kit-page/data.js'
import { referenceIn, type KitModel } from '../../../shared/kit-page/model.js'
import { formatRoute, type Route } from '../route.js'
import { bytes, count } from '../text.js'
import { Name } from './name.js'
import { CopyList, PlaceLink, PlaceList } from './place-link.js'
import { Notice } from './states.js'
import { Thumb } from './thumb.js'

interface UsageProperties {
  entry: KitEntry
  model: KitModel
  usage: Usage
  copies: Copies
  base: Partial<Route>
}

/** The number of rows that are displayed at once. */
const page = 100
/** The maximum number of an asset's places in the list. Its details contain all places. */
const mostPlaces = 3

/** The assets of the kit that the project uses, and how many bytes they add. */
export function UsageView({ entry, model, usage, copies, base }: UsageProperties) {
  const whole = usage.kits[entry.uuid] ?? []
  const used = model.index.assets
    .flatMap((asset) => {
      const own = usage.assets[asset.uuid]
      return own || whole.length > 0 ? [{ asset, usage: own, cost: costOf(own) }] : []
    })
    .toSorted((a, b) => b.cost - a.cost)
  const total = model.index.assets.length
  const cost = used.reduce((sum, one) => sum + one.cost, 0)
  const files = used.reduce(
    (sum, one) => sum + (one.usage?.files.filter((file) => file.bytes !== undefined).length ?? 0),
    0,
  )
  return (
    <>
      <div class="stats">
        <Stat value={used.length.toLocaleString('en')} label={`of ${count(total, 'asset')} used`} />
        <Stat
          value={(total - used.length).toLocaleString('en')}
          label="not used"
          href={formatRoute({ ...base, search: 'unused' })}
        />
        <Stat value={bytes(cost)} label={`in ${count(files, 'file')} made so far`} />
      </div>
      <Meter used={used.length} total={total} />
      <Refused usage={usage} />
      {whole.length > 0 && (
        <section class="list-part">
          <h2>The whole kit is in the output</h2>
          <p class="quiet">The source uses the kit as a value, so the output contains all assets.</p>
          <PlaceList places={whole} />
        </section>
      )}
      <UsedList model={model} used={used} base={base} />
      <CopiedList model={model} copies={copies} base={base} />
    </>
  )
}

const costOf = (used: UsedAsset | undefined): number =>
  (used?.files ?? []).reduce((sum, file) => sum + (file.bytes ?? 0), 0)

function Stat({ value, label, href }: { value: string; label: string; href?: string }) {
  const text = (
    <>
      <span class="stat-value">{value}</span>
      <span class="stat-label">{label}</span>
    </>
  )
  return href === undefined ? (
    <p class="stat">{text}</p>
  ) : (
    <p class="stat">
      <a href={href}>{text}</a>
    </p>
  )
}

function Meter({ used, total }: { used: number; total: number }) {
  return (
    <div class="meter" aria-hidden="true">
      <div class="meter-fill" style={{ width: `${total === 0 ? 0 : (used / total) * 100}%` }} />
    </div>
  )
}

/** Ids that the space rejects. They concern the whole project, regardless of the kit that they name. */
function Refused({ usage: { refused } }: { usage: Usage }) {
  if (refused.length === 0) return null
  return (
    <section class="list-part">
      <h2>
        <span class="mark is-removed" />
        Refused <span class="count">{refused.length}</span>
      </h2>
      <ul class="refusals">
        {refused.map(({ specifier, reason, ...place }, at) => (
          <li key={at}>
            <code>{specifier}</code>
            <p>{reason}</p>
            <PlaceLink place={place} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface UsedListProperties {
  model: KitModel
  used: { asset: AssetData; usage: UsedAsset | undefined; cost: number }[]
  base: Partial<Route>
}

function UsedList({ model, used, base }: UsedListProperties) {
  const [shown, setShown] = useState(page)
  if (used.length === 0)
    return (
      <Notice icon="usage" title="The project doesn't use this kit yet">
        <p class="notice-text">Open an asset and copy its import.</p>
      </Notice>
    )
  return (
    <section class="list-part">
      <h2>
        Used <span class="count">{used.length.toLocaleString('en')}</span>
      </h2>
      <ul class="rows">
        {used.slice(0, shown).map(({ asset, usage, cost }) => (
          <AssetRow key={asset.uuid} model={model} asset={asset} base={base} cost={cost > 0 ? bytes(cost) : '–'}>
            <PlaceList places={usage?.places.slice(0, mostPlaces) ?? []}>
              {usage && usage.places.length > mostPlaces && (
                <li class="quiet">and {count(usage.places.length - mostPlaces, 'other place')}</li>
              )}
            </PlaceList>
          </AssetRow>
        ))}
      </ul>
      {used.length > shown && (
        <button type="button" class="button" onClick={() => setShown((now) => now + page * 5)}>
          Show more
        </button>
      )}
    </section>
  )
}

interface CopiedListProperties {
  model: KitModel
  copies: Copies
  base: Partial<Route>
}

/** Files and inline SVGs that depict assets of the kit without importing them. */
function CopiedList({ model, copies, base }: CopiedListProperties) {
  const copied = model.index.assets.flatMap((asset) => {
    const own = copies[asset.uuid]
    return own ? [{ asset, own }] : []
  })
  if (copied.length === 0) return null
  return (
    <section class="list-part">
      <h2>
        Copies <span class="count">{copied.length.toLocaleString('en')}</span>
      </h2>
      <p class="quiet">
        Files and inline SVGs that were not imported. <code>content-space audit</code> lists them.
      </p>
      <ul class="rows">
        {copied.map(({ asset, own }) => (
          <AssetRow key={asset.uuid} model={model} asset={asset} base={base}>
            <CopyList copies={own} />
          </AssetRow>
        ))}
      </ul>
    </section>
  )
}

interface AssetRowProperties {
  model: KitModel
  asset: AssetData
  base: Partial<Route>
  cost?: string
  /** The places that use the asset. */
  children: ComponentChildren
}

function AssetRow({ model, asset, base, cost, children }: AssetRowProperties) {
  return (
    <li class="row-group">
      <a class="row" href={formatRoute({ ...base, asset: referenceIn(model, asset) })}>
        <Thumb asset={asset} />
        <span class="row-text">
          <Name text={asset.name} />
          <span class="row-facts">{asset.export}</span>
        </span>
        {cost !== undefined && <span class="row-cost">{cost}</span>}
      </a>
      {children}
    </li>
  )
}

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useShell } from '../app/shell.js'
import { useMedia, type Ground } from '../app/settings.js'
import type { AssetData, Copy, UsedAsset } from '../../../shared/kit-page/data.js'
import { groupOfAsset, type KitModel } from '../../../shared/kit-page/model.js'
import { Preview } from '../preview/preview.js'
import { snippetsOf } from '../../../shared/kit-page/snippets.js'
import { CodeLine } from '../views/copy-button.js'
import { Icon } from '../views/icons.js'
import { GroundChoice } from '../views/segments.js'
import { Guide } from '../grid/texts.js'
import { Facts, Fields } from './facts.js'
import { QueryBuilder } from './query-builder.js'
import { UsageOf } from './usage-of.js'

export interface DetailProperties {
  model: KitModel
  asset: AssetData
  /** The position in the grid, from 0; -1 if the grid doesn't contain the asset. */
  at: number
  total: number
  /** Undefined if usage is unknown. */
  usage: UsedAsset | undefined
  /** Files and inline SVGs that depict the asset without importing it. */
  copies: readonly Copy[]
  isUsageKnown: boolean
  isKitUsed: boolean
  onGround: (ground: Ground) => void
  onStep: (offset: number) => void
  onClose: () => void
}

/** From this width on, the details are displayed beside the grid, which remains usable. */
const besideGrid = '(min-width: 1100px)'

/** The length in characters above which a name is displayed as a paragraph. */
const longName = 80

export function Detail(properties: DetailProperties) {
  const { asset, onClose, onStep } = properties
  const isBeside = useMedia(besideGrid)
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = dialog
    if (!current) return undefined
    if (isBeside) current.show()
    else current.showModal()
    current.focus({ preventScroll: true })
    return () => current.close()
  }, [isBeside])
  useEffect(() => dialog.current?.scrollTo(0, 0), [asset.uuid])
  const keys = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    onStep(event.key === 'ArrowLeft' ? -1 : 1)
  }
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  return (
    <dialog ref={dialog} class="detail" aria-labelledby="detail-name" tabIndex={-1} onKeyDown={keys} onCancel={cancel}>
      <DetailHead {...properties} />
      <DetailBody key={asset.uuid} {...properties} />
    </dialog>
  )
}

function DetailHead({ model, asset, at, total, onStep, onClose }: DetailProperties) {
  const place = groupOfAsset(model, asset.uuid)
  return (
    <header class="detail-head">
      <div class="detail-bar">
        <span class="detail-place" dir="auto">
          {place?.sectionName}
          {place?.headingName !== undefined && ` › ${place.headingName}`}
        </span>
        <button
          type="button"
          class="icon-button"
          aria-label="Previous asset"
          disabled={at <= 0}
          onClick={() => onStep(-1)}
        >
          <Icon name="left" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Next asset"
          disabled={at === -1 || at >= total - 1}
          onClick={() => onStep(1)}
        >
          <Icon name="right" />
        </button>
        <button type="button" class="icon-button" aria-label="Close details" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
    </header>
  )
}

function DetailBody(properties: DetailProperties) {
  const { model, asset, usage, copies, isUsageKnown, isKitUsed, onGround } = properties
  const { project, ground } = useShell()
  const isPicture = asset.kind === 'picture' && (asset.preview ?? asset.original) !== undefined
  const partner = model.kit.assets[asset.dark ?? '']
  return (
    <div class="detail-body">
      <h2 id="detail-name" class={`detail-name ${asset.name.length > longName ? 'is-long' : ''}`} dir="auto">
        {asset.name}
      </h2>
      <div class="detail-preview">
        <Preview asset={asset} isLarge side={partner && 'light'} />
        {isPicture && (
          <div class="detail-ground">
            <GroundChoice name="detail-ground" value={ground} onChange={onGround} />
          </div>
        )}
      </div>
      {partner && (
        <figure class="detail-dark">
          <div class="detail-preview">
            <Preview asset={partner} isLarge side="dark" />
          </div>
          <figcaption dir="auto">On dark backgrounds: {partner.name}</figcaption>
        </figure>
      )}
      <Said model={model} asset={asset} />
      <section class="detail-part">
        <h3>Use it</h3>
        {snippetsOf(model, asset, project.framework).map(({ label, code }) => (
          <CodeLine key={label} label={label} code={code} />
        ))}
      </section>
      {isPicture && project.parameters.length > 0 && <QueryBuilder model={model} asset={asset} />}
      <Fields kit={model.kit} asset={asset} />
      <Facts asset={asset} />
      {isUsageKnown && <UsageOf usage={usage} copies={copies} isKitUsed={isKitUsed} />}
    </div>
  )
}

/** The captions and guides of the asset, from each of its positions in the kit. */
function Said({ model, asset }: { model: KitModel; asset: AssetData }) {
  const places = (model.places.get(asset.uuid) ?? []).filter(({ caption, guide }) => caption || guide)
  return places.map(({ caption, guide }, at) => (
    <div key={at} class="detail-said">
      {guide && <Guide guide={guide} />}
      {caption && (
        <p class="text-caption" dir="auto">
          {caption}
        </p>
      )}
    </div>
  ))
}

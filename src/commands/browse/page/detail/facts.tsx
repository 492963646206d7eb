import type { AssetData, KitData } from '../../../shared/kit-page/data.js'
import { valuesOf } from '../../../shared/kit-page/search/fields.js'
import { bytes, date, dimensions, webAddress } from '../text.js'
import { CopyButton } from '../views/copy-button.js'
import { Icon } from '../views/icons.js'

type Fact = [label: string, value: string | number | undefined, isCopied?: boolean]

/** The facts about an asset. */
export function Facts({ asset }: { asset: AssetData }) {
  const { color, font, keywords, notes, cuts } = asset
  const link = webAddress(asset.permalink)
  const facts: Fact[] = [
    ...(color ? colorFacts(color) : []),
    ['Family', font?.family],
    ['Weight', font?.weight],
    ['Style', font?.style],
    ['Type', asset.type],
    ['Dimensions', asset.width && asset.height ? dimensions(asset.width, asset.height) : undefined],
    ['Size', asset.size ? bytes(asset.size) : undefined],
    ['Cuts', cuts.length > 0 ? cuts.join(', ') : undefined],
    ['Export', asset.export, true],
    ['Slug', asset.slug, true],
    ['uuid', asset.uuid, true],
    ['Added', date(asset.dateAdded)],
    ['Updated', date(asset.dateUpdated)],
  ]
  return (
    <section class="detail-part">
      <h3>About</h3>
      {notes && (
        <p class="notes" dir="auto">
          {notes}
        </p>
      )}
      {keywords.length > 0 && (
        <ul class="keywords" aria-label="Keywords">
          {keywords.map((keyword, at) => (
            <li key={at} dir="auto">
              {keyword}
            </li>
          ))}
        </ul>
      )}
      <dl class="facts">
        {facts.map(([label, value, isCopied]) =>
          value === undefined || value === '' ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <span class={isCopied ? 'code' : ''}>{value}</span>
                {isCopied && <CopyButton text={String(value)} label={label} />}
              </dd>
            </div>
          ),
        )}
      </dl>
      {link && (
        <a class="link" href={link} target="_blank" rel="noopener noreferrer">
          Open in the content space <Icon name="external" />
        </a>
      )}
    </section>
  )
}

/** The values of custom fields. */
export function Fields({ kit: { fields = [] }, asset }: { kit: KitData; asset: AssetData }) {
  const known = fields.flatMap(({ key, name }) => {
    const values = valuesOf(asset, key)
    return values.length > 0 ? [{ key, name, text: values.join(', ') }] : []
  })
  if (known.length === 0) return null
  return (
    <section class="detail-part">
      <h3>Fields</h3>
      <dl class="facts">
        {known.map(({ key, name, text }) => (
          <div key={key}>
            <dt dir="auto">{name}</dt>
            <dd dir="auto">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function colorFacts({ hex, css, rgb, hsb, alpha }: NonNullable<AssetData['color']>): Fact[] {
  return [
    ['Hex', hex, true],
    ['CSS', css === hex ? undefined : css, true],
    ['RGB', rgb.join(' '), true],
    ['HSB', hsb.map((value) => Math.round(value)).join(' ')],
    ['Alpha', alpha < 1 ? `${Math.round(alpha * 100)} %` : undefined],
  ]
}

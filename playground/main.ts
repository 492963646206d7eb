import logo from 'content-space:asset/brand/solvane-logo-mono?raw'
import hero from 'content-space:asset/brand/coast-at-dawn?preset=hero'
import { solvaneMark } from 'content-space:kit/brand'
import records from 'content-space:kit/brand?as=metadata'
import outline from 'content-space:outline/brand'
import colours from 'content-space:section/brand/colours'
import icons from 'content-space:section/brand/icons?as=metadata'
import drawings from 'content-space:section/brand/icons?as=raw'
import logos from 'content-space:section/brand/logos'
import photographs from 'content-space:section/brand/photographs?preset=gallery'
import print from 'content-space:section/brand/print?cut=png'
import product from 'content-space:section/brand/product'
import type { Asset, AssetMetadata, DataAsset, Item } from 'unplugin-content-space'
import { picture, type ImageAttributes } from 'unplugin-content-space/picture'
import { byId, element, figure, markup, part, slug, tile } from './dom.js'

const drawingOf = new Map<string, string>(drawings.items.map((item) => [item.uuid, 'asset' in item ? item.asset : '']))
const galleryWidths = '(max-width: 640px) 92vw, (max-width: 1280px) 46vw, 600px'

byId('favicon').setAttribute('href', solvaneMark.src)
byId('bar-logo').append(markup(logo))
byId('edition').textContent = `Edition ${records.versionIdentifier}, ${records.counts.assets} assets`
byId('hero').prepend(image(hero, { alt: '', sizes: '100vw', loading: 'eager' }))
byId('sections').append(
  part(logos.name, 'logos', logos.items, (asset: Asset) =>
    tile(/reversed/i.test(asset.name) ? 'dark' : '', image(asset), asset),
  ),
  part(colours.name, 'colours', colours.items, swatch),
  part(icons.name, 'icons', icons.items, (asset: AssetMetadata, item) =>
    figure('icon', markup(drawingOf.get(item) ?? ''), asset),
  ),
  part(photographs.name, 'gallery', photographs.items, (asset: Asset) =>
    figure('', image(asset, { sizes: galleryWidths }), asset),
  ),
  part(product.name, 'product', product.items, (asset: Asset) =>
    tile(asset.type === 'GIF' ? 'dark' : 'glow', image(asset), asset),
  ),
  part(print.name, 'print', print.items, (asset: Asset) => tile('sand', image(asset), asset)),
)
const shown = outline.sections.filter(({ name }) => document.getElementById(slug(name)))
byId('nav').append(...shown.map(({ name }) => element('a', { href: `#${slug(name)}`, textContent: name })))
byId('rows').append(...records.sections.flatMap(({ name, items }) => [title(name), ...items.flatMap(row)]))

function image(asset: Asset, attributes?: ImageAttributes): Node {
  return markup(picture(asset, attributes))
}

/** Shows a color, which is an asset without a file. Its `meta` is written by the author and has no fixed type. */
function swatch({ name, notes, meta }: DataAsset): HTMLElement {
  const hex = typeof meta === 'object' && meta !== null && 'hex' in meta ? String(meta.hex) : ''
  const made = element('div', { className: 'swatch' })
  made.style.background = hex
  return figure('', made, { name: `${name} ${hex}`, notes })
}

function title(name: string): HTMLElement {
  return element('tr', {}, element('th', { colSpan: 5, textContent: name }))
}

function row(item: Item<AssetMetadata>): HTMLElement[] {
  if (!('asset' in item)) return []
  const { name, type, width, height, keywords, notes } = item.asset
  const cells = [name, type, width && height ? `${width} × ${height}` : ''].map((text) => element('td', {}, text))
  const wide = [keywords.join(', '), notes].map((text) => element('td', { className: 'wide' }, text))
  return [element('tr', {}, ...cells, ...wide)]
}

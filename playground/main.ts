import { coastAtDawn, solvaneLogoMono } from 'content-space:kit/brand'
import records from 'content-space:kit/brand?as=metadata&metadata=full'
import outline from 'content-space:outline/brand'
import colours from 'content-space:section/brand/colours'
import icons from 'content-space:section/brand/icons'
import logos from 'content-space:section/brand/logos'
import photographs from 'content-space:section/brand/photographs'
import print from 'content-space:section/brand/print?cut=png'
import product from 'content-space:section/brand/product'
import type { Asset, AssetMetadata, DataAsset, FullMetadata, Item } from 'unplugin-content-space'
import { byId, element, figure, part, slug, tile } from './dom.js'

type Pictured = Pick<Asset, 'name' | 'notes' | 'type' | 'src' | 'width' | 'height'>
type Recorded = Omit<AssetMetadata, 'colors'> & Pick<FullMetadata, 'cuts'>

byId('bar-logo').append(mask('bar-mark', solvaneLogoMono))
byId('edition').textContent = `Edition ${records.versionIdentifier}, ${records.counts.assets} assets`
byId('hero').prepend(element('img', { className: 'hero-image', src: coastAtDawn.src, alt: '' }))
byId('sections').append(
  part(logos.name, 'logos', logos.items, (logo: Pictured) => tile(/reversed/i.test(logo.name) ? 'dark' : '', image(logo), logo)),
  part(colours.name, 'colours', colours.items, swatch),
  part(icons.name, 'icons', icons.items, (icon: Pictured) => figure('icon', mask('icon-shape', icon), icon)),
  part(photographs.name, 'gallery', photographs.items, (photo: Pictured) => figure('', image(photo), photo)),
  part(product.name, 'product', product.items, (item: Pictured) => tile(item.type === 'GIF' ? 'dark' : 'glow', image(item), item)),
  part(print.name, 'print', print.items, (item: Pictured) => tile('sand', image(item), item)),
)
const shown = outline.sections.filter(({ name }) => document.getElementById(slug(name)))
byId('nav').append(...shown.map(({ name }) => element('a', { href: `#${slug(name)}`, textContent: name })))
byId('rows').append(...records.sections.flatMap(({ name, items }) => [title(name), ...items.flatMap(row)]))

function image({ name, src, width, height }: Pictured): HTMLImageElement {
  return element('img', { src, alt: name, loading: 'lazy', ...(width && height ? { width, height } : {}) })
}

/** A drawing in the colour of the text around it. */
function mask(className: string, { src }: Pictured): HTMLElement {
  const made = element('span', { className: `shape ${className}` })
  made.style.setProperty('--shape', `url("${src}")`)
  return made
}

/** A colour is an asset without a file; its `meta` is what its author wrote. */
function swatch({ name, notes, meta }: DataAsset): HTMLElement {
  const hex = typeof meta === 'object' && meta !== null && 'hex' in meta ? String(meta.hex) : ''
  const made = element('div', { className: 'swatch' })
  made.style.background = hex
  return figure('', made, { name: `${name} ${hex}`, notes })
}

function title(name: string): HTMLElement {
  return element('tr', {}, element('th', { colSpan: 5, textContent: name }))
}

function row(item: Item<Recorded>): HTMLElement[] {
  if (!('asset' in item)) return []
  const { name, type, width, height, keywords, cuts } = item.asset
  const cells = [name, type, width && height ? `${width} × ${height}` : '']
  const wide = [keywords.join(', '), cuts.filter(({ enabled }) => enabled).map((cut) => cut.type).join(', ')]
  return [
    element('tr', {}, ...cells.map((text) => element('td', {}, text)), ...wide.map((text) => element('td', { className: 'wide' }, text))),
  ]
}

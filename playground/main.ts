import logo from 'content-space:asset/brand/solvane-logo-mono?currentcolor&as=raw'
import hero from 'content-space:asset/brand/coast-at-dawn?preset=hero'
import { solvaneMark } from 'content-space:kit/brand'
import records from 'content-space:kit/brand?as=metadata'
import outline from 'content-space:outline/brand'
import colours from 'content-space:section/brand/colours'
import logos from 'content-space:section/brand/logos'
import photographs from 'content-space:section/brand/photographs?preset=gallery'
import print from 'content-space:section/brand/print?cut=png'
import product from 'content-space:section/brand/product'
import { colors, fonts } from 'content-space:tokens/brand'
import type { Asset, AssetMetadata, ColorToken, DataAsset, Item } from 'unplugin-content-space'
import { picture, type ImageAttributes } from 'unplugin-content-space/picture'
import { byId, element, figure, markup, part, slug, tile } from './dom.js'
import { showIcons } from './icons.js'

/** Colors by the uuid of their asset. */
const colorOf = new Map<string, ColorToken>(Object.values(colors).map((color) => [color.uuid, color]))
const iconSection = element('section', { id: 'icons', className: 'part' })
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
  iconSection,
  part(photographs.name, 'gallery', photographs.items, (asset: Asset) =>
    figure('', image(asset, { sizes: galleryWidths }), asset),
  ),
  part(product.name, 'product', product.items, (asset: Asset) =>
    tile(asset.type === 'GIF' ? 'dark' : 'glow', image(asset), asset),
  ),
  part(print.name, 'print', print.items, (asset: Asset) => tile('sand', image(asset), asset)),
  element('section', { id: 'fonts', className: 'part' }, element('h2', { textContent: 'Fonts' }), ...specimens()),
)
showIcons(iconSection)
const shown = outline.sections.filter(({ name }) => document.getElementById(slug(name)))
byId('nav').append(...shown.map(({ name }) => element('a', { href: `#${slug(name)}`, textContent: name })))
byId('rows').append(...records.sections.flatMap(({ name, items }) => [title(name), ...items.flatMap(row)]))

function image(asset: Asset, attributes?: ImageAttributes): Node {
  return markup(picture(asset, attributes))
}

/** Shows a color by its token, which is the same for every shape in which a service describes colors. */
function swatch({ uuid, name, notes }: DataAsset): HTMLElement {
  const css = colorOf.get(uuid)?.css ?? ''
  const made = element('div', { className: 'swatch' })
  made.style.background = css
  return figure('', made, { name: `${name} ${css}`, notes })
}

/** Sets a line in each font of the kit. The style sheet `tokens.css` declares the fonts. */
function specimens(): HTMLElement[] {
  return Object.values(fonts).map(({ name, family, weight, style, notes }) => {
    const line = element('p', { className: 'specimen', textContent: 'Light that comes with the wind' })
    Object.assign(line.style, { fontFamily: family, fontWeight: String(weight), fontStyle: style })
    return figure('', line, { name, notes })
  })
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

import logo from 'content-space:asset/brand/solvane-logo-mono?currentcolor&as=raw'
import hero from 'content-space:asset/brand/coast-at-dawn?preset=hero'
import { solvaneMark } from 'content-space:kit/brand'
import records, * as exported from 'content-space:kit/brand?as=metadata'
import outline from 'content-space:outline/brand'
import colours from 'content-space:section/brand/colours'
import logos from 'content-space:section/brand/logos'
import photographs from 'content-space:section/brand/photographs?preset=gallery'
import print from 'content-space:section/brand/print?cut=png'
import product from 'content-space:section/brand/product'
import { colors, fonts } from 'content-space:tokens/brand'
import type { Asset, AssetMetadata, ColorToken, DataAsset, Item } from 'unplugin-content-space'
import { picture, type ImageAttributes } from 'unplugin-content-space/picture'
import { codeBlock, namedImport, sourceLine } from './code.js'
import { byId, element, figure, markup, part, slug, tile } from './dom.js'
import { showIcons } from './icons.js'
import { showPaid } from './paid.js'

/** The export names by the asset's uuid. */
const exportOf = new Map<string, string>(
  Object.entries(exported).flatMap(([name, asset]) => (name === 'default' ? [] : [[asset.uuid, name] as const])),
)
/** The colors by the asset's uuid. */
const colorOf = new Map<string, ColorToken>(Object.values(colors).map((color) => [color.uuid, color]))
const iconSection = element('section', { id: 'icons', className: 'part' }, element('h2', { textContent: 'Icons' }))

// The sizes in the layout of `style.css`. If the hero is high, its picture is wider than the page.
const heroSizes = '(max-width: 960px) max(100vw, min(84vh, 720px)), max(100vw, min(108vh, 990px))'
const gallerySizes = '(max-width: 640px) 92vw, (max-width: 1280px) 46vw, 582px'
const stripSizes = '(max-width: 640px) 92vw, (max-width: 1280px) 30vw, 382px'
const wideSizes = '(max-width: 1280px) 92vw, 1184px'
const productSizes = '(max-width: 640px) 60vw, 340px'
const printSizes = '(max-width: 640px) 67vw, (max-width: 1280px) 30vw, 280px'

byId('mark').append(image(solvaneMark, { alt: '', width: 48, height: 48 }))
byId('bar-logo').append(markup(logo))
byId('edition').textContent = `Edition ${records.versionIdentifier}, ${records.counts.assets} assets`
byId('hero').prepend(image(hero, { alt: '', sizes: heroSizes, loading: 'eager' }))
byId('hero-code').append(
  codeBlock(['hero', 'logo', 'solvaneMark', 'photographs', 'colors'].map(sourceLine).join('\n'), 'this page'),
)
byId('sections').append(
  part(
    logos,
    'logos',
    sectionCode('logos'),
    (asset: Asset) => tile(groundOf(asset), image(asset), captionOf(asset, 'logos')),
    image,
  ),
  part(colours, 'colours', sectionCode('colors'), swatch),
  iconSection,
  part(
    photographs,
    'gallery',
    sectionCode('photographs'),
    (asset: Asset) =>
      figure('', image(asset, { sizes: isAlone(asset) ? wideSizes : gallerySizes }), captionOf(asset, 'photographs')),
    (asset) => image(asset, { sizes: stripSizes }),
  ),
  part(product, 'product', sectionCode('product'), (asset: Asset) =>
    tile(asset.type === 'GIF' ? 'dark' : 'glow', image(asset, { sizes: productSizes }), captionOf(asset, 'product')),
  ),
  part(print, 'print', sectionCode('print'), (asset: Asset) =>
    tile('sand', image(asset, { sizes: printSizes }), captionOf(asset, 'print')),
  ),
  element(
    'section',
    { id: 'fonts', className: 'part' },
    element('h2', { textContent: 'Fonts' }),
    sectionCode('colors'),
    ...specimens(),
  ),
)
showIcons(iconSection)
showPaid()
const shown = outline.sections.filter(({ name }) => document.getElementById(slug(name)))
byId('nav').append(...shown.map(({ name }) => element('a', { href: `#${slug(name)}`, textContent: name })))
byId('rows').append(...records.sections.flatMap(({ name, items }) => [title(name), ...items.flatMap(row)]))

/** A pair renders the drawing that fits its background. */
function groundOf({ name, dark }: Asset): string {
  if (dark) return 'paired'
  return /reversed/i.test(name) ? 'dark' : ''
}

function image(asset: Asset, attributes?: ImageAttributes): Node {
  return markup(picture(asset, attributes))
}

/** Returns the line in this file that imports a section. */
function sectionCode(variable: string): HTMLElement {
  return codeBlock(sourceLine(variable), variable)
}

/** @param variable a variable of this file whose module also exports the asset by name */
function captionOf({ uuid, name, notes, fields = {} }: Asset, variable: string) {
  const facts = (records.fields ?? []).flatMap(({ key, name: label }) =>
    fields[key] === undefined ? [] : [`${label}: ${[fields[key]].flat().join(', ')}`],
  )
  return { name, notes, facts, code: codeBlock(namedImport(exportOf.get(uuid) ?? '', variable), name) }
}

/** Checks whether a photo is the only one under its heading, because it is then as wide as the section. */
function isAlone({ uuid }: Asset): boolean {
  const types = photographs.items.map((item) => item.type)
  const at = photographs.items.findIndex((item) => 'asset' in item && item.asset.uuid === uuid)
  return types[at - 1] !== 'asset' && types[at + 1] !== 'asset'
}

/** Renders a color from its token, which has the same format no matter how the service describes colors. */
function swatch({ uuid, name, notes }: DataAsset): HTMLElement {
  const css = colorOf.get(uuid)?.css ?? ''
  const made = element('div', { className: 'swatch' })
  made.style.background = css
  const code = codeBlock(`colors.${exportOf.get(uuid)}.css // '${css}'`, name)
  return figure('', made, { name, notes, code })
}

/** Renders a line in each of the kit's fonts. The style sheet `tokens.css` declares the fonts. */
function specimens(): HTMLElement[] {
  return Object.entries(fonts).map(([key, { name, family, weight, style, notes }]) => {
    const line = element('p', { className: 'specimen', textContent: 'Light that comes with the wind' })
    Object.assign(line.style, { fontFamily: family, fontWeight: String(weight), fontStyle: style })
    return figure('', line, { name, notes, code: codeBlock(`fonts.${key}.family // '${family}'`, name) })
  })
}

function title(name: string): HTMLElement {
  return element('tr', {}, element('th', { colSpan: 6, textContent: name }))
}

function row(item: Item<AssetMetadata>): HTMLElement[] {
  if (item.type !== 'asset') return []
  const { uuid, name, type, width, height, keywords, notes } = item.asset
  const code = element('td', {}, element('code', { textContent: exportOf.get(uuid) ?? '' }))
  const cells = [type, width && height ? `${width} × ${height}` : ''].map((text) => element('td', {}, text))
  const wide = [keywords.join(', '), notes].map((text) => element('td', { className: 'wide' }, text))
  return [element('tr', {}, element('td', {}, name), code, ...cells, ...wide)]
}

import type { Item, KnownAsset, KnownKit } from '../../asset.js'
import { readColors as readCssColors } from '../../kit/css-colors.js'
import { fieldTexts } from '../../kit/custom-fields.js'
import { fontName, shownType } from '../../kit/font-asset.js'
import { assetsIn } from '../../kit/select.js'
import { assetsOf, itemText } from '../../space/item-kinds.js'
import { paint, type Line, type Part } from '../../text/display.js'
import { countText, sizeText, versionText } from '../../text/quantities.js'
import { tableLines, type Cell, type Column } from '../../terminal/table.js'
import type { Terminal } from '../../terminal/terminal.js'

/** Colors by the uuid of their asset, as CSS and as colored blocks. */
export type Colors = ReadonlyMap<string, { css: string; swatch: Part }>

const columns: readonly Column[] = [
  { shrink: 1, least: 8 },
  // Never truncate this column, because users copy it.
  {},
  {},
  { shrink: 2, least: 6 },
  { align: 'right' },
  { optional: true },
]

export async function readColors(kit: KnownKit): Promise<Colors> {
  const colors = await readCssColors(assetsIn(kit.sections))
  if (colors.size === 0) return new Map()
  const { swatch } = await import('../../terminal/swatch.js')
  return new Map([...colors].map(([uuid, { css, rgb }]) => [uuid, { css, swatch: swatch(rgb) }]))
}

export function kitTree(kit: KnownKit, colors: Colors, terminal: Pick<Terminal, 'columns' | 'colors'>): Line[] {
  const assets = [...new Set(assetsIn(kit.sections))]
  // Align the columns of all sections to make them easier to scan.
  const lines = assetTable(assets, colors, terminal, 6)
  const rows = new Map(assets.map((asset, at) => [asset, lines[lines.length - assets.length + at] ?? '']))
  return [
    [
      paint('bold', kit.name),
      `  ${versionText(kit.version, kit.versionIdentifier)}  `,
      `${countText(kit.sections.length, 'section')}, ${totalsText(assets)}`,
    ],
    ...lines.slice(0, lines.length - assets.length),
    ...kit.sections.flatMap(({ name, slug, items: own }): Line[] => [
      ...(terminal.columns === undefined ? [] : ['']),
      ['  ', paint('bold', name), '  ', paint('cyan', slug), `  ${totalsText(own.flatMap((item) => assetsOf(item)))}`],
      ...own.flatMap((item) => itemLines(item, rows)),
    ]),
  ]
}

export function assetTable(
  assets: readonly KnownAsset[],
  colors: Colors,
  { columns: width, colors: hasColors }: Pick<Terminal, 'columns' | 'colors'>,
  indent = 0,
): Line[] {
  const rows = assets.map((asset) => assetCells(asset, colors, hasColors))
  // Print column names only to a terminal, because a pipe gets data.
  if (width !== undefined && rows.length > 0)
    rows.unshift(['name', 'export', 'slug', 'type', 'size'].map((title) => paint('dim', title)))
  return tableLines(rows, { columns, width, indent })
}

/** Returns the lines of an item: one for its text, and one for each of its assets. */
function itemLines(item: Item<KnownAsset>, rows: ReadonlyMap<KnownAsset, Line>): Line[] {
  if (item.type === 'heading') return [['    ', paint('dim', '# '), item.content]]
  const assets = assetsOf(item).map((asset) => rows.get(asset) ?? '')
  const caption = item.display?.['caption']
  const captions: Line[] = typeof caption === 'string' ? [['        ', paint('dim', caption)]] : []
  if (item.type === 'asset' || item.type === 'supporting_image') return [...assets, ...captions]
  const text = itemText(item) || item.uuid
  return [['      ', paint('dim', `${item.type} `), text], ...assets, ...captions]
}

/** Returns the cells of an asset. One column contains the size of a file, or the value of a color. */
function assetCells(asset: KnownAsset, colors: Colors, hasColors: boolean): Cell[] {
  const { uuid, name, size, slug, export: exported, fields, dark } = asset
  const color = colors.get(uuid)
  const plain = size === undefined ? '' : sizeText(size)
  const shown = color === undefined ? plain : [...(hasColors ? [color.swatch, ' '] : []), color.css]
  const partner = dark && `on dark: ${dark}`
  const note = [fontName(asset), fieldTexts(fields).join('; '), partner, namingText(asset)].filter(Boolean).join('  ')
  return [name, paint('cyan', exported), slug, paint('dim', shownType(asset)), shown, paint('dim', note)]
}

/** Returns the actual or suggested entry of an asset for `names` in option `kits`. */
function namingText({ slug, export: exported, named, suggestedName }: KnownAsset): string {
  if (named) return `named by names: { '${slug}': '${exported}' }`
  return suggestedName === undefined ? '' : `to name it: names: { '${slug}': '${suggestedName}' }`
}

/** Counts the assets. An asset that occurs twice counts once. */
function totalsText(assets: readonly KnownAsset[]): string {
  const sizes = new Map(assets.map(({ uuid, size = 0 }) => [uuid, size]))
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  return total === 0 ? countText(sizes.size, 'asset') : `${countText(sizes.size, 'asset')}, ${sizeText(total)}`
}

/**
 * Suggests the next commands. Used only in a terminal.
 * @param id the kit as a user types it
 */
export function treeHints(kit: KnownKit, id: string): Line[] {
  const assets = assetsIn(kit.sections)
  const asset = assets.find(({ size }) => size !== undefined && size > 0) ?? assets[0]
  const section = kit.sections[0]
  const unnamed = new Map(
    assets.flatMap((one) => (one.suggestedName === undefined ? [] : [[one.slug, one.suggestedName]])),
  )
  return [
    ...(asset === undefined
      ? []
      : [
          '',
          ['By export:  ', paint('cyan', `import { ${asset.export} } from 'content-space:kit/${id}'`)],
          ['By slug:    ', paint('cyan', `import ${asset.export} from 'content-space:asset/${id}/${asset.slug}'`)],
        ]),
    ...(section === undefined
      ? []
      : [['A section:  ', paint('cyan', `import * as assets from 'content-space:section/${id}/${section.slug}'`)]]),
    ...(unnamed.size === 0
      ? []
      : [
          '',
          `${countText(unnamed.size, 'export ends', 'exports end')} with a part of a uuid. Names for option kits:`,
          ['  ', paint('cyan', `names: { ${[...unnamed].map(([slug, name]) => `'${slug}': '${name}'`).join(', ')} }`)],
        ]),
  ]
}

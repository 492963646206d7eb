import { Command } from 'commander'
import type { AssetItem, Item, KnownAsset, KnownKit } from '../asset.js'
import type { Importer } from '../importer.js'
import type { KitFilter } from '../kit/select.js'
import { isColor } from '../space/asset-type.js'
import type { KitVersion } from '../space/space.js'
import { oneLine } from '../text/display.js'
import { countText, sizeText } from '../text/quantities.js'
import { kitName, type CommonFlags } from './flags.js'
import type { Terminal } from './terminal.js'
import { usageError } from './usage.js'
import { withImporter } from './with-importer.js'

interface ListFlags extends CommonFlags, KitFilter {
  versions?: boolean
}

const help = `
An asset whose export name ends with a part of its uuid has a namesake in the kit. Give it a name
in option kits, by slug or uuid: kits: { brand: { kit: '<uuid>', names: { '<slug>': 'sunColor' } } }`

/** `content-space ls [kit]` */
export function lsCommand(terminal: Terminal): Command {
  return new Command('ls')
    .description('list the kits of the space, or the assets of a kit with their export names')
    .argument('[kit]', `${kitName}, optionally with @<version>, such as brand@draft (default: list all kits)`)
    .option('--versions', 'list the versions of the kit instead of its assets')
    .option('--section <section>', 'only the section with this slug, name or uuid')
    .option('--type <type>', 'only assets of this type, such as svg')
    .option('--keyword <keyword>', 'only assets with this keyword')
    .addHelpText('after', help)
    .action(async (kit: string | undefined, flags: ListFlags) => {
      const isFiltered = [flags.section, flags.type, flags.keyword].some((flag) => flag !== undefined)
      if (kit === undefined && (isFiltered || flags.versions))
        throw usageError('--versions, --section, --type and --keyword can only be used with a kit.')
      if (isFiltered && flags.versions)
        throw usageError('--versions cannot be used with --section, --type or --keyword.')
      await withImporter(terminal, flags, async (importer) => {
        const { data, lines } = await list(importer, kit, flags)
        if (flags.json) terminal.printJson(data)
        else for (const line of lines) terminal.print(line)
      })
    })
}

async function list(
  importer: Importer,
  id: string | undefined,
  flags: ListFlags,
): Promise<{ data: unknown; lines: string[] }> {
  if (id === undefined) {
    const kits = await importer.kits()
    return {
      data: kits,
      lines: kits.map(({ name, uuid, useVersion }) => `${name}  ${uuid}  uses version ${useVersion}`),
    }
  }
  if (flags.versions) {
    const versions = await importer.versions(id)
    return { data: versions, lines: table(versions.map(versionCells)) }
  }
  const { filterKit } = await import('../kit/select.js')
  const kit = filterKit(await importer.kit(id), flags)
  return { data: kit, lines: kitLines(kit, await readColors(kit)) }
}

function versionCells({ version, versionIdentifier, counts, dateUpdated, notes }: KitVersion): string[] {
  const label = version === 0 ? 'draft' : versionIdentifier
  return [
    String(version),
    label,
    dateUpdated?.slice(0, 10) ?? '',
    counts.assets === undefined ? '' : countText(counts.assets, 'asset'),
    notes,
  ]
}

/** Reads the colors of a kit, by uuid, as CSS. The library for colors is loaded only if there are any. */
async function readColors(kit: KnownKit): Promise<Map<string, string>> {
  const assets = kit.sections.flatMap(({ items }) => items.flatMap((item) => ('asset' in item ? [item.asset] : [])))
  const colors = assets.filter(isColor)
  if (colors.length === 0) return new Map()
  const { cssOf, readColor } = await import('../space/color.js')
  return new Map(
    colors.flatMap((asset) => {
      const color = readColor({ colors: asset.colors, meta: 'meta' in asset ? asset.meta : undefined })
      return color ? [[asset.uuid, cssOf(color)] as const] : []
    }),
  )
}

/**
 * Renders a kit as a tree of sections, headings and assets.
 * @param colors by uuid, as CSS
 */
function kitLines(kit: KnownKit, colors: ReadonlyMap<string, string>): string[] {
  const label = kit.versionIdentifier === '' ? '' : ` (${kit.versionIdentifier})`
  const assets = kit.sections.flatMap(({ items }) => items.flatMap((item) => ('asset' in item ? [item] : [])))
  const rows = new Map(
    table(assets.map(({ asset }) => assetCells(asset, colors))).map((line, index) => [assets[index], line]),
  )
  return [
    `${kit.name}  version ${kit.version}${label}  ${countText(kit.sections.length, 'section')}, ${totalsText(assets)}`,
    ...kit.sections.flatMap(({ name, slug, items }) => [
      `  ${name}  ${slug}  ${totalsText(items.flatMap((item) => ('asset' in item ? [item] : [])))}`,
      ...itemLines(items, (item) => rows.get(item) ?? ''),
    ]),
  ]
}

/** Items below a heading are indented. */
function itemLines(items: readonly Item<KnownAsset>[], row: (item: AssetItem<KnownAsset>) => string): string[] {
  let indent = '    '
  return items.map((item) => {
    if ('content' in item) {
      indent = '      '
      return `    # ${item.content}`
    }
    return indent + ('asset' in item ? row(item) : `${item.type} ${item.uuid}`)
  })
}

/** A color has no size, so its color is in that column. */
function assetCells(asset: KnownAsset, colors: ReadonlyMap<string, string>): string[] {
  const { uuid, name, type, size, export: exported } = asset
  return [name, type, colors.get(uuid) ?? (size === undefined ? '' : sizeText(size)), exported, namingText(asset)]
}

/** What `names` in option `kits` says about an asset, or could say. */
function namingText({ slug, export: exported, named, suggestedName }: KnownAsset): string {
  if (named) return `named by names: { '${slug}': '${exported}' }`
  return suggestedName === undefined ? '' : `to name it: names: { '${slug}': '${suggestedName}' }`
}

/** An asset that is shown twice counts once. */
function totalsText(items: readonly AssetItem<KnownAsset>[]): string {
  const sizes = new Map(items.map(({ asset }) => [asset.uuid, asset.size ?? 0]))
  return `${countText(sizes.size, 'asset')}, ${sizeText([...sizes.values()].reduce((sum, size) => sum + size, 0))}`
}

/** The widest column in characters. Longer cells push the next ones aside. */
const maximumWidth = 40

/** Aligns cells in columns, two spaces apart. */
function table(cells: readonly string[][]): string[] {
  const rows = cells.map((row) => row.map(oneLine))
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(maximumWidth, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

import { Command } from 'commander'
import type { AssetItem, Item, KnownAsset, KnownKit } from '../asset.js'
import { oneLine } from '../text/display.js'
import type { Importer } from '../importer.js'
import { filterKit, type KitFilter } from '../kit/select.js'
import type { KitVersion } from '../space/space.js'
import type { CommonFlags } from './flags.js'
import { withImporter } from './with-importer.js'
import type { Terminal } from './terminal.js'
import { countText, sizeText } from '../text/quantities.js'

interface ListFlags extends CommonFlags, KitFilter {
  versions?: boolean
}

/** `content-space ls [kit]` */
export function lsCommand(terminal: Terminal): Command {
  return new Command('ls')
    .description('list the kits of the space, or what a kit holds and what its exports are called')
    .argument('[kit]', 'alias, slug or uuid, and @<version> (default: all kits)')
    .option('--versions', 'list the versions of the kit')
    .option('--section <section>', 'only the section of this slug, name or uuid')
    .option('--type <type>', 'only assets of this type, such as svg')
    .option('--keyword <keyword>', 'only assets with this keyword')
    .action(async (kit: string | undefined, flags: ListFlags, command: Command) => {
      const filtered = [flags.section, flags.type, flags.keyword].some((flag) => flag !== undefined)
      if (kit === undefined && (filtered || flags.versions))
        command.error('error: --versions and the filters need a kit')
      if (filtered && flags.versions) command.error('error: --versions goes without filters')
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
  const kit = filterKit(await importer.kit(id), flags)
  return { data: kit, lines: tree(kit) }
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

function tree(kit: KnownKit): string[] {
  const label = kit.versionIdentifier === '' ? '' : ` (${kit.versionIdentifier})`
  const assets = kit.sections.flatMap(({ items }) => items.flatMap((item) => ('asset' in item ? [item] : [])))
  const rows = new Map(table(assets.map(({ asset }) => assetCells(asset))).map((line, index) => [assets[index], line]))
  return [
    `${kit.name}  version ${kit.version}${label}  ${countText(kit.sections.length, 'section')}, ${summary(assets)}`,
    ...kit.sections.flatMap(({ name, slug, items }) => [
      `  ${name}  ${slug}  ${summary(items.flatMap((item) => ('asset' in item ? [item] : [])))}`,
      ...branch(items, (item) => rows.get(item) ?? ''),
    ]),
  ]
}

/** What stands under a heading is shifted to the right. */
function branch(items: readonly Item<KnownAsset>[], row: (item: AssetItem<KnownAsset>) => string): string[] {
  let indent = '    '
  return items.map((item) => {
    if ('content' in item) {
      indent = '      '
      return `    # ${item.content}`
    }
    return indent + ('asset' in item ? row(item) : `${item.type} ${item.uuid}`)
  })
}

function assetCells({ name, type, size, export: exported }: KnownAsset): string[] {
  return [name, type, size === undefined ? '' : sizeText(size), exported]
}

/** An asset shown twice counts once. */
function summary(items: readonly AssetItem<KnownAsset>[]): string {
  const sizes = new Map(items.map(({ asset }) => [asset.uuid, asset.size ?? 0]))
  return `${countText(sizes.size, 'asset')}, ${sizeText([...sizes.values()].reduce((sum, one) => sum + one, 0))}`
}

/** Characters that a column has at most before it pushes the next ones aside. */
const widest = 40

/** Columns two blanks apart, as wide as their texts are when they are printed. */
function table(cells: readonly string[][]): string[] {
  const rows = cells.map((row) => row.map(oneLine))
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(widest, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

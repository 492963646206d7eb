import { Command } from 'commander'
import type { Item, Kit, KnownAsset } from '../asset.js'
import { bytes, count, plain } from '../display.js'
import type { Importer } from '../importer.js'
import type { CommonFlags } from './flags.js'
import { inProject } from './project.js'
import type { Terminal } from './terminal.js'

interface ListFlags extends CommonFlags {
  versions?: boolean
  section?: string
  type?: string
  keyword?: string
}

/** `content-space ls [kit]` */
export function lsCommand(terminal: Terminal): Command {
  return new Command('ls')
    .description('list the kits of the space, or what a kit holds and what its exports are called')
    .argument('[kit]', 'alias, slug or uuid, and @<version> (default: all kits)')
    .option('--versions', 'list the versions of the kit')
    .option('--section <section>', 'only the section of this name or uuid')
    .option('--type <type>', 'only assets of this type')
    .option('--keyword <keyword>', 'only assets with this keyword')
    .action(async (kit: string | undefined, flags: ListFlags, command: Command) => {
      if (kit === undefined && [flags.versions, flags.section, flags.type, flags.keyword].some((flag) => flag !== undefined)) {
        command.error('error: --versions and the filters need a kit')
      }
      await inProject(terminal, flags, async (importer) => {
        const { data, lines } = await list(importer, kit, flags)
        if (flags.json) terminal.print(JSON.stringify(data))
        else for (const line of lines) terminal.print(plain(line))
      })
    })
}

async function list(importer: Importer, id: string | undefined, flags: ListFlags): Promise<{ data: unknown; lines: string[] }> {
  if (id === undefined) {
    const kits = await importer.kits()
    return { data: kits, lines: kits.map(({ name, uuid, useVersion }) => `${name}  ${uuid}  uses version ${useVersion}`) }
  }
  if (flags.versions) {
    const versions = await importer.versions(id)
    const lines = versions.map(({ version, versionIdentifier, notes, dateUpdated }) => {
      return [version, versionIdentifier, dateUpdated?.slice(0, 10), notes].filter((text) => text !== undefined && text !== '').join('  ')
    })
    return { data: versions, lines }
  }
  const kit = filtered(await importer.kit(id), flags)
  return { data: kit, lines: tree(kit) }
}

/** What the filters leave. Headings stay, so that one sees where assets stand; sections left without assets go. */
function filtered(kit: Kit<KnownAsset>, { section, type, keyword }: ListFlags): Kit<KnownAsset> {
  if (section === undefined && type === undefined && keyword === undefined) return kit
  const wanted = (asset: KnownAsset): boolean => {
    return (type === undefined || same(asset.type, type)) && (keyword === undefined || asset.keywords.some((one) => same(one, keyword)))
  }
  const sections = kit.sections
    .filter(({ name, uuid }) => section === undefined || same(name, section) || same(uuid, section))
    .map((one) => ({ ...one, items: one.items.filter((item) => 'content' in item || ('asset' in item && wanted(item.asset))) }))
  return { ...kit, sections: sections.filter(({ items }) => items.some((item) => 'asset' in item)) }
}

function tree(kit: Kit<KnownAsset>): string[] {
  const label = kit.versionIdentifier === '' ? '' : ` (${kit.versionIdentifier})`
  return [
    `${kit.name}  version ${kit.version}${label}  ${summary(kit.sections.flatMap(({ items }) => items))}`,
    ...kit.sections.flatMap(({ name, items }) => [`  ${name}  ${summary(items)}`, ...items.map((item) => `    ${itemLine(item)}`)]),
  ]
}

function itemLine(item: Item<KnownAsset>): string {
  if ('content' in item) return `# ${item.content}`
  if (!('asset' in item)) return `${item.type} ${item.uuid}`
  const { name, type, size, export: exported } = item.asset
  return [name, type, ...(size === undefined ? [] : [bytes(size)]), exported].join('  ')
}

/** An asset shown twice counts once. */
function summary(items: readonly Item<KnownAsset>[]): string {
  const assets = new Map(items.flatMap((item) => ('asset' in item ? [[item.asset.uuid, item.asset.size ?? 0] as const] : [])))
  const size = [...assets.values()].reduce((sum, one) => sum + one, 0)
  return `${count(assets.size, 'asset')}, ${bytes(size)}`
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

import { Command } from 'commander'
import type { KnownKit } from '../../asset.js'
import type { Engine } from '../../engine/engine.js'
import type { KitFilter } from '../../kit/select.js'
import type { Line } from '../../text/display.js'
import { versionText } from '../../text/quantities.js'
import { kitName, usageError, withEngine, type CommonFlags, type FlagExceptions } from '../../terminal/flags.js'
import type { KitRow } from './kits.js'
import type { Terminal } from '../../terminal/terminal.js'

interface ListFlags extends CommonFlags, KitFilter {
  versions?: boolean
  search?: string
}

/** The output: data with `--json`, otherwise lines, plus hints in a terminal. */
interface Listing {
  data: unknown
  lines: Line[]
  hints?: Line[]
  /** The state of the kit. Undefined for all kits, or if unknown. */
  kit?: KitRow | undefined
}

const help = `
Examples:
  npx content-space ls
  npx content-space ls brand --section logos
  npx content-space ls brand@draft --type svg
  npx content-space ls brand --search 'logo color:coral'
  npx content-space ls brand --versions

An asset whose export name ends with a part of its uuid has a namesake in the
kit. Give it a name in option kits, by slug or uuid:
  kits: { brand: { kit: '<uuid>', names: { '<slug>': 'sunColor' } } }`

export const flagExceptions: FlagExceptions = { frozen: 'implied' }

export function command(terminal: Terminal): Command {
  return new Command('ls')
    .summary('list the kits of the space, or the assets of a kit, with the names to import them by')
    .argument('[kit]', `${kitName}, optionally with @<version>, such as brand@draft (default: list all kits)`)
    .option('--versions', 'list the versions of the kit instead of its assets')
    .option('--section <section>', 'only the section with this slug, name, uuid or short id')
    .option('--type <type>', 'only assets of this type, such as svg')
    .option('--keyword <keyword>', 'only assets with this keyword')
    .option(
      '--search <text>',
      'only assets that these words find, the best ones first: in names, keywords, notes, headings and fields; ' +
        'type:svg, color:coral and rights=Print find types, colors and values of fields',
    )
    .description(help)
    .action(async (kit: string | undefined, flags: ListFlags) => {
      const isFiltered = [flags.section, flags.type, flags.keyword, flags.search].some((flag) => flag !== undefined)
      if (kit === undefined && (isFiltered || flags.versions))
        throw usageError('--versions, --section, --type, --keyword and --search can only be used with a kit.')
      if (isFiltered && flags.versions)
        throw usageError('--versions cannot be used with --section, --type, --keyword or --search.')
      await withEngine(terminal, flags, async (engine, waiting) => {
        const { data, lines, hints = [], kit: state } = await list(engine, kit, flags, terminal)
        waiting.end()
        if (flags.json) return terminal.printJson(data)
        terminal.printAll(lines)
        if (state !== undefined) await noteState(state, terminal)
        if (terminal.columns !== undefined) for (const line of hints) terminal.print(line)
      })
    })
}

async function list(engine: Engine, id: string | undefined, flags: ListFlags, terminal: Terminal): Promise<Listing> {
  const { findKitState, listKits, kitTable, kitHints } = await import('./kits.js')
  if (id === undefined) {
    const kits = await listKits(engine)
    return { data: kits, lines: kitTable(kits, terminal), hints: kitHints(kits) }
  }
  const { knownKit, listedKit, readVersions } = await import('../shared/kits.js')
  if (flags.versions) {
    const [versions, kit, { versionTable }] = await Promise.all([
      readVersions(engine, id),
      findKitState(engine, id.replace(/@.*/, '')),
      import('./versions.js'),
    ])
    return { data: versions, lines: versionTable(versions, kit, terminal) }
  }
  const [whole, state, { filterKit }, { kitTree, readColors, treeHints }] = await Promise.all([
    // Sorting the keys of `raw` takes most of the time for a large kit, and only JSON includes them.
    knownKit(engine, id, flags.json === true),
    id.includes('@') ? undefined : findKitState(engine, id),
    import('../../kit/select.js'),
    import('./kit.js'),
  ])
  const kit = filterKit(whole, flags, flags.section === undefined ? undefined : await listedKit(engine, id))
  if (flags.search !== undefined) return find(engine, id, kit, flags.search, terminal)
  return {
    data: kit,
    lines: kitTree(kit, await readColors(kit), terminal),
    hints: treeHints(kit, id),
    kit: state,
  }
}

async function find(engine: Engine, id: string, kit: KnownKit, text: string, terminal: Terminal): Promise<Listing> {
  const [{ openSearch }, { assetTable, readColors }] = await Promise.all([
    import('../shared/search.js'),
    import('./kit.js'),
  ])
  const { assets: found, suggestion } = await openSearch(engine)([{ id, kit }], text)
  const assets = found.map(({ asset }) => asset)
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  if (assets.length === 0) return { data: [], lines: [`No asset of ${kit.name} matches ${text}.${hint}`] }
  return { data: assets, lines: assetTable(assets, await readColors(kit), terminal) }
}

/** Notes that the space uses another version than the listed one, which is locked. */
async function noteState(kit: KitRow, { note }: Terminal): Promise<void> {
  const { isOutdated, outdatedText } = await import('./kits.js')
  if (!isOutdated(kit)) return
  const id = kit.alias ?? kit.slug
  note(`note: ${versionText(kit.useVersion)} is in use, ${outdatedText(kit)}. See npx content-space diff ${id}.`)
}

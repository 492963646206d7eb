import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { attempt } from '../async/attempt.js'
import { exportName } from '../components/collection.js'
import type { Edit, WorkTree } from '../disk/work-tree.js'
import type { Engine } from '../engine/engine.js'
import { ignoreCodes } from '../errors.js'
import type { NamedKit } from '../kit/named-kit.js'
import type { Lock, LockedAsset, LockedKit, LockedSlug } from '../lock/schema.js'
import type { KitReference, Request } from '../request/request.js'
import type { Renaming } from '../source/rename.js'
import { scanSources } from '../source/scan.js'

/** A line of the source with a former name, and with the new one. */
export interface RenamedLine {
  /** Relative to the root, with forward slashes. */
  file: string
  /** Starts at 1. */
  line: number
  before: string
  after: string
}

export interface Renamed {
  lines: RenamedLine[]
  /** Whether the lines have the new names now. */
  written: boolean
  /** Files with former names that must not be changed. */
  left: { file: string; reason: string }[]
}

/**
 * Finds the lines of the source whose names `update --rename` has dropped.
 * @param tree writes the new names into the source. Default: nothing is written
 * @throws ContentSpaceError `fileSystem`
 * @internal
 */
export async function renameInSource(
  { options, lock, parse, catalog }: Engine,
  tree: WorkTree | undefined,
): Promise<Renamed> {
  const { root, scan } = options
  const { renameImports } = await import('../source/rename.js')
  const { kits } = lock.current()
  const uses = await scanSources(root, scan)
  // What is a former name in one version may be the name in another, which the source imports too.
  const updated = new Map<string, NamedKit>()
  for (const { specifier } of uses) {
    const reference = referenceOf(tryParse(specifier))
    const key = JSON.stringify(reference)
    if (reference === undefined || updated.has(key)) continue
    const named = await catalog.view(reference).catch(ignoreCodes('kitNotFound', 'versionNotFound'))
    if (named && lock.isUpdating(named.kit.uuid)) updated.set(key, named)
  }

  function renamingOf(specifier: string): Renaming | undefined {
    const [path = '', ...query] = specifier.split('?')
    const request = tryParse(path)
    const kit = request && kitOf(request, kits)
    if (kit === undefined) return undefined
    const [kind = '', first = '', ...parts] = path.split('/')
    const [kitName = '', ...version] = first.split('@')
    const isAsset = request?.kind === 'asset' || request?.kind === 'app-icons'
    const tables = isAsset ? [kit.assets] : [kit.sections, kit.headings]
    const own = updated.get(JSON.stringify(referenceOf(request)))
    const slugs = own ? [own.sections, own.headings, own.assets].flatMap((table) => [...table.values()]) : []
    const keeps = (part: string): boolean => slugs.some(({ slug }) => slug === part.toLowerCase())
    const newParts = parts.map((part, at) => (keeps(part) ? part : (renamed(tables[at], part, own) ?? part)))
    const newKit = options.kits.has(kitName) ? undefined : renamed(kits, kitName)
    const newPath = [kind, [newKit ?? kitName, ...version].join('@'), ...newParts].join('/')
    const whole = tryParse(specifier)
    const assets = Object.values(kit.assets)
    return {
      specifier: [newPath, ...query].join('?'),
      exported(name) {
        if (whole?.kind !== 'kit' && whole?.kind !== 'section') return undefined
        const isName = (one: string): boolean => exportName(one, whole.query) === name
        const known = assets.find((one) => [one, ...(one.aliases ?? [])].some((names) => isName(names.name)))
        const isCurrent = own ? [...own.assets.values()].some((one) => isName(one.name)) : known !== undefined
        const asset = isCurrent ? undefined : (known ?? assets.find(({ former }) => former?.some(isName)))
        // A removed asset has no other name.
        const now = asset && asset.lastSeen === undefined ? exportName(asset.name, whole.query) : name
        return now === name ? undefined : now
      },
    }
  }

  function tryParse(specifier: string): Request | undefined {
    return attempt(() => parse(specifier), ignoreCodes('invalidId', 'invalidQuery'))
  }

  const lines: RenamedLine[] = []
  const left: Renamed['left'] = []
  const edits: Edit[] = []
  for (const file of new Set(uses.map((use) => use.file))) {
    const path = resolve(root, file)
    const before = await readFile(path)
    const text = before.toString()
    const after = renameImports(text, file, renamingOf)
    if (after === text) continue
    const reason = Buffer.from(text).equals(before) ? await tree?.problem(file, before) : 'it is not UTF-8'
    if (reason !== undefined) {
      left.push({ file, reason })
      continue
    }
    lines.push(...changesIn(file, text, after))
    edits.push({ file, before, after })
  }
  await tree?.write(edits)
  return { lines, written: tree !== undefined, left }
}

/** Lists the lines that differ. Names contain no line breaks, so lines stay where they are. */
export function changesIn(file: string, text: string, changed: string): RenamedLine[] {
  const after = changed.split('\n')
  return text.split('\n').flatMap((before, at) => {
    const now = after[at] ?? ''
    return before === now ? [] : [{ file, line: at + 1, before: before.trim(), after: now.trim() }]
  })
}

function referenceOf(request: Request | undefined): KitReference | undefined {
  return request && 'kit' in request ? request.kit : undefined
}

function kitOf(request: Request, kits: Lock['kits']): LockedKit | undefined {
  if (request.kind === 'kits') return undefined
  const name = request.kit?.kit
  const all = Object.values(kits)
  if (name !== undefined) return kits[name] ?? bySlug(kits, name) ?? all.find(({ former }) => former?.includes(name))
  return request.kind === 'section' ? all.find(({ sections }) => Object.hasOwn(sections, request.section)) : undefined
}

function bySlug<T extends LockedKit | LockedSlug | LockedAsset>(table: Record<string, T>, slug: string): T | undefined {
  return Object.values(table).find(
    (one) =>
      one.slug === slug || one.aliases?.some((alias) => (typeof alias === 'string' ? alias : alias.slug) === slug),
  )
}

/** Returns the slug of the entry that had another one, unless an entry has that. @param own in which none has it */
function renamed(table: Record<string, LockedSlug | LockedAsset> = {}, part: string, own?: NamedKit) {
  const slug = part.toLowerCase()
  const known = bySlug(table, slug)
  const now = known ? own && known : Object.values(table).find(({ former }) => former?.includes(slug))
  return now && 'lastSeen' in now && now.lastSeen !== undefined ? undefined : now?.slug
}

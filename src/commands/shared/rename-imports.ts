import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { attempt } from '../../async/attempt.js'
import { exportName } from '../../components/collection.js'
import type { Edit, WorkTree } from '../../disk/work-tree.js'
import type { Engine } from '../../engine/engine.js'
import { ignoreCodes } from '../../errors.js'
import type { NamedKit } from '../../kit/named-kit.js'
import { nameSlugs } from '../../kit/names.js'
import type { KitReference, Request } from '../../request/request.js'
import type { Renaming } from '../../source/rename.js'
import { scanSources } from '../../source/scan.js'

/** A line of the source with a former name, and the same line with the new name. */
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
  /** Whether the new names were written. */
  written: boolean
  /** Files that contain former names but must not be changed. */
  left: { file: string; reason: string }[]
}

/**
 * Finds the lines of the source with names that `update --rename` has dropped.
 * @param tree writes the new names into the source. Without it, nothing is written.
 * @throws ContentSpaceError `fileSystem`
 * @internal
 */
export async function renameInSource(
  { options, lock, parse, catalog }: Engine,
  tree: WorkTree | undefined,
): Promise<Renamed> {
  const { root, scan } = options
  const { renameImports } = await import('../../source/rename.js')
  const uses = await scanSources(root, scan)
  /** The updated kits, by reference. */
  const updated = new Map<string, NamedKit>()
  for (const { specifier } of uses) {
    const reference = referenceOf(tryParse(specifier))
    const key = JSON.stringify(reference)
    if (reference === undefined || updated.has(key)) continue
    const named = await catalog.load(reference).catch(ignoreCodes('kitNotFound', 'versionNotFound'))
    if (named && lock.isUpdating(named.kit.uuid)) updated.set(key, named)
  }

  function renamingOf(specifier: string): Renaming | undefined {
    const [path = '', ...query] = specifier.split('?')
    const request = tryParse(path)
    const named = updated.get(JSON.stringify(referenceOf(request)))
    if (request === undefined || named === undefined) return undefined
    const [kind = '', first = '', ...parts] = path.split('/')
    const [kitName = '', ...version] = first.split('@')
    const isAsset = request.kind === 'asset' || request.kind === 'app-icons'
    const newKit = options.kits.has(kitName) ? kitName : newKitName(kitName, named)
    const newParts = parts.map((part) => newPartName(part, isAsset ? 'assets' : 'parts', named))
    const whole = tryParse(specifier)
    return {
      specifier: [[kind, [newKit, ...version].join('@'), ...newParts].join('/'), ...query].join('?'),
      exported(name) {
        if (whole?.kind !== 'kit' && whole?.kind !== 'section') return undefined
        const isName = (one: string): boolean => exportName(one, whole.query) === name
        if ([...named.assets.values()].some((one) => isName(one.name))) return undefined
        const [, uuid = ''] = [...named.former.assets].find(([former]) => isName(former)) ?? []
        const now = named.assets.get(uuid)
        return now && exportName(now.name, whole.query)
      },
    }
  }

  /** Returns the new slug of an updated kit. */
  function newKitName(written: string, { kit: { uuid, name } }: NamedKit): string {
    const { slug = '', aliases = [] } = lock.kits()[uuid] ?? {}
    if (![slug, ...aliases].includes(written.toLowerCase())) return written
    const others = Object.fromEntries(Object.entries(lock.kits()).filter(([other]) => other !== uuid))
    return nameSlugs([{ uuid, name }], 'kit', others).get(uuid)?.slug ?? written
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

/** Lists the lines that differ. Names don't contain line breaks, so line numbers don't change. */
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

/** Returns the slug of the part that formerly had the given slug, unless another part has it now. */
function newPartName(part: string, of: 'assets' | 'parts', { assets, sections, headings, former }: NamedKit): string {
  const slug = part.toLowerCase()
  const tables = of === 'assets' ? [assets] : [sections, headings]
  const current = tables.flatMap((table) => [...table.values()])
  const uuid = current.some((one) => one.slug === slug) ? undefined : former[of].get(slug)
  return (uuid === undefined ? undefined : tables.flatMap((table) => table.get(uuid)?.slug ?? [])[0]) ?? part
}

import { ignoreCodes, type ContentSpaceError } from '../errors.js'
import { slugOf } from '../kit/identifiers.js'
import type { NamedKit } from '../kit/named-kit.js'
import type { LockSession } from '../lock/session.js'
import { parseVersion, type KitReference } from '../request/request.js'
import type { VersionReference } from './versions.js'

export interface NameChecksContext {
  lock: Pick<LockSession, 'kits' | 'lockedKit'>
  /** Option `kits`: kits by alias. */
  configured: ReadonlyMap<string, KitReference>
  /** Loads a version of a kit. */
  get: (reference: VersionReference) => Promise<NamedKit>
  warn: (message: string, lines?: readonly string[]) => void
}

export interface NameWarning {
  message: string
  /** The lines that name the assets. */
  lines: string[]
}

/** Checks the export names of the kits that a project uses. */
export interface NameChecks {
  /**
   * Names that end with a part of a uuid cause a warning, once for each kit in a run.
   * @throws ContentSpaceError `assetNotFound` if option `kits` gives a name to an unknown asset
   */
  check(this: void, kit: NamedKit): Promise<void>
  /** Returns the warning that a kit has caused. */
  warningOf(this: void, uuid: string): NameWarning | undefined
}

export function openNameChecks(context: NameChecksContext): NameChecks {
  const warnings = new Map<string, NameWarning>()
  return {
    async check(kit) {
      const aliases = aliasesOf(kit, context)
      const error = await unknownAsset(kit, aliases, context)
      if (error) throw error
      const warning = warnings.has(kit.kit.uuid) ? undefined : collisionWarning(kit, aliases[0]?.[0])
      if (warning) {
        warnings.set(kit.kit.uuid, warning)
        context.warn(warning.message, warning.lines)
      }
    },
    warningOf: (uuid) => warnings.get(uuid),
  }
}

/** Returns the aliases of a kit in option `kits`, and what they refer to. */
function aliasesOf({ kit: { uuid, name } }: NamedKit, { lock, configured }: NameChecksContext) {
  const { slug = '', aliases = [] } = lock.kits()[uuid] ?? {}
  const own = [uuid, slug, slugOf(name), ...aliases]
  return [...configured].filter(([, reference]) => own.includes(reference.kit))
}

/** An asset that only another version of the kit contains is not unknown. */
async function unknownAsset(
  { kit: { uuid, version }, chosen }: NamedKit,
  aliases: readonly (readonly [string, KitReference])[],
  { lock, get }: NameChecksContext,
): Promise<ContentSpaceError | undefined> {
  if (chosen.unknown.length === 0) return undefined
  const locked = Object.keys(lock.lockedKit(uuid)?.selectors ?? {}).map((selector) => parseVersion(selector))
  const versions = [0, ...locked, ...aliases.map(([, reference]) => reference.version)]
  const others = new Set(versions.filter((other): other is number => typeof other === 'number' && other !== version))
  let { unknown } = chosen
  for (const other of others) {
    const kit = await get({ uuid, version: other }).catch(ignoreCodes('kitNotFound', 'versionNotFound', 'offline'))
    if (kit) unknown = unknown.filter((error) => kit.chosen.unknown.some((same) => keyOf(same) === keyOf(error)))
  }
  return unknown[0]
}

function keyOf({ facts }: ContentSpaceError): string | undefined {
  return facts.asset
}

/** How many assets a warning lists. */
const listed = 5

/**
 * Returns the warning about assets whose export names end with a part of their uuid, with the lines that name them.
 * @param alias the alias of the kit in option `kits`, if it has one
 */
function collisionWarning({ kit, assets, suggested }: NamedKit, alias: string | undefined): NameWarning | undefined {
  if (suggested.size === 0) return undefined
  const some = [...suggested].slice(0, listed)
  const exported = some.map(([uuid]) => assets.get(uuid)?.name ?? '').join(', ')
  const more = suggested.size > listed ? ` and ${suggested.size - listed} more, which \`content-space ls\` lists` : ''
  const place = alias === undefined ? `\`names\` of the kit in option kits` : `option kits.${alias}.names`
  return {
    message:
      `Assets of kit ${kit.name} have the same name, so their exports end with a part of the uuid: ` +
      `${exported}${more}. To name them, copy these lines into ${place}:`,
    lines: some.map(([uuid, name]) => {
      const { name: title = '', type = '' } = kit.assets[uuid] ?? {}
      return `'${assets.get(uuid)?.slug ?? uuid}': '${name}', // ${title} (${type})`
    }),
  }
}

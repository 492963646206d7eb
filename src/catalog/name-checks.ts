import { ignoreCodes } from '../errors.js'
import { slugOf } from '../kit/identifiers.js'
import type { NamedKit } from '../kit/named-kit.js'
import type { LockSession } from '../lock/session.js'
import type { KitReference } from '../request/request.js'
import type { VersionReference } from './versions.js'

interface NameChecksContext {
  lock: Pick<LockSession, 'kits' | 'lockedKit'>
  configured: ReadonlyMap<string, KitReference>
  get: (reference: VersionReference) => Promise<NamedKit>
}

function aliasesOf({ kit: { uuid, name } }: NamedKit, { lock, configured }: NameChecksContext) {
  const { slug = '', aliases = [] } = lock.kits()[uuid] ?? {}
  const own = [uuid, slug, slugOf(name), ...aliases]
  return [...configured].filter(([, reference]) => own.includes(reference.kit))
}

/**
 * Checks the names that a project assigns. An asset counts as known even if only another version of the kit contains
 * it.
 * @throws ContentSpaceError `assetNotFound` if option `kits` names or pairs an unknown asset
 */
export async function checkNames(named: NamedKit, context: NameChecksContext): Promise<void> {
  const { chosen } = named
  const { uuid, version } = named.kit
  const { lock, get } = context
  if (chosen.unknown.length === 0) return
  const aliases = aliasesOf(named, context)
  const locked = Object.keys(lock.lockedKit(uuid)?.versions ?? {}).map(Number)
  const versions = [0, ...locked, ...aliases.map(([, reference]) => reference.version)]
  const others = new Set(versions.filter((other): other is number => typeof other === 'number' && other !== version))
  let { unknown } = chosen
  for (const other of others) {
    const kit = await get({ uuid, version: other }).catch(ignoreCodes('kitNotFound', 'versionNotFound', 'offline'))
    if (kit)
      unknown = unknown.filter((error) => kit.chosen.unknown.some((same) => same.facts.asset === error.facts.asset))
  }
  if (unknown[0]) throw unknown[0]
}

const listed = 5

/**
 * Returns the warning about exports whose names end with part of a uuid, and the lines that name the first of these
 * assets in option `kits`.
 */
export function nameWarning(named: NamedKit, context: NameChecksContext) {
  const { kit, assets, suggested } = named
  const [alias] = aliasesOf(named, context)[0] ?? []
  const some = [...suggested].slice(0, listed)
  const exported = some.map(([uuid]) => assets.get(uuid)?.name ?? '').join(', ')
  const others = suggested.size - listed
  const more = others > 0 ? ` and ${others} more, which \`npx content-space ls\` lists` : ''
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

import type { Icon } from '../../../files/svg/icon.js'
import type { NamedKit } from '../../../kit/named-kit.js'
import { assetsOf } from '../../../space/item-kinds.js'
import { compareStrings } from '../../../text/compare.js'
import type { IconNames } from './icon-names.js'

/**
 * Returns an IconifyJSON: its icons and former names sorted, its sections as categories in display order.
 * https://iconify.design/docs/types/iconify-json.html
 * @param icons by uuid. An asset without an icon is left out
 */
export function iconSet(named: NamedKit, prefix: string, names: IconNames, icons: ReadonlyMap<string, Icon>): object {
  const { name, versionIdentifier: version } = named.kit
  const all = [...icons].flatMap(([uuid, one]) => {
    const { palette: _, ...icon } = one
    const iconName = names.icons.get(uuid)
    return iconName === undefined ? [] : [[iconName, icon] as const]
  })
  const exists = new Set(all.map(([iconName]) => iconName))
  const aliases = [...names.aliases].filter(([, parent]) => exists.has(parent))
  const palettes = new Set([...icons.values()].map(({ palette }) => palette))
  return {
    prefix,
    info: {
      name,
      total: all.length,
      version,
      author: { name },
      license: { title: 'Not specified' },
      // Absent if some icons have colors and others take the color of the text.
      ...(palettes.size === 1 ? { palette: palettes.has(true) } : {}),
    },
    icons: sortedObject(all),
    ...(aliases.length === 0 ? {} : { aliases: sortedObject(aliases.map(([former, parent]) => [former, { parent }])) }),
    categories: categoriesOf(named, names.icons, exists),
  }
}

function sortedObject<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => compareStrings(a, b)))
}

/** Sections of one name are one category. */
function categoriesOf(
  { kit }: NamedKit,
  names: IconNames['icons'],
  exists: ReadonlySet<string>,
): Record<string, string[]> {
  const categories = new Map<string, Set<string>>()
  for (const { name, items } of kit.sections) {
    const icons = items.flatMap(assetsOf).flatMap((uuid) => names.get(uuid) ?? [])
    const known = icons.filter((icon) => exists.has(icon))
    if (known.length > 0) categories.set(name, new Set([...(categories.get(name) ?? []), ...known]))
  }
  return Object.fromEntries([...categories].map(([name, icons]) => [name, [...icons]]))
}

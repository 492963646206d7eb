import { ContentSpaceError } from '../errors.js'
import { didYouMean } from '../text/nearest.js'
import { choice, color, number, type Kind } from './parameters.js'

const text = (takes: string): Kind<string> => ({
  takes,
  choices: [],
  read: (value) => value.trim() || undefined,
  write: (value) => value,
})

const displays = ['standalone', 'fullscreen', 'minimal-ui', 'browser'] as const

/** How to render application icons, and what to write in their manifest. Colors are hexadecimal, or CSS color names. */
export interface AppIconsQuery {
  /** The background of all icons. @default none, but white if an icon must be opaque */
  background?: string
  /** The asset of the kit that `icon.svg` renders in dark themes, named as in ids. */
  dark?: string
  /** The display mode of the manifest. @default 'standalone' */
  display?: (typeof displays)[number]
  /** The name of the application. @default the name of the kit */
  name?: string
  /** The space on each side, in percent of the icon's width: 0 to 40. @default 0; at least 22 for the maskable icon */
  padding?: number
  /** The address of the application's start page. @default the folder of the manifest */
  start?: string
  /** The theme color of the manifest. @default the background, or white */
  theme?: string
}

/** The query keys of `content-space:app-icons/…`, which are also the flags of the command. */
export const appIconKeys = {
  background: color,
  dark: text('the name of an asset of the kit, as in ids'),
  display: choice(displays),
  name: text('a text'),
  padding: number('a whole number of percent', 0, 40),
  start: text('an address'),
  theme: color,
} as const satisfies { [K in keyof AppIconsQuery]-?: Kind<NonNullable<AppIconsQuery[K]>> }

/**
 * Parses the query of an id of application icons.
 * @throws ContentSpaceError `invalidQuery` with the valid keys or values
 */
export function parseAppIcons(query: string): AppIconsQuery {
  const kinds: Readonly<Record<string, Kind<unknown>>> = appIconKeys
  const keys = Object.keys(kinds)
  const read: Record<string, unknown> = {}
  for (const [key, value] of new URLSearchParams(query)) {
    const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined
    if (kind === undefined) {
      const hint = `${didYouMean(key, keys)} Application icons take the keys ${keys.join(', ')}.`.trim()
      throw new ContentSpaceError('invalidQuery', `Unknown query key ${key}.`, { hint })
    }
    if (key in read) {
      throw new ContentSpaceError('invalidQuery', `Query key ${key} is given twice.`, { hint: 'Write it once.' })
    }
    read[key] = kind.read(value)
    if (read[key] !== undefined) continue
    const near = didYouMean(value, [...kind.choices, ...(kind.examples ?? [])])
    throw new ContentSpaceError('invalidQuery', `Query key ${key} has the invalid value ${value}.`, {
      hint: `${near} ${key} takes ${kind.takes.replaceAll('`', '')}.`.trim(),
    })
  }
  return read
}

/** Returns a query in its canonical form, which `parseAppIcons` reads back. */
export function formatAppIcons(query: AppIconsQuery): string {
  const entries = Object.keys(appIconKeys).flatMap((key) => {
    const value = Object.entries(query).find(([name]) => name === key)?.[1]
    return value === undefined ? [] : [[key, String(value).replace(/^#/, '')]]
  })
  return new URLSearchParams(entries).toString()
}

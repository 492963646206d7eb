import { ContentSpaceError } from '../errors.js'
import { didYouMean } from '../text/nearest.js'
import { choice, color, number, type Kind } from './parameters.js'

const text = (takes: string): Kind<string> => ({
  takes,
  choices: [],
  read: (value) => value.trim() || undefined,
  write: (value) => value,
})

/** The keys of the query of `content-space:app-icons/…`, and of the flags of the command. */
export const appIconKeys = {
  background: color,
  dark: text('the name of an asset of the kit, as in ids'),
  display: choice(['standalone', 'fullscreen', 'minimal-ui', 'browser']),
  name: text('a text'),
  padding: number('a whole number of percent', 0, 40),
  start: text('an address'),
  theme: color,
} as const satisfies Record<string, Kind<string> | Kind<number>>

/** How application icons are drawn, and what their manifest says. */
export type AppIconsQuery = {
  [K in keyof typeof appIconKeys]?: (typeof appIconKeys)[K] extends Kind<infer T> ? T : never
}

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

/** Writes a query in its canonical form: `parseAppIcons` reads the same from it. */
export function formatAppIcons(query: AppIconsQuery): string {
  const entries = Object.keys(appIconKeys).flatMap((key) => {
    const value = Object.entries(query).find(([name]) => name === key)?.[1]
    return value === undefined ? [] : [[key, String(value).replace(/^#/, '')]]
  })
  return new URLSearchParams(entries).toString()
}

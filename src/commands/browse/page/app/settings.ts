import { useEffect, useState } from 'preact/hooks'

export type Theme = 'system' | 'light' | 'dark'
/** The background of pictures. `auto` chooses one for each picture. */
export type Ground = 'auto' | 'light' | 'dark' | 'checkered'

const themes: readonly Theme[] = ['system', 'light', 'dark']
export const grounds: readonly Ground[] = ['auto', 'light', 'dark', 'checkered']

const key = (name: string): string => `content-space-browser:${name}`

/** A setting of the user. It is kept for the next visit if the browser allows that. */
export function useSetting<T extends string>(name: string, values: readonly T[], initial: T) {
  const [value, setValue] = useState<T>(() => values.find((known) => known === readSetting(name)) ?? initial)
  useEffect(() => writeSetting(name, value), [name, value])
  return [value, setValue] as const
}

function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(key(name))
  } catch {
    return null
  }
}

function writeSetting(name: string, value: string): void {
  try {
    localStorage.setItem(key(name), value)
  } catch {
    // Storage is blocked, so the choice lasts only for this visit.
  }
}

export function useTheme() {
  const [theme, setTheme] = useSetting('theme', themes, 'system')
  const isSystemDark = useMedia('(prefers-color-scheme: dark)')
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }, [theme])
  return { theme, setTheme, isDark: theme === 'dark' || (theme === 'system' && isSystemDark) }
}

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const change = () => setMatches(list.matches)
    change()
    list.addEventListener('change', change)
    return () => list.removeEventListener('change', change)
  }, [query])
  return matches
}

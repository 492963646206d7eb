import { colornames } from 'color-name-list/short'
import tags from 'lucide-static/tags.json' with { type: 'json' }

/* The build replaces this module by its values, so that the package has neither list as a whole. */

const isWord = (text: string): boolean => /^[a-z]+$/.test(text)

/** Colors by their names, in lower case. */
export const colors: Record<string, string> = Object.fromEntries(
  colornames.map(({ name, hex }) => [name.toLowerCase(), hex]).filter(([name = '']) => isWord(name)),
)

/** The meanings of interface icons, by their names. */
export const icons: Record<string, string[]> = Object.fromEntries(
  Object.entries<string[]>(tags)
    .filter(([name]) => isWord(name))
    .map(([name, words]) => [name, words.filter(isWord)]),
)

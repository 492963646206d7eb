import { colornames } from 'color-name-list/short'
import tags from 'lucide-static/tags.json' with { type: 'json' }

/*
 * The build replaces this module with the values of its exports, so that the package doesn't contain the complete
 * lists.
 */

const isWord = (text: string): boolean => /^[a-z]+$/.test(text)

/** Colors by lower-case name. */
export const colors: Record<string, string> = Object.fromEntries(
  colornames.map(({ name, hex }) => [name.toLowerCase(), hex]).filter(([name = '']) => isWord(name)),
)

/** The meanings of interface icons, by icon name. */
export const icons: Record<string, string[]> = Object.fromEntries(
  Object.entries<string[]>(tags)
    .filter(([name]) => isWord(name))
    .map(([name, words]) => [name, words.filter(isWord)]),
)

/**
 * Matches letters, marks and digits that Unicode 15.0 to 17.0 added, and characters that decompose into them. Some
 * supported tools don't know them: Farm implements Unicode 14.0, esbuild 0.28 and TypeScript 7 implement 15.1, and
 * Rspack 2 implements 16.0. We pin @babel/helper-validator-identifier to a version that doesn't accept any characters
 * later than Unicode 17.0.
 */
const recentLetters = new RegExp(
  `[${[
    '\\u088F\\u0897\\u0C5C\\u0CDC\\u0CF3\\u0ECE\\u1ACF-\\u1AEB',
    '\\u1C89-\\u1C8A\\uA7CB-\\uA7CF\\uA7D2\\uA7D4\\uA7DA-\\uA7F1',
    '\\u{105C0}-\\u{105F3}\\u{10940}-\\u{10959}\\u{10D40}-\\u{10D85}\\u{10EC2}-\\u{10EFF}\\u{1123F}-\\u{11241}',
    '\\u{11380}-\\u{113E2}\\u{116D0}-\\u{116E3}\\u{11B60}-\\u{11BF9}',
    '\\u{11DB0}-\\u{11DE9}\\u{11F00}-\\u{11F5A}\\u{1342F}',
    '\\u{13440}-\\u{143FA}\\u{16100}-\\u{16139}\\u{16D40}-\\u{16D79}\\u{16EA0}-\\u{16ED3}\\u{16FF2}-\\u{16FF3}',
    '\\u{187F8}-\\u{187FF}\\u{18CFF}\\u{18D09}-\\u{18DF2}',
    '\\u{1B132}\\u{1B155}\\u{1CCD6}-\\u{1CCF9}\\u{1DF25}-\\u{1DF2A}',
    '\\u{1E030}-\\u{1E08F}\\u{1E4D0}-\\u{1E6FF}\\u{2B739}-\\u{2B73F}\\u{2CEA2}-\\u{2CEAD}\\u{2EBF0}-\\u{2EE5D}',
    '\\u{31350}-\\u{33479}',
  ].join('')}]`,
  'gu',
)

/** Returns whether a string is ASCII. ASCII characters have only one form, and are known everywhere. */
export function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text)
}

/** Replaces letters that some supported tool or Node version doesn't know with spaces. */
export function knownLetters(text: string): string {
  return text.replace(recentLetters, ' ')
}

/**
 * Changes the case of letters. Doesn't use a capital that Unicode added later than its letter, because not every
 * supported version of Node knows it.
 */
export function changeCase(text: string, change: 'toLowerCase' | 'toUpperCase'): string {
  const changed = text[change]()
  if (isAscii(text)) return changed
  return knownLetters(changed) === changed ? changed : text
}

/**
 * Returns a key that is equal for all names that a file system may treat as the same: by full case folding (`ß` and
 * `ss`, `ﬁ` and `fi`, all forms of sigma) and canonical equivalence (NFC and NFD).
 */
export function foldName(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  // The capital of a dotless i is I, but file systems distinguish the two letters.
  const letters = text.normalize('NFD').replace(/[^ı]/gu, (letter) => letter.toLowerCase().toUpperCase().toLowerCase())
  return letters.replaceAll('ς', 'σ').normalize('NFD')
}

import {
  isIdentifierChar,
  isIdentifierName,
  isKeyword,
  isStrictBindReservedWord,
} from '@babel/helper-validator-identifier'
import { changeCase, isAscii, knownLetters } from '../text/letters.js'
import { canonicalType } from '../space/asset-type.js'

/**
 * Splits a name into words: letters and digits of any script, with their combining marks. Keeps only visible characters
 * that are valid in identifiers in the Unicode version of the oldest supported tool.
 */
function wordsOf(name: string): string[] {
  // A fast path, because a kit has thousands of names and most of them are ASCII.
  if (isAscii(name)) return name.match(/[a-z\d]+/gi) ?? []
  const visible = knownLetters(name)
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const text = visible.replace(/./gsu, (char) => (isIdentifierChar(char.codePointAt(0) ?? 0) ? char : ' '))
  return text.match(/[\p{L}\p{Nd}][\p{L}\p{Nd}\p{M}]*/gu) ?? []
}

/** Removes a file extension that repeats the type of an asset: a JPG named `hero.jpeg` becomes `hero`. */
export function withoutType(name: string, type: string): string {
  if (!name.includes('.')) return name
  const [ending, extension = ''] = /\.([^.]+)$/.exec(name) ?? ['']
  const repeats = canonicalType(extension).toLowerCase() === type.toLowerCase()
  return ending !== '' && repeats ? name.slice(0, -ending.length) : name
}

/** Returns the slug of a name: `acme-logo` for `Acme Logo`. Empty if the name doesn't contain letters or digits. */
export function slugOf(name: string): string {
  return slugOfWords(wordsOf(name))
}

function slugOfWords(words: readonly string[]): string {
  return normalize(changeCase(words.join('-'), 'toLowerCase'))
}

/**
 * Returns the identifier of a name: `acmeLogo` for `Acme Logo`, `iOSApp` for `iOS App`, `_2xLogo` for `2x logo`. Empty
 * if the name doesn't contain letters or digits.
 */
export function identifierOf(name: string): string {
  return identifierOfWords(wordsOf(name))
}

function identifierOfWords(words: readonly string[]): string {
  const [first = '', ...rest] = words
  const capitalsInside = /^.+\p{Lu}/u.test(first)
  const head = capitalsInside ? first : changeFirst(first, 'toLowerCase')
  const identifier = normalize([head, ...rest.map((word) => changeFirst(word, 'toUpperCase'))].join(''))
  return identifier === '' || isFree(identifier) ? identifier : `_${identifier}`
}

/** Returns the identifier and the slug of a name, as `identifierOf` and `slugOf` do. */
export function labelsOf(name: string): { identifier: string; slug: string } {
  const words = wordsOf(name)
  return { identifier: identifierOfWords(words), slug: slugOfWords(words) }
}

/** A fast path for ASCII, which has only one form. */
function normalize(text: string): string {
  return isAscii(text) ? text : text.normalize('NFC')
}

function changeFirst(word: string, change: 'toLowerCase' | 'toUpperCase'): string {
  if (isAscii(word)) return word.charAt(0)[change]() + word.slice(1)
  return word.replace(/^./su, (letter) => changeCase(letter, change))
}

/**
 * Returns whether an identifier isn't reserved. `then` is reserved, because `await import()` would call an export of
 * this name.
 */
function isFree(identifier: string): boolean {
  const reserved = isKeyword(identifier) || isStrictBindReservedWord(identifier, true) || identifier === 'then'
  return isIdentifierName(identifier) && !reserved
}

/**
 * Returns whether a string is valid as the export name of an asset. `$` is reserved for local names of generated code.
 */
export function isExportName(text: string): boolean {
  return isFree(text) && text === text.normalize('NFC') && !/^__|\$|\p{Default_Ignorable_Code_Point}/u.test(text)
}

/** Returns whether a string is valid as a slug: words of letters, digits and combining marks, joined by `-`. */
export function isSlug(text: string): boolean {
  if (/^[a-z\d]+(?:-[a-z\d]+)*$/i.test(text)) return true
  return text.split('-').every((word) => word !== '' && Array.from(word).every(isWordLetter))
}

/** Excludes `_`, `$`, other connectors and invisible joiners, although identifiers may contain them. */
function isWordLetter(char: string): boolean {
  return isIdentifierChar(char.codePointAt(0) ?? 0) && !/[_$\p{Pc}\p{Default_Ignorable_Code_Point}]/u.test(char)
}

import {
  isIdentifierChar,
  isIdentifierName,
  isKeyword,
  isStrictBindReservedWord,
} from '@babel/helper-validator-identifier'
import { changeCase, knownLetters } from '../text/letters.js'
import { canonicalType } from '../space/asset-type.js'

/**
 * The words of a name: letters and digits of any script, with the marks that belong to them.
 * Only what may stand in an identifier counts, in the Unicode version of the oldest supported tool, and nothing that
 * cannot be seen.
 */
function wordsOf(name: string): string[] {
  const seen = knownLetters(name)
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const text = seen.replace(/./gsu, (char) => (isIdentifierChar(char.codePointAt(0) ?? 0) ? char : ' '))
  return text.match(/[\p{L}\p{Nd}][\p{L}\p{Nd}\p{M}]*/gu) ?? []
}

/** An asset's name without a last `.ext` that only repeats its type: `hero.jpeg` of a JPG is `hero`. */
export function withoutType(name: string, type: string): string {
  const [ending, extension = ''] = /\.([^.]+)$/.exec(name) ?? ['']
  const repeats = canonicalType(extension).toLowerCase() === type.toLowerCase()
  return ending !== '' && repeats ? name.slice(0, -ending.length) : name
}

/** `Acme Logo` is `acme-logo`. Empty when the name holds neither letter nor digit. */
export function slugOf(name: string): string {
  return changeCase(wordsOf(name).join('-'), 'toLowerCase').normalize('NFC')
}

/** `Acme Logo` is `acmeLogo`, `iOS App` is `iOSApp`, `2x logo` is `_2xLogo`. Empty when nothing is left of the name. */
export function identifierOf(name: string): string {
  const [first = '', ...rest] = wordsOf(name)
  const capitalsInside = /^.+\p{Lu}/u.test(first)
  const head = capitalsInside ? first : changeFirst(first, 'toLowerCase')
  const identifier = [head, ...rest.map((word) => changeFirst(word, 'toUpperCase'))].join('').normalize('NFC')
  return identifier === '' || isFree(identifier) ? identifier : `_${identifier}`
}

function changeFirst(word: string, change: 'toLowerCase' | 'toUpperCase'): string {
  return word.replace(/^./su, (letter) => changeCase(letter, change))
}

/** `then` is no reserved word, but a namespace that has one is taken for a promise by `await import()`. */
function isFree(identifier: string): boolean {
  const reserved = isKeyword(identifier) || isStrictBindReservedWord(identifier, true) || identifier === 'then'
  return isIdentifierName(identifier) && !reserved
}

/** Whether a text can be the export name of an asset. A `$` is left to the local names of generated code. */
export function isExportName(text: string): boolean {
  return isFree(text) && text === text.normalize('NFC') && !/^__|\$|\p{Default_Ignorable_Code_Point}/u.test(text)
}

/** Whether a text can be a slug: words of letters, digits and marks, joined by `-`. */
export function isSlug(text: string): boolean {
  return text.split('-').every((word) => word !== '' && Array.from(word).every(isWordLetter))
}

/** `_` and `$` join no words, and joiners are invisible. */
function isWordLetter(char: string): boolean {
  return isIdentifierChar(char.codePointAt(0) ?? 0) && !/[_$\p{Pc}\p{Default_Ignorable_Code_Point}]/u.test(char)
}

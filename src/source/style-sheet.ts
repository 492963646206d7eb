import { tokenize, tokenNames } from 'css-tree/tokenizer'
import { string, url } from 'css-tree/utils'

/** An id in place of an address in a style sheet or a page. */
export interface IdInText {
  /** The specifier without its fragment. */
  id: string
  /** `#icon` after the id, or an empty string. It belongs to the address. */
  fragment: string
  /** The range of the text that the address replaces. */
  start: number
  end: number
  /** Whether the id is a string outside `url()`, as functions such as `image-set()` allow. */
  bare: boolean
}

/** Functions that take addresses as strings. */
const ADDRESS_FUNCTIONS = new Set(['url(', 'src(', 'image(', 'image-set(', '-webkit-image-set(', 'cross-fade('])

/**
 * Finds the ids in a style sheet: in `url()`, quoted or not, and in the strings of functions such as `image-set()`.
 * Also finds ids that compilers of other languages mistook for relative paths and prefixed with a folder.
 * @param syntax.preprocessor whether the text is in a language that compiles to CSS. It may have line comments (`//`).
 *   It may also have variables for addresses, so every string counts.
 */
export function idsInStyleSheet(code: string, { preprocessor = false } = {}): IdInText[] {
  const text = preprocessor ? blankLineComments(code) : code
  const found: IdInText[] = []
  const functions: string[] = []
  const add = (value: string, start: number, end: number, bare: boolean): void => {
    const id = readId(value)
    if (id) found.push({ ...id, start, end, bare })
  }
  tokenize(text, (type, start, end) => {
    const token = text.slice(start, end)
    switch (tokenNames[type]) {
      case 'function-token':
        functions.push(token.toLowerCase())
        break
      case '(-token':
        functions.push('(')
        break
      case ')-token':
        functions.pop()
        break
      case 'url-token': {
        const { 0: before = '', 1: value = '' } = /^url\(\s*([^\s)]*)/i.exec(token) ?? []
        add(url.decode(token), start + before.length - value.length, start + before.length, false)
        break
      }
      case 'string-token': {
        const name = functions.at(-1) ?? ''
        if (preprocessor || ADDRESS_FUNCTIONS.has(name)) add(string.decode(token), start + 1, end - 1, name !== 'url(')
      }
    }
  })
  return found
}

/** Replaces the strings and addresses of a style sheet with spaces. */
export function withoutStrings(sheet: string): string {
  let blank = ''
  tokenize(sheet, (type, start, end) => {
    const isText = /string|url/.test(tokenNames[type] ?? '')
    blank = blank.padEnd(start) + (isText ? '' : sheet.slice(start, end))
  })
  return blank
}

/** Splits an address in the source into id and fragment. Returns undefined for any other address. */
export function readId(address: string): Pick<IdInText, 'id' | 'fragment'> | undefined {
  const id = /^(?:[^:?#]*\/)?(content-space:.*)$/s.exec(address.trim())?.[1]
  if (id === undefined) return undefined
  // `background=#fff` is part of the query.
  const { 1: path = id, 2: fragment = '' } = /^(.*?[^=;])(#[^#]*)$/s.exec(id) ?? []
  return { id: path, fragment }
}

/** Replaces line comments (`//`) with spaces. Addresses and strings may contain `//`, too. */
function blankLineComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\burl\([^)\n]*\)|\/\/[^\n]*/g, (part) =>
    part.startsWith('//') ? ' '.repeat(part.length) : part,
  )
}

/** The color or weight of a part of a line, named as in Node's `styleText`. */
export type Style = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'

/** A styled part of a line. The style is visible in terminals but not in pipes. */
export interface Painted {
  style: Style
  text: string
}

/** A part of a line in any color. A terminal uses the nearest color that it supports. */
export interface Swatch {
  /** Parameters of the escape sequence, for terminals with 24, 8 and 4 bits of color. */
  codes: Readonly<Record<24 | 8 | 4, readonly number[]>>
  text: string
}

export type Part = string | Painted | Swatch

/** A line of output. Styles are applied when it is printed, after its text has been made safe. */
export type Line = string | readonly Part[]

export function paint(style: Style, text: string): Painted {
  return { style, text }
}

/** Returns the text of a part, without its style. */
export function plainText(part: Part): string {
  return typeof part === 'string' ? part : part.text
}

/** Matches line breaks and tabs, including Unicode's. */
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]/g

/**
 * Matches control characters (C0, C1), format characters (bidi controls, tags), other invisible characters, and lone
 * surrogates.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Matches workflow commands anywhere in a line: `##[` (GitHub Actions), `##vso[` (Azure Pipelines), `##teamcity[`
 * (TeamCity).
 */
const commandStart = /#(?=#[a-z]*\[)/gi

/** Matches workflow commands of GitHub Actions at the start of a line, even after white space. */
const leadingColons = /(?<!\S):{2,}/g

/**
 * Makes a string from a service safe to print on one line. The result can't control a terminal, reverse or hide text,
 * start a new line, or run a workflow command of a CI service. Line breaks and tabs become spaces, other invisible
 * characters become escapes such as `\u{1b}`, and spaces break up commands (`: :add-mask::`, `# #[error]`). Returns a
 * safe line unchanged.
 */
export function oneLine(text: string): string {
  // A fast path for most strings, because a list has thousands.
  if (safe.test(text)) return text
  return text
    .replace(lineBreaks, ' ')
    .replace(hidden, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(commandStart, '# ')
    .replace(leadingColons, (colons) => colons.split('').join(' '))
}

/** Matches printable ASCII without `#` and `:`. */
const safe = /^[ -"$-9;-~]*$/

/** Truncates a string to a number of characters. */
export function shorten(text: string, limit: number): string {
  const letters = Array.from(text)
  return letters.length > limit ? `${letters.slice(0, limit - 1).join('')}…` : text
}

/**
 * The number of characters to keep at the start and the end of a message line that is too long, for example because of
 * a name.
 */
const kept = { start: 600, end: 300 }

/** Removes the middle of long message lines. */
export function shortLines(text: string): string {
  return text.split('\n').map(withoutMiddle).join('\n')
}

function withoutMiddle(line: string): string {
  const letters = Array.from(line)
  if (letters.length <= 1000) return line
  return `${letters.slice(0, kept.start).join('')}…${letters.slice(-kept.end).join('')}`
}

/** Makes each line of a string safe to print. Keeps line feeds. */
export function safeLines(text: string): string {
  return text.split('\n').map(oneLine).join('\n')
}

/**
 * Escapes invisible characters and the start of workflow commands as `\uXXXX`, in JSON or in a JavaScript string
 * literal from `JSON.stringify`. The value stays the same.
 */
export function escapeHidden(json: string): string {
  if (plain.test(json)) return json
  return json.replace(hiddenInJson, unicodeEscape).replace(commandStart, '\\u0023')
}

/** Matches printable ASCII without `#`, like almost every line of a lockfile. */
const plain = /^[ -"$-~]*$/

/** Doesn't match white space between tokens. Within strings, `JSON.stringify` has already escaped it. */
const hiddenInJson = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Escapes a character as in JSON and JavaScript. */
export function unicodeEscape(char: string): string {
  return char.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Formats a value as JSON that is safe to print. @param space as in `JSON.stringify` */
export function jsonText(value: unknown, space?: number): string {
  return escapeHidden(JSON.stringify(value, null, space))
}

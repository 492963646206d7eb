/** A colour or weight of a part of a line, by the names of `styleText` of Node. */
export type Style = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'

/** A part of a line with a style. Terminals show the style, pipes do not. */
export interface Painted {
  style: Style
  text: string
}

/** A line of output. Styles are added when it is printed, after its texts have been made safe. */
export type Line = string | readonly (string | Painted)[]

export function paint(style: Style, text: string): Painted {
  return { style, text }
}

/** Line breaks and tabs, also those of Unicode. */
const blanks = /[\t\n\v\f\r\u0085\u2028\u2029]/g

/** Control characters (C0, C1), format characters (bidi controls, tags), what no font shows, and lone surrogates. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** GitHub Actions reads `##[` anywhere in a line, Azure Pipelines `##vso[`, TeamCity `##teamcity[`. */
const marker = /#(?=#[a-z]*\[)/gi

/** GitHub Actions reads `::` at the start of a line, behind any white space. */
const leadingColons = /(?<!\S):{2,}/g

/**
 * Makes one harmless line of a text from a service: it cannot steer a terminal, turn text around, hide characters,
 * start a line, or be a workflow command of a CI service. Line breaks and tabs become a space; any other character that
 * is not visible becomes an escape such as `\u{1b}`; commands are broken up with spaces (`: :add-mask::`, `#
 * #[error]`). A line that is harmless already stays as it is.
 */
export function oneLine(text: string): string {
  return text
    .replace(blanks, ' ')
    .replace(hidden, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(marker, '# ')
    .replace(leadingColons, (colons) => colons.split('').join(' '))
}

/** The same for a text whose line feeds are meant: each line is made harmless on its own. */
export function safeLines(text: string): string {
  return text.split('\n').map(oneLine).join('\n')
}

/**
 * Replaces what is not visible, and the start of a workflow command, by `\uXXXX` in a text of JSON, or in a string
 * literal of JavaScript made by `JSON.stringify`. It means the same value.
 */
export function escapeHidden(json: string): string {
  return json.replace(hiddenInJson, unicodeEscape).replace(marker, '\\u0023')
}

/** White space between the tokens of JSON stays; within strings `JSON.stringify` has escaped it. */
const hiddenInJson = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

function unicodeEscape(char: string): string {
  return char.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A value as JSON that is safe to print and to compare in a terminal. @param space as that of `JSON.stringify` */
export function jsonText(value: unknown, space?: number): string {
  return escapeHidden(JSON.stringify(value, null, space))
}

import { oneLine } from '../../text/display.js'

// Texts in CSS and in Sass. Characters that are not known to be harmless are escaped: Sass replaces `#{…}` in
// strings, `</style>` ends a style element, and tools that search with patterns may take a quoted brace for the end
// of a rule.

/**
 * Characters outside of identifiers: https://drafts.csswg.org/css-syntax/#non-ascii-ident-code-point, without invisible
 * ones and a few punctuation marks.
 */
const outsideIdent = new RegExp(
  `[^-\\w${[
    '\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}',
    '\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{10FFFF}',
  ].join('')}]|\\p{Cf}|\\p{Default_Ignorable_Code_Point}`,
  'gu',
)

const outsideString =
  /[^ \p{L}\p{M}\p{N}_.,:;/?=&%+@!~-]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

const outsideComment = /[^ \p{L}\p{M}\p{N}_.,:;!?()'"&+=-]/gu

function escape(char: string): string {
  return `\\${(char.codePointAt(0) ?? 0).toString(16)} `
}

export function ident(text: string): string {
  return text.replace(outsideIdent, escape)
}

export function string(text: string): string {
  return `"${text.replace(outsideString, escape)}"`
}

/** Makes a text safe within a comment. Other characters become spaces. */
export function commentText(text: string): string {
  return oneLine(text).replace(outsideComment, ' ').replace(/ +/g, ' ').trim()
}

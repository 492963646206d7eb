import { jsonText } from '../../text/display.js'
import { css } from './css.js'
import { dtcg } from './dtcg.js'
import { scss } from './scss.js'
import type { TokenSheet } from './sheet.js'
import { urlText } from './style-sheet.js'
import { tailwind } from './tailwind.js'
import { ts, urlExpression } from './ts.js'

/** The formats of files of tokens, by name. */
export const renderers = { css, tailwind, scss, dtcg, ts } as const satisfies Record<
  string,
  (sheet: TokenSheet) => string
>

/** How each format writes the address of a font file. No other text of content can look like it. */
export const addressTexts: Readonly<Record<keyof typeof renderers, (address: string) => string>> = {
  css: urlText,
  tailwind: urlText,
  scss: urlText,
  dtcg: (address) => `"src": ${jsonText(address)}`,
  ts: urlExpression,
}

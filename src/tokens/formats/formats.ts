import type { TokenFormat } from '../../config/token-files.js'
import { jsonText } from '../../text/display.js'
import { css } from './css.js'
import { dtcg } from './dtcg.js'
import { scss } from './scss.js'
import type { TokenSheet } from './sheet.js'
import { urlText } from './style-sheet.js'
import { tailwind } from './tailwind.js'
import { ts, urlExpression } from './ts.js'

interface Format {
  write(this: void, sheet: TokenSheet): string
  /** Writes the URL of a font file in a form that no other content in the file can imitate. */
  address(this: void, address: string): string
  /** Whether the format is a style sheet, in which fonts have URLs even without a folder for fonts. */
  isStyleSheet: boolean
  /** Whether names begin with the kit's name by default. */
  namesKit: boolean
}

export const formats = {
  css: { write: css, address: urlText, isStyleSheet: true, namesKit: true },
  tailwind: { write: tailwind, address: urlText, isStyleSheet: true, namesKit: false },
  scss: { write: scss, address: urlText, isStyleSheet: true, namesKit: true },
  dtcg: { write: dtcg, address: (address) => `"src": ${jsonText(address)}`, isStyleSheet: false, namesKit: false },
  ts: { write: ts, address: urlExpression, isStyleSheet: false, namesKit: false },
} as const satisfies Record<TokenFormat, Format>

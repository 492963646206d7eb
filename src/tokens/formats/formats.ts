import { css } from './css.js'
import { dtcg } from './dtcg.js'
import { scss } from './scss.js'
import type { TokenSheet } from './sheet.js'
import { tailwind } from './tailwind.js'
import { ts } from './ts.js'

/** The formats of files of tokens, by name. */
export const renderers = { css, tailwind, scss, dtcg, ts } as const satisfies Record<
  string,
  (sheet: TokenSheet) => string
>

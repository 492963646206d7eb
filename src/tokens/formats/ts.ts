import { code, contentLiteral, literal } from '../../modules/literal.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { headLines } from './head.js'
import type { SheetFont, TokenSheet } from './sheet.js'

/** `export const colors = { … } as const`, and `fonts`, in the shape of `content-space:tokens/…`. */
export function ts(sheet: TokenSheet): string {
  const head = headLines(sheet).map((line) => `// ${line}\n`)
  const fonts = [...sheet.fonts].map(([name, font]) => [name, fontValue(font)] as const)
  return `${head.join('')}\n${declare('colors', sheet.colors)}\n${declare('fonts', fonts)}`
}

function declare(name: string, tokens: Iterable<readonly [string, object]>): string {
  const lines = [...tokens].map(([key, token]) => `  ${property(key, token)},\n`)
  return `export const ${name} = {${lines.length === 0 ? '' : '\n'}${lines.join('')}} as const\n`
}

/** Writes `key: { … }`. */
function property(key: string, token: object): string {
  return contentLiteral({ [key]: token }).slice(1, -1)
}

/** The addresses of bundlers' ids lead nowhere in a script, so only files beside this one have an address. */
function fontValue({ address, ...font }: SheetFont): object {
  const src = address?.relative ? code(`new URL(${literal(address.text)}, import.meta.url).href`) : undefined
  return omitUndefined({ ...font, src })
}

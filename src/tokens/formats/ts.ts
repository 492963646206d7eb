import { code, identifier, literal, typedContentLiteral } from '../../modules/literal.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { headLines, type SheetFont, type TokenSheet } from './sheet.js'

/**
 * Writes a script: `export const colors = { … } as const`, and `fonts`, with the same structure as
 * `content-space:tokens/…`.
 */
export function ts(sheet: TokenSheet): string {
  const head = headLines(sheet).map((line) => `// ${line}\n`)
  const fonts = new Map([...sheet.fonts].map(([name, font]) => [name, fontValue(font)] as const))
  return `${head.join('')}\n${declare('colors', sheet.colors, sheet)}\n${declare('fonts', fonts, sheet)}`
}

/** Declares tokens under their export names, followed by their former names. */
function declare<T extends { uuid: string }>(
  name: string,
  tokens: ReadonlyMap<string, T>,
  { former }: TokenSheet,
): string {
  const current = [...tokens].map(([key, token]) => property(key, token))
  const before = [...tokens].flatMap(([key, token]) =>
    (former.get(token.uuid) ?? []).map(
      (alias) => `/** @deprecated Renamed: use ${key}. */\n  ${property(alias, token)}`,
    ),
  )
  const lines = [...current, ...before].map((line) => `  ${line},\n`)
  return `export const ${name} = {${lines.length === 0 ? '' : '\n'}${lines.join('')}} as const\n`
}

/** Writes `key: { … }`, because TypeScript can't type a computed key exactly. */
function property(key: string, token: object): string {
  return `${identifier(key)}: ${typedContentLiteral(token)}`
}

/** Writes `src` only for a file beside the script, because bundlers don't resolve ids in the script's strings. */
function fontValue({ address, ...font }: SheetFont): Omit<SheetFont, 'address'> & { src?: unknown } {
  const src = address?.relative ? code(`${urlExpression(address.text)}.href`) : undefined
  return omitUndefined({ ...font, src })
}

/** Writes the URL expression for a file beside the script. */
export function urlExpression(address: string): string {
  return `new URL(${literal(address)}, import.meta.url)`
}

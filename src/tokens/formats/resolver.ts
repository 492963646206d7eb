import { basename } from 'node:path'
import { escapeHidden } from '../../text/display.js'
import { dtcg } from './dtcg.js'
import { headLines, type TokenSheet } from './sheet.js'

/** Returns the path of the resolver beside a design tokens file: `brand.resolver.json` for `brand.tokens.json`. */
export function resolverPath(file: string): string {
  return `${file.replace(/(?:\.tokens)?(?:\.json)?$/i, '')}.resolver.json`
}

/**
 * Writes a resolver, as the Design Tokens Resolver Module 2025.10 defines it, with the tokens of a file and of a dark
 * theme. The dark theme repeats all tokens, so that each has the same path as in the file.
 * https://www.designtokens.org/tr/2025.10/resolver/
 */
export function resolver(sheet: TokenSheet, file: string): string {
  const colors = new Map([...sheet.colors].map(([name, color]) => [name, { ...color, ...color.dark }]))
  const dark: unknown = JSON.parse(dtcg({ ...sheet, colors }))
  const document = {
    description: headLines(sheet)[0],
    version: '2025.10',
    sets: { tokens: { sources: [{ $ref: encodeURI(`./${basename(file)}`) }] } },
    modifiers: { theme: { default: 'light', contexts: { light: [], dark: [dark] } } },
    resolutionOrder: [{ $ref: '#/sets/tokens' }, { $ref: '#/modifiers/theme' }],
  }
  return `${escapeHidden(JSON.stringify(document, null, 2))}\n`
}

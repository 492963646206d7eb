import { formatHex8 } from 'culori'
import { basename, relative } from 'node:path'
import type { MagicString } from 'magic-string'
import { readText } from '../../../disk/replace-file.js'
import type { Engine } from '../../../engine/engine.js'
import { colorsIn } from '../../shared/findings/colors.js'
import type { Finding } from '../../shared/findings/report.js'
import type { Application } from './applications.js'

/**
 * Replaces a color with the custom property of a token.
 * @param app the application that builds the file
 * @returns why the color is kept
 */
export async function fixColor(
  { options }: Engine,
  { kit, asset, file, line, color }: Finding,
  app: Application,
  { before, edit }: { before: string; edit: MagicString },
): Promise<string | undefined> {
  const sheet = options.tokens.find((one) => one.format === 'css' && one.kit.split('@')[0] === kit)
  if (sheet === undefined) return 'no CSS file of option tokens has the colors of this kit'
  if (!/\.(?:css|pcss|postcss)$/i.test(file)) return 'only colors in CSS are replaced'
  // With several entries, a page may load one of the style sheets but not the other.
  const path = relative(options.root, sheet.file).replaceAll('\\', '/')
  if (app.proof.entries.length !== 1 || app.problem(path) !== undefined)
    return `it is not certain that ${basename(sheet.file)} is in the same page`
  const value = formatHex8(color?.text ?? '')
  const declarations = ((await readText(sheet.file)) ?? '').matchAll(/(--[^\s:;{}]+):\s*([^;]+);/g)
  const property = [...declarations].find(
    ([, name = '', other = '']) => name.endsWith(asset.slug) && formatHex8(other) === value,
  )?.[1]
  if (property === undefined) return 'the token has another value'
  const places = colorsIn(before, file).filter((one) => one.line === line && one.text === color?.text)
  // A property can't be its own value, or be used in a rule that is read before the property has a value.
  const isFixed = places.some(({ start }) => {
    const declaration = before.slice(0, start).split(/[;{}]/).at(-1)?.trim() ?? ''
    return (
      /^@|^initial-value\b/.test(declaration) || declaration.startsWith(`${property}:`) || isExported(before, start)
    )
  })
  if (isFixed) return 'a token cannot be used here'
  for (const { start, text: found } of places) edit.update(start, start + found.length, `var(${property})`)
  return undefined
}

/** Returns whether scripts receive the text at a position of a style sheet: `:export { … }`. */
export function isExported(text: string, at: number): boolean {
  const before = text.slice(0, at)
  const rule = before.slice(0, before.lastIndexOf('{')).split(/[{};]/).at(-1)?.trim() ?? ''
  const statement = before.split(/[;{}]/).at(-1)?.trim() ?? ''
  return /^:export\b/.test(rule.replaceAll(/\/\*[^]*?\*\//g, '').trim()) || /^@(?:value|property)\b/.test(statement)
}

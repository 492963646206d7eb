import { parseSync } from 'oxc-parser'
import { lineFinder } from '../text/lines.js'
import { parseCode, walk, type Node } from '../source/syntax.js'

/** Finds positions in the text of a configuration file. Loaded only if the file contains a mistake. */

/**
 * Returns where JSON stops being valid, as `3:18`, and why. The reason doesn't quote values, because they may be
 * tokens.
 */
export function findSyntaxError(file: string, text: string): { place: string; reason: string } | undefined {
  const [error] = parseSync(file, scriptOf(file, text), { sourceType: 'unambiguous' }).errors
  const at = error?.labels[0]?.start
  if (error === undefined || at === undefined) return undefined
  return { place: lineAndColumn(text, at - prefixOf(file).length), reason: error.message }
}

/** Returns line and column of an offset, from 1. */
export function lineAndColumn(text: string, offset: number): string {
  return `${lineFinder(text)(offset)}:${offset - text.lastIndexOf('\n', offset - 1)}`
}

/**
 * Creates a function that returns the name of a file, including the line of an option if the file contains it.
 * @param file absolute path
 * @param name the file's name in messages
 */
export function optionFinder(file: string, name: string, text: string): (option: string) => string {
  const program = parseCode(scriptOf(file, text), file.endsWith('.json') ? 'config.ts' : file)
  const lineOf = lineFinder(text)
  return (option) => {
    const node = program && findOption(program, option)
    return node === undefined ? name : `${name}:${lineOf(node.start - prefixOf(file).length)}`
  }
}

/** Finds an option by a trailing part of its path, because its object may be in a variable. */
function findOption(program: Node, option: string): Node | undefined {
  const path = `.${withoutIndexes(option)}`
  for (const [node, ancestors] of walk(program, [])) {
    if (node.type !== 'Property') continue
    const keys = [node, ...ancestors].flatMap(keyOfProperty).toReversed()
    if (path.endsWith(`.${withoutIndexes(keys.join('.'))}`)) return node
  }
  return undefined
}

function keyOfProperty(node: Node): string[] {
  if (node.type !== 'Property' || node.computed) return []
  const { key } = node
  if (key.type === 'Identifier') return [key.name]
  return key.type === 'Literal' && typeof key.value === 'string' ? [key.value] : []
}

const withoutIndexes = (path: string): string => path.replaceAll(/\.\d+(?=\.|$)/g, '')

/** JSON in parentheses is a valid script. */
const prefixOf = (file: string): string => (file.endsWith('.json') ? '(' : '')

function scriptOf(file: string, text: string): string {
  return file.endsWith('.json') ? `${prefixOf(file)}${text})` : text
}

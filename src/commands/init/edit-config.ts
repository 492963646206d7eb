import { MagicString } from 'magic-string'
import { parseCode, walk, type Node } from '../../source/syntax.js'
import type { PluginPlace } from './bundlers.js'

type ObjectNode = Extract<Node, { type: 'ObjectExpression' }>

/** An addition to a configuration: the lines that load the plugin, and where to add it. */
export interface PluginEdit extends PluginPlace {
  /** `import …` or `const … = require(…)`. Absent if the configuration only names the plugin. */
  load?: string
  /** The plugin as an expression: `contentSpace()`. */
  value: string
  /** Another plugin that a new configuration needs: the package, and the name of its import. */
  beside?: readonly [from: string, name: string]
}

/**
 * Adds the plugin to the text of a configuration. Leaves everything else unchanged.
 * @param file determines the language by its extension
 * @returns undefined if it can't find where to add the plugin, or if the configuration already has the plugin
 */
export function editConfig(code: string, file: string, { load, value, path, wraps }: PluginEdit): string | undefined {
  const program = code.includes('unplugin-content-space') ? undefined : parseCode(code, file)
  const exported = program?.type === 'Program' ? exportedNode(program) : undefined
  if (program?.type !== 'Program' || exported === undefined) return undefined
  const text = new MagicString(code)
  if (wraps) text.appendLeft(exported.start, `${value}(`).appendRight(exported.end, ')')
  else {
    const config = objectOf(exported, program)
    if (config === undefined || !addTo(config, path, value, text)) return undefined
  }
  const loading = program.body.findLast((node) => node.type === 'ImportDeclaration' || isRequire(node))
  const first = program.body.find((node) => node.type !== 'ExpressionStatement' || node.directive == null)
  if (load === undefined || first === undefined) return text.toString()
  const line = inStyleOf(load, code)
  if (loading === undefined) text.prependRight(first.start, `${line}\n\n`)
  else text.appendLeft(loading.end, `\n${line}`)
  return text.toString()
}

/** Returns the exported configuration of a file. */
function exportedNode({ body }: Extract<Node, { type: 'Program' }>): Node | undefined {
  for (const node of body) {
    if (node.type === 'ExportDefaultDeclaration') return node.declaration
    if (node.type !== 'ExpressionStatement' || node.expression.type !== 'AssignmentExpression') continue
    const { left, right } = node.expression
    if (left.type === 'MemberExpression' && left.object.type === 'Identifier' && left.object.name === 'module')
      return right
  }
  return undefined
}

/** Finds the object behind variables, calls such as `defineConfig({})`, and functions that return the object. */
function objectOf(node: Node | null | undefined, program: Node): ObjectNode | undefined {
  switch (node?.type) {
    case 'ObjectExpression':
      return node
    case 'CallExpression':
      return objectOf(node.arguments[0], program)
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return objectOf(node.expression, program)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'BlockStatement': {
      if (node.type !== 'BlockStatement') return objectOf(node.body, program)
      const last = node.body.findLast(({ type }) => type === 'ReturnStatement')
      return last?.type === 'ReturnStatement' ? objectOf(last.argument, program) : undefined
    }
    case 'Identifier': {
      const [found] = [...walk(program, [])].flatMap(([one]) =>
        one.type === 'VariableDeclarator' && one.id.type === 'Identifier' && one.id.name === node.name ? [one] : [],
      )
      return objectOf(found?.init, program)
    }
    default:
      return undefined
  }
}

/** Adds an element to the list at a path. @returns whether the list now exists */
function addTo(config: ObjectNode, [key = '', ...rest]: readonly string[], value: string, text: MagicString): boolean {
  const property = config.properties.find(
    (one) => one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === key,
  )
  if (property?.type !== 'Property') {
    const inner = rest.reduceRight((made, name) => `{ ${name}: ${made} }`, `[${value}]`)
    append(config, config.properties, `${key}: ${inner}`, text)
    return true
  }
  const { value: found } = property
  if (rest.length > 0) return found.type === 'ObjectExpression' && addTo(found, rest, value, text)
  if (found.type !== 'ArrayExpression') return false
  append(found, found.elements, value, text)
  return true
}

/** Adds text after the last element. Puts it on a separate line if the last element is on a separate line. */
function append(list: Node, elements: readonly (Node | null)[], added: string, text: MagicString): void {
  const last = elements.at(-1)
  const code = text.original
  if (last) {
    const [indent] = /\n[ \t]*$/.exec(code.slice(list.start, last.start)) ?? []
    text.appendLeft(last.end, `,${indent ?? ' '}${added}`)
  } else if (code.slice(list.start, list.end).includes('\n')) text.appendRight(list.start + 1, `\n  ${added},`)
  else text.appendRight(list.start + 1, list.type === 'ArrayExpression' ? added : ` ${added} `)
}

function isRequire(node: Node): boolean {
  return (
    node.type === 'VariableDeclaration' &&
    node.declarations.some(
      ({ init }) =>
        init?.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'require',
    )
  )
}

/** Formats statements with the quotes, semicolons, trailing commas and tabs of a file. */
export function inStyleOf(text: string, code: string): string {
  const isDouble = code.includes('"') && !code.includes("'")
  const quoted = isDouble ? text.replace(/^(?! *\/\/)[^"\\\n]*$/gm, (line) => line.replaceAll("'", '"')) : text
  const isWithoutCommas = !/,\s*\n\s*[\])}]/.test(code) && /[\w"'\])}]\n\}\)?;?\s*$/.test(code)
  const ended = isWithoutCommas ? quoted.replaceAll(/,(?=\n\s*[\])}])/g, '') : quoted
  const indented = /^\t/m.test(code) ? ended.replaceAll(/^ {2}/gm, '\t') : ended
  return /;\s*$/m.test(code) ? indented.replace(/^\S.*['")]$/gm, '$&;') : indented
}

/** Lists the lines that differ, with `-` and `+`. */
export function changedLines(before: string, after: string): string[] {
  const [was, is] = [before.split('\n'), after.split('\n')]
  while (was.length > 0 && was.at(-1) === is.at(-1)) {
    was.pop()
    is.pop()
  }
  const lines: string[] = []
  let [at, added]: [number, string[]] = [0, []]
  const add = (until: number): void => {
    lines.push(...was.slice(at, until).map((line) => `- ${line}`), ...added)
    at = until + 1
    added = []
  }
  for (const line of is) {
    const same = was.indexOf(line, at)
    // Short lines, such as empty ones, aren't unique enough to match.
    if (same === at || (same > at && line.trim().length > 2)) add(same)
    else added.push(`+ ${line}`)
  }
  add(was.length)
  return lines
}

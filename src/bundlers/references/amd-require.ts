import { parseSync } from 'oxc-parser'
import type { MagicString } from 'magic-string'
import { childrenOf, type Node } from '../../source/syntax.js'

/**
 * Adds the `require` parameter to the factory of an AMD module if it's missing. Rollup never uses this name for a
 * variable in the module.
 * @param text the edited code
 */
export function addRequire(code: string, text: MagicString): void {
  const nodes: Node[] = [
    parseSync('chunk.js', code, { sourceType: 'script', lang: 'js', preserveParens: false }).program,
  ]
  for (const node of nodes) {
    if (node.type === 'CallExpression' && Object(node.callee).name === 'define') {
      const factory = node.arguments.at(-1)
      const list = node.arguments.find(({ type }) => type === 'ArrayExpression')
      if (factory?.type !== 'FunctionExpression' || factory.body === null) return
      if (factory.params.some((param) => param.type === 'Identifier' && param.name === 'require')) return
      const separator = factory.params.length === 0 ? '' : ', '
      if (list) text.appendLeft(list.start + 1, `'require'${separator}`)
      else text.appendLeft(factory.start - (code[factory.start - 1] === '(' ? 1 : 0), `['require'], `)
      text.appendLeft(code.indexOf('(', factory.start) + 1, `require${separator}`)
      return
    }
    nodes.push(...childrenOf(node))
  }
}

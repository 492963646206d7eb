import { parseCode, walk, type Node } from '../../../source/syntax.js'

/**
 * Returns whether a script uses only the address and the size of the object that a framework returns for a picture:
 * `logo.src`, `<Image src={logo} />`.
 */
export function isUsedAsObject(code: string, file: string, local: string): boolean {
  const program = parseCode(code, file)
  if (program === undefined) return false
  return [...walk(program, [])].every(([node, [parent, attribute, element]]) => {
    if ((node.type !== 'Identifier' && node.type !== 'JSXIdentifier') || node.name !== local) return true
    if (parent?.type === 'ImportDefaultSpecifier') return true
    if (parent?.type === 'MemberExpression' && !parent.computed)
      return (
        parent.object !== node || /^(?:src|width|height)$/.test(code.slice(parent.property.start, parent.property.end))
      )
    if (parent?.type !== 'JSXExpressionContainer' || attribute?.type !== 'JSXAttribute') return false
    return attribute.name.name === 'src' && element?.type === 'JSXOpeningElement' && hasPlainAttributes(element)
  })
}

/** Returns false for a placeholder, because only the framework's object contains it. */
function hasPlainAttributes({ attributes }: Extract<Node, { type: 'JSXOpeningElement' }>): boolean {
  return attributes.every((one) => {
    if (one.type !== 'JSXAttribute' || one.name.type !== 'JSXIdentifier') return false
    return !/^(?:placeholder|blurDataURL)$/.test(one.name.name)
  })
}

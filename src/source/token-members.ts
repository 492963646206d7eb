import { keyName, propertyName } from './reachable-names.js'
import { walk, type Node } from './syntax.js'

/** A place that refers to a token by name: `colors.coral`. */
export interface TokenMember {
  /** The export of the tokens module. */
  kind: 'colors' | 'fonts'
  name: string
  /** Offset in the file. */
  start: number
}

/**
 * Finds the tokens that a script refers to by name. Every identifier with the name of the import counts as the import.
 * Doesn't find other uses of tokens, such as `Object.values(colors)`.
 * @param node the import of a tokens module
 */
export function tokenMembers(node: Node, program: Node): TokenMember[] {
  if (node.type !== 'ImportDeclaration') return []
  return node.specifiers.flatMap((specifier) => {
    const local = specifier.local.name
    const isLocal = (one: Node): boolean => one.type === 'Identifier' && one.name === local
    const imported = specifier.type === 'ImportSpecifier' ? specifier.imported : undefined
    const name = imported?.type === 'Literal' ? imported.value : (imported?.name ?? 'default')
    const own = kinds.find((kind) => kind === name)
    if (own) return membersOf(program, isLocal, own)
    if (name !== 'default') return []
    return kinds.flatMap((kind) => membersOf(program, (one) => isMember(one, isLocal, kind), kind))
  })
}

const kinds = ['colors', 'fonts'] as const

function isMember(node: Node, isObject: (object: Node) => boolean, name: string): boolean {
  return node.type === 'MemberExpression' && isObject(node.object) && propertyName(node, node.object)?.[0] === name
}

function membersOf(program: Node, isObject: (node: Node) => boolean, kind: TokenMember['kind']): TokenMember[] {
  return [...walk(program, [])].flatMap(([node]) =>
    membersIn(node, isObject).map(({ name, start }) => ({ kind, name, start })),
  )
}

/** Recognizes `colors.coral`, `colors['coral']`, `const { coral } = colors` and `typeof colors.coral`. */
function membersIn(node: Node, isObject: (node: Node) => boolean): { name: string; start: number }[] {
  if (node.type === 'MemberExpression' && isObject(node.object)) {
    return (propertyName(node, node.object) ?? []).map((name) => ({ name, start: node.property.start }))
  }
  if (node.type === 'TSQualifiedName' && isObject(node.left)) {
    return [{ name: node.right.name, start: node.right.start }]
  }
  if (node.type !== 'VariableDeclarator' || node.init == null || !isObject(node.init)) return []
  if (node.id.type !== 'ObjectPattern') return []
  return node.id.properties.flatMap((property) => {
    const name = property.type === 'Property' ? keyName(property.key, property.computed) : undefined
    return name === undefined ? [] : [{ name, start: property.start }]
  })
}

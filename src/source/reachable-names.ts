import { childrenOf, type Node } from './syntax.js'

/**
 * Returns the export names that an import can reach at run time.
 * @returns undefined if they can't be determined, and for any other node
 */
export function reachableNames(node: Node, ancestors: Node[], program: Node): string[] | undefined {
  if (node.type === 'ImportExpression') return dynamicNames(node, ancestors)
  const isStatic = node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration'
  return isStatic ? staticNames(node, program) : undefined
}

type StaticImport = Extract<Node, { type: 'ImportDeclaration' | 'ExportNamedDeclaration' }>

function staticNames(node: StaticImport, program: Node): string[] | undefined {
  if (node.type === 'ExportNamedDeclaration') {
    if (node.exportKind === 'type') return undefined
    return node.specifiers.filter(({ exportKind }) => exportKind !== 'type').map(({ local }) => nameOfBinding(local))
  }
  if (node.importKind === 'type') return undefined
  const names = node.specifiers.map((specifier) => {
    if (specifier.type === 'ImportDefaultSpecifier') return ['default']
    if (specifier.type === 'ImportNamespaceSpecifier') return memberNames(program, specifier.local.name, specifier)
    return specifier.importKind === 'type' ? [] : [nameOfBinding(specifier.imported)]
  })
  return names.every((some) => some !== undefined) ? names.flat() : undefined
}

/**
 * Returns the members of an export that an import uses: `testBold` in `fonts.testBold`.
 * @returns undefined when it is used in any other way
 */
export function usedMembers(node: Node, exported: string, program: Node): string[] | undefined {
  if (node.type !== 'ImportDeclaration') return undefined
  const used = node.specifiers
    .filter((specifier) => specifier.type === 'ImportSpecifier' && nameOfBinding(specifier.imported) === exported)
    .map((specifier) => memberNames(program, specifier.local.name, specifier))
  return used.length > 0 && used.every((members) => members !== undefined) ? used.flat() : undefined
}

export function nameOfBinding(name: { type: 'Literal'; value: string } | { type: 'Identifier'; name: string }): string {
  return name.type === 'Literal' ? name.value : name.name
}

type DynamicImport = Extract<Node, { type: 'ImportExpression' }>

/**
 * Recognizes `const { a } = await import()`, `const kit = await import()`, `(await import()).a` and
 * `import().then(({ a }) => …)`.
 */
function dynamicNames(node: DynamicImport, [parent, grandparent, ...outer]: Node[]): string[] | undefined {
  if (parent?.type === 'AwaitExpression') {
    if (grandparent?.type === 'MemberExpression') return propertyName(grandparent, parent)
    if (grandparent?.type === 'VariableDeclarator') return declaredNames(grandparent.id, outer)
  }
  if (parent?.type !== 'MemberExpression' || grandparent?.type !== 'CallExpression') return undefined
  if (propertyName(parent, node)?.[0] !== 'then' || grandparent.callee !== parent) return undefined
  const callback = grandparent.arguments[0]
  if (callback?.type !== 'ArrowFunctionExpression' && callback?.type !== 'FunctionExpression') return undefined
  if (callback.params.length !== 1 || (callback.type === 'FunctionExpression' && hasArguments(callback)))
    return undefined
  return boundNames(callback.params[0], callback)
}

/** Returns whether a function may use `arguments`, which also contains the module. */
function hasArguments(node: Node): boolean {
  if (node.type === 'Identifier') return node.name === 'arguments' || node.name === 'eval'
  return childrenOf(node).some(hasArguments)
}

function declaredNames(pattern: Node, [declaration, ...outer]: Node[]): string[] | undefined {
  if (declaration?.type !== 'VariableDeclaration') return undefined
  // Code outside of the block can use an exported namespace or a `var`.
  const local = outer[0]?.type !== 'ExportNamedDeclaration' && declaration.kind !== 'var'
  if (pattern.type === 'Identifier' && !local) return undefined
  return boundNames(
    pattern,
    outer.find(({ type }) => type === 'BlockStatement' || type === 'Program'),
  )
}

function boundNames(pattern: Node | undefined, scope: Node | undefined): string[] | undefined {
  if (pattern?.type === 'Identifier' && scope) return memberNames(scope, pattern.name, pattern)
  if (pattern?.type !== 'ObjectPattern') return undefined
  const names = pattern.properties.map((one) => (one.type === 'Property' ? keyName(one.key, one.computed) : undefined))
  return names.every((name) => name !== undefined) ? names : undefined
}

/** Returns the name in `object.name` and `object['name']`. */
export function propertyName(member: Extract<Node, { type: 'MemberExpression' }>, object: Node): [string] | undefined {
  const name = member.object === object ? keyName(member.property, member.computed) : undefined
  return name === undefined ? undefined : [name]
}

/** Returns the name of a property, or undefined if it is known only at run time. */
export function keyName(key: Node, computed: boolean): string | undefined {
  if (key.type === 'Identifier' && !computed) return key.name
  return key.type === 'Literal' ? String(key.value) : undefined
}

/** Type nodes, which don't exist at run time. The other `TS…` nodes contain expressions. */
const erased =
  /^TS(?!As|Satisfies|NonNull|TypeAssertion|Instantiation|Enum|Module|Parameter|Export|Import|Abstract|Qualified)/

/**
 * Returns the members of variable `local` that a scope uses. Counts every identifier with that name as the variable,
 * without analyzing scopes, so that it can't miss a use.
 * @param binding the node that declares the variable
 * @returns undefined if the variable is used in any other way, or declared again
 */
function memberNames(scope: Node, local: string, binding: Node): string[] | undefined {
  const names: string[] = []
  const escapes = (node: Node): boolean => {
    if (node === binding || erased.test(node.type)) return false
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') return node.name === local
    if (node.type === 'MemberExpression' && node.object.type === 'Identifier' && node.object.name === local) {
      const name = propertyName(node, node.object)
      names.push(...(name ?? []))
      return name === undefined
    }
    return childrenOf(node).some((child) => !isPlainKey(node, child) && escapes(child))
  }
  return escapes(scope) ? undefined : names
}

/** Returns whether a child is only a name: `kit` in `x.kit` and `{ kit: 1 }`. */
export function isPlainKey(node: Node, child: Node): boolean {
  if (!('computed' in node) || node.computed) return false
  return ('property' in node && node.property === child) || ('key' in node && node.key === child)
}

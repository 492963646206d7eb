import { MagicString } from 'magic-string'
import { isPlainKey, keyName, nameOfBinding, propertyName } from './reachable-names.js'
import { parseCode, walk, type Node } from './syntax.js'
import { scriptsOf, specifierOf, type Script } from './uses.js'

/** The new names for an import. */
export interface Renaming {
  /** The specifier with new slugs. */
  specifier: string
  /** Returns the new name of an export, or undefined if it keeps its name. */
  exported: (name: string) => string | undefined
}

/**
 * Writes new names into the imports and exports of a file. In a script, also renames uses of an imported name. In other
 * files, or if the file has another variable of the same name, the import keeps the old name as a local name.
 * @param renamingOf returns undefined for an invalid specifier
 */
export function renameImports(
  code: string,
  file: string,
  renamingOf: (specifier: string) => Renaming | undefined,
): string {
  const text = new MagicString(code)
  for (const script of scriptsOf(code, file)) renameInScript(script, script.code === code, text, renamingOf)
  // Style sheets and pages contain specifiers, too.
  return text
    .toString()
    .replace(/content-space:[^'"`)\s]+/g, (specifier) => renamingOf(specifier)?.specifier ?? specifier)
}

function renameInScript(
  { code, file, start: offset }: Script,
  isWholeFile: boolean,
  text: MagicString,
  renamingOf: (specifier: string) => Renaming | undefined,
): void {
  const program = parseCode(code, file)
  if (program === undefined) return
  const nodes = [...walk(program, [])]
  const replace = ({ start, end }: Node, name: string) => text.update(start + offset, end + offset, name)
  /** Renames the keys of a destructuring pattern: `{ acmeLogo }`. */
  const renameKeys = (pattern: Node, exported: Renaming['exported']): void => {
    const keys = pattern.type === 'ObjectPattern' ? pattern.properties : []
    for (const one of keys) {
      if (one.type !== 'Property') continue
      const name = keyName(one.key, one.computed)
      const now = name === undefined ? undefined : exported(name)
      if (now === undefined) continue
      // A value may have a default: `{ acmeLogo = other }`.
      if (one.shorthand) text.prependRight(one.key.start + offset, `${now}: `)
      else replace(one.key, one.computed ? JSON.stringify(now) : now)
    }
  }
  /** Renames members of a namespace: `brand.acmeLogo`, `<Brand.AcmeLogo>`, `typeof brand.acmeLogo`. */
  const renameMembers = (namespace: string, exported: Renaming['exported']): void => {
    for (const [node] of nodes) {
      if (node.type === 'VariableDeclarator' && node.init?.type === 'Identifier' && node.init.name === namespace)
        renameKeys(node.id, exported)
      const [object, member] = memberOf(node)
      if (object === undefined || member === undefined || object !== namespace) continue
      const now = exported(code.slice(member.start, member.end))
      if (now !== undefined) replace(member, now)
    }
  }
  for (const [node, [parent, outer]] of nodes) {
    const { exported } = renamingOf(specifierOf(node) ?? '') ?? {}
    if (exported === undefined) continue
    if (node.type === 'ImportDeclaration')
      for (const one of node.specifiers) {
        if (one.type === 'ImportNamespaceSpecifier') renameMembers(one.local.name, exported)
        const now = one.type === 'ImportSpecifier' ? exported(nameOfBinding(one.imported)) : undefined
        if (one.type !== 'ImportSpecifier' || now === undefined) continue
        const { imported, local } = one
        if (imported.start !== local.start) {
          replace(imported, now)
          continue
        }
        const uses = isWholeFile ? usesOf(local.name, now, nodes) : undefined
        replace(imported, uses === undefined ? `${now} as ${local.name}` : now)
        for (const [use, isShorthand] of uses ?? []) replace(use, isShorthand ? `${local.name}: ${now}` : now)
      }
    if (node.type === 'ExportNamedDeclaration')
      for (const { local, exported: own } of node.specifiers) {
        const now = exported(nameOfBinding(local))
        if (now !== undefined) replace(local, local.start === own.start ? `${now} as ${nameOfBinding(own)}` : now)
      }
    if (node.type !== 'ImportExpression') continue
    const bound = boundTo(node, parent, outer)
    if (bound?.type === 'Identifier') renameMembers(bound.name, exported)
    else if (bound) renameKeys(bound, exported)
    const isMember = outer?.type === 'MemberExpression' && parent?.type === 'AwaitExpression'
    const [name] = (isMember && propertyName(outer, parent)) || []
    const now = name === undefined ? undefined : exported(name)
    if (isMember && now !== undefined) replace(outer.property, outer.computed ? JSON.stringify(now) : now)
  }
}

/** Returns the variable or pattern that receives the module of a dynamic import. */
function boundTo(node: Node, parent: Node | undefined, outer: Node | undefined): Node | undefined {
  if (parent?.type === 'AwaitExpression') {
    if (outer?.type === 'VariableDeclarator') return outer.id
    return outer?.type === 'AssignmentExpression' && outer.right === parent ? outer.left : undefined
  }
  if (parent?.type !== 'MemberExpression' || outer?.type !== 'CallExpression' || outer.callee !== parent)
    return undefined
  const callback = propertyName(parent, node)?.[0] === 'then' ? outer.arguments[0] : undefined
  const isFunction = callback?.type === 'ArrowFunctionExpression' || callback?.type === 'FunctionExpression'
  return isFunction ? callback.params[0] : undefined
}

/** Returns the name of an object, and the node of its member. */
function memberOf(node: Node): [string, Node] | [] {
  if (node.type === 'MemberExpression' && node.object.type === 'Identifier' && !node.computed)
    return [node.object.name, node.property]
  if (node.type === 'JSXMemberExpression' && node.object.type === 'JSXIdentifier')
    return [node.object.name, node.property]
  if (node.type === 'TSQualifiedName' && node.left.type === 'Identifier') return [node.left.name, node.right]
  return []
}

/**
 * Returns the nodes that use an imported variable, and whether each is a shorthand property: `{ acmeLogo }`.
 * @returns undefined if the file may contain another variable with this name or with the new name
 */
function usesOf(local: string, now: string, nodes: readonly [Node, Node[]][]): [Node, boolean][] | undefined {
  const uses: [Node, boolean][] = []
  for (const [node, [parent, outer]] of nodes) {
    if (node.type !== 'Identifier' && node.type !== 'JSXIdentifier') continue
    if (parent === undefined || parent.type === 'ImportSpecifier' || isOnlyName(parent, node)) {
      if (parent?.type === 'ImportSpecifier' && nameOfBinding(parent.local) === now) return undefined
      continue
    }
    if (node.name === now || (node.name === local && isDeclaration(node, parent, outer))) return undefined
    if (node.name !== local) continue
    const isShorthand = parent.type === 'Property' && parent.shorthand
    if (!isShorthand || node === parent.value) uses.push([node, isShorthand])
  }
  return uses
}

/** Returns whether a node is only a name: `logo` in `x.logo` and `{ logo: 1 }`. */
function isOnlyName(parent: Node, node: Node): boolean {
  if (parent.type === 'JSXAttribute') return true
  if (parent.type === 'JSXMemberExpression') return parent.property === node
  if (parent.type === 'TSQualifiedName') return parent.right === node
  return !('shorthand' in parent && parent.shorthand) && isPlainKey(parent, node)
}

/** Returns whether a node declares a variable, or may declare one. */
function isDeclaration(node: Node, parent: Node, outer: Node | undefined): boolean {
  if (/Pattern$|^(?:RestElement|ExportSpecifier|CatchClause)$/.test(parent.type)) return true
  if (parent.type === 'Property' && outer?.type === 'ObjectPattern') return true
  if ('id' in parent && parent.id === node) return true
  return 'params' in parent && 'body' in parent && parent.body !== node
}

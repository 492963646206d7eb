import { nameOfBinding } from './reachable-names.js'
import { parseCode, walk, type Node } from './syntax.js'
import { sourceOfImport } from './uses.js'

/** A specifier in a declaration file. */
export interface DeclaredImport {
  specifier: string
  /** The range of the string literal, including its quotes. */
  start: number
  end: number
  /** The export names that it refers to. Absent if it may refer to all exports. */
  names?: string[]
}

/**
 * Finds the imports and exports in a declaration file. Leaves out those inside declarations of other modules, because
 * they describe those modules and don't import anything.
 */
export function declaredImports(code: string, file: string): DeclaredImport[] {
  const program = parseCode(code, file)
  if (program === undefined) return []
  const found: DeclaredImport[] = []
  for (const [node, ancestors] of walk(program, [])) {
    const source = sourceOfImport(node)
    if (source?.type !== 'Literal' || typeof source.value !== 'string' || ancestors.some(isOtherModule)) continue
    const names = namesOfStatement(node)
    const { value: specifier, start, end } = source
    found.push(names === undefined ? { specifier, start, end } : { specifier, start, end, names })
  }
  return found
}

function isOtherModule(node: Node): boolean {
  return node.type === 'TSModuleDeclaration' && node.id.type === 'Literal'
}

function namesOfStatement(node: Node): string[] | undefined {
  if (node.type === 'ExportNamedDeclaration') return node.specifiers.map(({ local }) => nameOfBinding(local))
  if (node.type !== 'ImportDeclaration') return undefined
  const names: string[] = []
  for (const specifier of node.specifiers) {
    if (specifier.type === 'ImportNamespaceSpecifier') return undefined
    names.push(specifier.type === 'ImportDefaultSpecifier' ? 'default' : nameOfBinding(specifier.imported))
  }
  return names
}

import type { Node } from './syntax.js'

/**
 * Returns the export names that an import or export refers to only as types: `import type { a }`, `import { type a }`,
 * `import('…').a`. Builds remove them, and checks of types fail without them.
 */
export function typeNames(node: Node): string[] {
  if (node.type === 'ImportDeclaration') {
    return node.specifiers.flatMap((specifier) => {
      if (specifier.type !== 'ImportSpecifier') return []
      return node.importKind === 'type' || specifier.importKind === 'type' ? [nameOf(specifier.imported)] : []
    })
  }
  if (node.type === 'ExportNamedDeclaration') {
    const types = node.specifiers.filter(({ exportKind }) => node.exportKind === 'type' || exportKind === 'type')
    return types.map(({ local }) => nameOf(local))
  }
  return node.type === 'TSImportType' && node.qualifier ? [firstName(node.qualifier)] : []
}

type Qualifier = NonNullable<Extract<Node, { type: 'TSImportType' }>['qualifier']>

/** `a` in `import('…').a.src` */
function firstName(qualifier: Qualifier): string {
  return qualifier.type === 'Identifier' ? qualifier.name : firstName(qualifier.left)
}

function nameOf(name: { type: 'Literal'; value: string } | { type: 'Identifier'; name: string }): string {
  return name.type === 'Literal' ? name.value : name.name
}

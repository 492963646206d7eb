import { parseSync, visitorKeys, type Node } from 'oxc-parser'

export type { Node } from 'oxc-parser'

/**
 * Parses a file in the language of its extension. Never parses TypeScript as JSX, because that can silently return a
 * wrong tree.
 * @returns undefined if the file can't be parsed
 */
export function parseCode(code: string, file: string): Node | undefined {
  const extension = /\.((?:d\.)?[cm]?[jt]sx?)(?:$|\?)/.exec(file)?.[1]
  // Tools compile files with other extensions to JavaScript, or to TypeScript from which the bundler later removes the
  // types.
  const languages = extension === undefined ? (['jsx', 'ts'] as const) : ([languageOf(extension)] as const)
  for (const lang of languages) {
    const { program, errors } = parseSync(file, code, { lang, sourceType: 'module', preserveParens: false })
    if (errors.length === 0) return program
  }
  return undefined
}

function languageOf(extension: string): 'dts' | 'jsx' | 'ts' | 'tsx' {
  if (/^d\.[cm]?ts$/.test(extension)) return 'dts'
  if (extension === 'tsx') return 'tsx'
  return extension.includes('ts') ? 'ts' : 'jsx'
}

/** Yields every node with its ancestors, nearest first. */
export function* walk(node: Node, ancestors: Node[]): Generator<[Node, Node[]]> {
  yield [node, ancestors]
  const inner = [node, ...ancestors]
  for (const child of childrenOf(node)) yield* walk(child, inner)
}

export function childrenOf(node: Node): Node[] {
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    const value: unknown = Reflect.get(node, key)
    return (Array.isArray(value) ? value : [value]).filter(isNode)
  })
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

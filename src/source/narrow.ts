import { MagicString, type SourceMap } from 'magic-string'
import { parseSync, visitorKeys, type Node } from 'oxc-parser'

/** Which export names of a module one import of it can reach, and where its specifier stands. */
interface Reach {
  specifier: { value: string; start: number; end: number }
  names: string[]
}

/**
 * Replaces the specifiers of imports whose reachable names are all known.
 *
 * Anything that might reach more is left alone: it then gets the whole module, which is slower and never wrong.
 * So is a file that does not parse as what its name says, for TypeScript read as JSX gives a plausible wrong tree.
 *
 * @param file decides the language by its extension
 * @param replace the new specifier for an old one and the names it must still export; undefined leaves it
 * @returns undefined when nothing was replaced
 */
export function narrow(
  code: string,
  file: string,
  replace: (specifier: string, names: string[]) => string | undefined,
): { code: string; map: SourceMap } | undefined {
  const program = parse(code, file)
  if (program === undefined) return undefined
  const text = new MagicString(code)
  for (const { specifier, names } of reaches(program)) {
    const replacement = replace(specifier.value, names.toSorted())
    if (replacement !== undefined) text.update(specifier.start, specifier.end, JSON.stringify(replacement))
  }
  return text.hasChanged()
    ? { code: text.toString(), map: text.generateMap({ source: file, hires: 'boundary', includeContent: true }) }
    : undefined
}

/** @returns undefined for what does not parse as what its extension says */
export function parse(code: string, file: string): Node | undefined {
  const extension = /\.([cm]?[jt]sx?)(?:$|\?)/.exec(file)?.[1]
  // What other extensions compile to is JavaScript, or TypeScript that the bundler strips later.
  const languages = extension === undefined ? (['jsx', 'ts'] as const) : ([languageOf(extension)] as const)
  for (const lang of languages) {
    const { program, errors } = parseSync(file, code, { lang, sourceType: 'module', preserveParens: false })
    if (errors.length === 0) return program
  }
  return undefined
}

function languageOf(extension: string): 'jsx' | 'ts' | 'tsx' {
  if (extension === 'tsx') return 'tsx'
  return extension.includes('ts') ? 'ts' : 'jsx'
}

function* reaches(program: Node): Generator<Reach> {
  for (const [node, ancestors] of walk(program, [])) {
    if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration' && node.type !== 'ImportExpression')
      continue
    if (node.source?.type !== 'Literal' || typeof node.source.value !== 'string') continue
    const names = reachableNames(node, ancestors, program)
    if (names) yield { specifier: { ...node.source, value: node.source.value }, names: [...new Set(names)] }
  }
}

/** The export names that an import can reach at run time, or undefined when they cannot be told. */
export function reachableNames(node: Static | DynamicImport, ancestors: Node[], program: Node): string[] | undefined {
  return node.type === 'ImportExpression' ? dynamicNames(node, ancestors) : staticNames(node, program)
}

/** Every node with its ancestors, the nearest first. */
export function* walk(node: Node, ancestors: Node[]): Generator<[Node, Node[]]> {
  yield [node, ancestors]
  const inner = [node, ...ancestors]
  for (const child of children(node)) yield* walk(child, inner)
}

function children(node: Node): Node[] {
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    const value: unknown = Reflect.get(node, key)
    return (Array.isArray(value) ? value : [value]).filter(isNode)
  })
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

type Static = Extract<Node, { type: 'ImportDeclaration' | 'ExportNamedDeclaration' }>

function staticNames(node: Static, program: Node): string[] | undefined {
  if (node.type === 'ExportNamedDeclaration') {
    if (node.exportKind === 'type') return undefined
    return node.specifiers.filter(({ exportKind }) => exportKind !== 'type').map(({ local }) => nameOf(local))
  }
  if (node.importKind === 'type') return undefined
  const names: string[] = []
  for (const specifier of node.specifiers) {
    if (specifier.type === 'ImportDefaultSpecifier') names.push('default')
    else if (specifier.type === 'ImportSpecifier') {
      if (specifier.importKind !== 'type') names.push(nameOf(specifier.imported))
    } else {
      const members = memberNames(program, specifier.local.name, specifier)
      if (members === undefined) return undefined
      names.push(...members)
    }
  }
  return names
}

function nameOf(name: { type: 'Literal'; value: string } | { type: 'Identifier'; name: string }): string {
  return name.type === 'Literal' ? name.value : name.name
}

type DynamicImport = Extract<Node, { type: 'ImportExpression' }>

/**
 * `const { a } = await import()`, `const kit = await import()`, `(await import()).a` and `import().then(({ a }) => …)`
 */
function dynamicNames(node: DynamicImport, [parent, grandparent, ...outer]: Node[]): string[] | undefined {
  if (parent?.type === 'AwaitExpression') {
    if (grandparent?.type === 'MemberExpression') return propertyName(grandparent, parent)
    if (grandparent?.type === 'VariableDeclarator') return declaredNames(grandparent.id, outer)
  }
  if (parent?.type !== 'MemberExpression' || grandparent?.type !== 'CallExpression') return undefined
  if (propertyName(parent, node)?.[0] !== 'then' || grandparent.callee !== parent) return undefined
  const callback = grandparent.arguments[0]
  if (callback?.type !== 'ArrowFunctionExpression' || callback.params.length !== 1) return undefined
  return boundNames(callback.params[0], callback)
}

function declaredNames(pattern: Node, [declaration, ...outer]: Node[]): string[] | undefined {
  if (declaration?.type !== 'VariableDeclaration') return undefined
  // An exported namespace and a `var` are visible beyond the block.
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
  const names = pattern.properties.map((property) => {
    if (property.type !== 'Property') return undefined
    const { key, computed } = property
    if (key.type === 'Identifier' && !computed) return key.name
    return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined
  })
  return names.every((name) => name !== undefined) ? names : undefined
}

type Member = Extract<Node, { type: 'MemberExpression' }>

function propertyName(member: Member, object: Node): [string] | undefined {
  if (member.object !== object) return undefined
  const { property, computed } = member
  if (property.type === 'Identifier' && !computed) return [property.name]
  return property.type === 'Literal' && typeof property.value === 'string' ? [property.value] : undefined
}

/** Syntax that leaves no trace at run time; the other `TS…` nodes hold expressions. */
const erased =
  /^TS(?!As|Satisfies|NonNull|TypeAssertion|Instantiation|Enum|Module|Parameter|Export|Import|Abstract|Qualified)/

/**
 * The members of `local` that a scope uses, or undefined when `local` is used in any other way, or declared again.
 * No scope analysis: every identifier of that name counts as ours, which can only keep more.
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
    return children(node).some((child) => !isPlainKey(node, child) && escapes(child))
  }
  return escapes(scope) ? undefined : names
}

/** `x.kit` and `{ kit: 1 }` mention a name and refer to nothing. */
function isPlainKey(node: Node, child: Node): boolean {
  if (!('computed' in node) || node.computed) return false
  return ('property' in node && node.property === child) || ('key' in node && node.key === child)
}

import { keyName, nameOfBinding } from '../../../source/reachable-names.js'
import { parseCode, walk, type Node } from '../../../source/syntax.js'

/** An expression in a configuration, as far as its text alone determines it. */
export type Value =
  | { kind: 'literal'; value: unknown }
  | { kind: 'pattern'; value: RegExp }
  /** Relative to the folder of the configuration: `fileURLToPath(new URL('./src', import.meta.url))`. */
  | { kind: 'path'; value: string }
  | { kind: 'list'; items: readonly Value[] }
  | { kind: 'object'; entries: ReadonlyMap<string, Value> }
  /** An export of a package. With `args`, it is called or created with `new`. */
  | { kind: 'export'; from: string; name: string; args?: readonly Value[] }
  | { kind: 'unknown' }

export type ObjectValue = Extract<Value, { kind: 'object' }>

export interface ConfigText {
  /** The packages that the file imports. */
  imports: ReadonlySet<string>
  /** The export of the file. */
  exported: Value
  /** Returns the arguments of calls to an export of a package, such as `build` of `esbuild`. */
  callsOf(from: string, names: readonly string[]): Value[]
}

const unknown: Value = { kind: 'unknown' }

/** Reads a configuration without running it. Values that depend on run time are unknown. */
export function readConfigText(code: string, file: string): ConfigText | undefined {
  const program = parseCode(code, file)
  if (program?.type !== 'Program') return undefined
  const names = new Map<string, Value>()
  const imports = new Set<string>()
  const nodes = [...walk(program, [])].map(([node]) => node)
  // The key and the value of `{ plugins }` have the same position.
  const places = new Map(
    nodes.flatMap((node) => (node.type === 'Identifier' ? [[node.start, node.name] as const] : [])),
  )
  const counts = new Map<string, number>()
  for (const name of places.values()) counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const node of nodes) {
    const from = node.type === 'CallExpression' ? requiredBy(node) : undefined
    if (from !== undefined) imports.add(from)
  }
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      const from = node.source.value
      imports.add(from)
      for (const one of node.specifiers) {
        const name = one.type === 'ImportSpecifier' ? nameOfBinding(one.imported) : 'default'
        names.set(one.local.name, { kind: 'export', from, name })
      }
    }
    // A variable that may change later isn't a constant.
    if (node.type !== 'VariableDeclaration' || node.kind !== 'const') continue
    for (const { id, init } of node.declarations) {
      const value = init ? valueOf(init) : unknown
      // Any other mention of an object may change it: `plugins.push()`.
      const isChanged =
        /^(?:object|list)$/.test(value.kind) && id.type === 'Identifier' && (counts.get(id.name) ?? 0) > 2
      if (id.type === 'Identifier') names.set(id.name, isChanged ? unknown : value)
      if (id.type !== 'ObjectPattern' || value.kind !== 'export') continue
      for (const one of id.properties) {
        const name = one.type === 'Property' && keyName(one.key, one.computed)
        if (name && one.value.type === 'Identifier') names.set(one.value.name, { ...value, name })
      }
    }
  }

  return {
    imports,
    exported: exportedValue(program.body),
    callsOf: (from, wanted) =>
      nodes.flatMap((node) => {
        const value = node.type === 'CallExpression' ? valueOf(node) : unknown
        return value.kind === 'export' && value.from === from && wanted.includes(value.name)
          ? [value.args?.[0] ?? unknown]
          : []
      }),
  }

  function exportedValue(body: readonly Node[]): Value {
    for (const node of body) {
      if (node.type === 'ExportDefaultDeclaration') return returned(node.declaration)
      if (node.type !== 'ExpressionStatement' || node.expression.type !== 'AssignmentExpression') continue
      const { left, right } = node.expression
      if (code.slice(left.start, left.end) === 'module.exports') return returned(right)
    }
    return unknown
  }

  /** Returns the value of an expression, or of a function that only returns one. */
  function returned(node: Node): Value {
    if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement') return valueOf(node.body)
    const body = 'body' in node && /Function/.test(node.type) && node.body && 'body' in node.body ? node.body.body : []
    const [only] = Array.isArray(body) && body.length === 1 ? body : []
    if (only?.type === 'ReturnStatement' && only.argument) return valueOf(only.argument)
    return valueOf(node)
  }

  function valueOf(node: Node): Value {
    switch (node.type) {
      case 'Literal':
        return node.value instanceof RegExp
          ? { kind: 'pattern', value: node.value }
          : { kind: 'literal', value: node.value }
      case 'Identifier':
        return names.get(node.name) ?? unknown
      case 'ArrayExpression':
        return { kind: 'list', items: node.elements.map((one) => (one ? valueOf(one) : unknown)) }
      case 'ObjectExpression':
        return objectOf(node)
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        return valueOf(node.expression)
      case 'MemberExpression': {
        const object = valueOf(node.object)
        const name = keyName(node.property, node.computed)
        // A member of a whole package: `webpack.DefinePlugin`.
        return object.kind === 'export' && object.args === undefined && name !== undefined
          ? { ...object, name: name === 'default' ? object.name : `${object.name}.${name}` }
          : unknown
      }
      case 'NewExpression':
      case 'CallExpression':
        return madeBy(node)
      default:
        return unknown
    }
  }

  function objectOf(node: Extract<Node, { type: 'ObjectExpression' }>): Value {
    const entries = new Map<string, Value>()
    for (const one of node.properties) {
      const name = one.type === 'Property' ? keyName(one.key, one.computed) : undefined
      if (one.type !== 'Property' || name === undefined || one.kind !== 'init') return unknown
      entries.set(name, valueOf(one.value))
    }
    return { kind: 'object', entries }
  }

  function madeBy(node: Extract<Node, { type: 'NewExpression' | 'CallExpression' }>): Value {
    const from = node.type === 'CallExpression' ? requiredBy(node) : undefined
    if (from !== undefined) return { kind: 'export', from, name: 'default' }
    const text = code.slice(node.start, node.end)
    const [, folder] =
      /^(?:fileURLToPath\()?new URL\(\s*['"](\.[^'"]*)['"],\s*import\.meta\.url\s*\)(?:\.pathname|\))?$/.exec(text) ??
      /^(?:path\.)?(?:resolve|join)\(\s*(?:__dirname|import\.meta\.dirname),\s*['"]([^'"]+)['"],?\s*\)$/.exec(text) ??
      []
    if (folder !== undefined) return { kind: 'path', value: folder }
    const callee = valueOf(node.callee)
    if (callee.kind !== 'export' || callee.args !== undefined) return unknown
    const args = node.arguments.map((one) => returned(one))
    // These functions return their argument.
    if (callee.name === 'defineConfig') return args[0] ?? unknown
    return { ...callee, args }
  }
}

function requiredBy(node: Extract<Node, { type: 'CallExpression' }>): string | undefined {
  const [first] = node.arguments
  const isRequire = node.callee.type === 'Identifier' && node.callee.name === 'require'
  return isRequire && first?.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined
}

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript5'
import { createImporter } from 'unplugin-content-space'
import { expect, test } from 'vitest'
import { check, project } from './tsc.js'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const methods = [
  'appIcons',
  'audit',
  'close',
  'diff',
  'kit',
  'kits',
  'mergeUsage',
  'mirror',
  'pull',
  'refresh',
  'sync',
  'tokens',
  'usage',
  'verify',
  'versions',
]
/** Methods that only bundlers use. */
const hidden = ['parse', 'module', 'file', 'value', 'prepare', 'finish', 'options']

test('exports every type in a public signature', () => {
  expect(unexportedTypes(join(dist, 'index.d.ts'))).toEqual([])
})

test('has declarations that refer only to what they declare', () => {
  const program = ts.createProgram([join(dist, 'index.d.ts')], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: ['node'],
  })
  const found = program
    .getSourceFiles()
    .filter(isOwn)
    .flatMap((file) => program.getSemanticDiagnostics(file))
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([])
})

test('publishes an importer without the methods that only bundlers use', async () => {
  const root = await mkdtemp(join(tmpdir(), 'api-'))
  const importer = await createImporter({ space: '.', cacheDir: 'cache' }, { root, env: {} })
  expect(Object.keys(importer).toSorted()).toEqual(methods)
  await importer.close()
  const folder = await project({
    'api.ts': [
      "import type { Importer } from 'unplugin-content-space'",
      'declare const importer: Importer',
      ...methods.map((method) => `void importer.${method}`),
      ...hidden.map((method) => `void importer.${method}`),
    ].join('\n'),
  })
  const errors = await check(folder, 'TypeScript 7', 'bundler')
  const internal = errors.filter((error) => error.startsWith('api.ts'))
  expect(internal).toEqual(hidden.map((_, at) => `api.ts:${methods.length + at + 3} TS2339`))
  await Promise.all([root, folder].map((path) => rm(path, { recursive: true, force: true })))
})

/**
 * Returns the names of this package's types to which exported declarations refer although the entry doesn't export
 * them.
 */
function unexportedTypes(entry: string): string[] {
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
  })
  const checker = program.getTypeChecker()
  const resolve = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const file = program.getSourceFile(entry)
  const module = file && checker.getSymbolAtLocation(file)
  const exported = new Set(module && checker.getExportsOfModule(module).map(resolve))
  const visited = new Set<ts.Symbol>()
  const unexported = new Set<string>()

  function visitSymbol(symbol: ts.Symbol): void {
    if (visited.has(symbol)) return
    visited.add(symbol)
    for (const declaration of symbol.declarations ?? []) if (isOwn(declaration)) visit(declaration)
  }

  function visit(node: ts.Node): void {
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined
    const found = name && checker.getSymbolAtLocation(name)
    const symbol = found && resolve(found)
    const [declaration] = symbol?.declarations ?? []
    if (symbol && declaration && isOwn(declaration) && !ts.isTypeParameterDeclaration(declaration)) {
      if (!exported.has(symbol)) unexported.add(symbol.name)
      visitSymbol(symbol)
    }
    ts.forEachChild(node, visit)
  }

  exported.forEach(visitSymbol)
  return [...unexported].toSorted()
}

function isOwn(node: ts.Node): boolean {
  return node.getSourceFile().fileName.startsWith(dist.replaceAll('\\', '/'))
}

test('declarations import only packages that the package declares, because others may not be reachable', async () => {
  const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(
    await readFile(join(dist, '../package.json'), 'utf8'),
  )
  const declared = ['unplugin-content-space', 'content-space:kit'].concat(
    Object.keys({ ...manifest['dependencies'], ...manifest['peerDependencies'] }),
  )
  const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith('.d.ts'))
  const texts = await Promise.all(files.map((file) => readFile(join(dist, file), 'utf8')))
  const imported = texts.flatMap((text) => [...text.matchAll(/(?:\bfrom |\bimport\()'([^'.][^']*)'/g)])
  const packages = new Set(imported.map(([, id = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id))
  const others = [...packages].filter((name) => !name.startsWith('node:') && !declared.includes(name))
  expect(others).toEqual([])
})

import { runtimePath, type RuntimeExport, type RuntimeName } from '../components/runtimes.js'
import type { FileDescriptor, ValueDescriptor } from '../files/plan.js'
import { code, identifier, literal, type Code } from './literal.js'

/** An expression in generated code, and the import that it needs, if any. */
export interface Expression {
  code: string
  import?: Import & { local: string }
}

interface Import {
  from: string
  /** The exported name. By default, the default export. False for a style sheet, which doesn't export anything. */
  exported?: string | false
  /** Set if the bundler's configuration doesn't specify how to load the file. */
  loader?: 'file'
}

/** The import statements that expressions need, by local name. */
export type Imports = Map<string, Import>

export function addImport({ import: needed }: Expression, imports: Imports): void {
  if (needed) imports.set(needed.local, needed)
}

/**
 * Returns the code of an expression.
 * @param imports collects the import that the expression needs
 */
export function embed(expression: Expression, imports: Imports): Code {
  addImport(expression, imports)
  return code(expression.code)
}

export function importLines(imports: Imports): string {
  const lines = [...imports].map(([local, { from, exported, loader }]) => {
    if (exported === false) return `import ${literal(from)}\n`
    const names = exported === undefined ? local : `{ ${identifier(exported)} as ${local} }`
    const attributes = loader === undefined ? '' : ` with { loader: ${literal(loader)} }`
    return `import ${names} from ${literal(from)}${attributes}\n`
  })
  return lines.join('')
}

/** How the code that is generated for a bundler refers to files. Each bundler family implements it. */
export interface References {
  /** Returns the URL of a file: a mark to be replaced later, an import of a stub, or a URL of the dev server. */
  address(file: FileDescriptor): Expression
  /** Returns a string made from the bytes of a file: a mark to be replaced later, or a literal. */
  value(value: ValueDescriptor): Promise<Expression>
  /**
   * Returns an export of a framework's runtime, which bundlers build together with the components.
   * @default imports the file in this package, as if it returned undefined
   */
  runtime?(this: void, name: RuntimeName, exported: RuntimeExport): Expression | undefined
  /**
   * Whether picture components import their style sheet, which requires all projects to build style sheets. `package`
   * imports it by its package name, for tools that accept style sheets only from packages.
   */
  pictureStyles?: true | 'package'
  /**
   * `flat`: one module with all assets, for dev servers. `barrel`: re-exports of asset modules, for builds. `whole`:
   * like `flat`, for environments that can't import other content modules.
   */
  layout: 'flat' | 'barrel' | 'whole'
  /** Whether files can be emitted to the root of the output under their own names. By default, they can. */
  rootFiles?: false
  /** The option `darkMode`. @default 'media' */
  darkMode?: string
  /** Whether a placeholder is also available under the property name that Next.js's `<Image>` reads. */
  blurDataURL?: true
  /** Writes CommonJS instead of ES modules. Requires layout `whole` and URLs that don't need an import. */
  commonJs?: boolean
}

/** The settings of modules for Next.js. All of its routers let a component import a style sheet from a package. */
export const ofNext = { rootFiles: false, blurDataURL: true, pictureStyles: 'package' } as const

/**
 * Imports a runtime.
 * @param from the runtime's file; by default, the file in this package
 */
export function importRuntime(name: RuntimeName, exported: RuntimeExport, from = runtimePath(name)): Expression {
  const local = `runtime$${exported}`
  return { code: local, import: { local, from, exported } }
}

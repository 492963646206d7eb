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
  /** Default: the default export. False for a style sheet, which doesn't export anything. */
  exported?: string | false
  /** Set if the bundler's configuration doesn't say how to load the file. */
  loader?: 'file'
}

/** Import statements that expressions need, by local name. */
export type Imports = Map<string, Import>

export function addImport({ import: needed }: Expression, imports: Imports): void {
  if (needed) imports.set(needed.local, needed)
}

/** Returns the code of an expression. @param imports receives the import that it needs */
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

/** How the generated code of a bundler refers to files. Each bundler family implements it. */
export interface References {
  /** Returns the address of a file: a token, an import of a stub, or a URL of the dev server. */
  address(file: FileDescriptor): Expression
  /** Returns a string made from the bytes of a file: a token to replace later, or a literal. */
  value(value: ValueDescriptor): Promise<Expression>
  /**
   * Returns an export of a framework's runtime, which bundlers build with the components.
   * @default imports the file in this package, as undefined does
   */
  runtime?(this: void, name: RuntimeName, exported: RuntimeExport): Expression | undefined
  /**
   * Whether components of pictures import their style sheet, which requires that all projects build style sheets.
   * `package` imports it by its package name, for tools that accept style sheets only from packages.
   */
  pictureStyles?: true | 'package'
  /**
   * `flat`: one module with all assets, for dev servers. `barrel`: re-exports of asset modules, for builds. `whole`:
   * like `flat`, for places that can't import other modules of content.
   */
  layout: 'flat' | 'barrel' | 'whole'
  /** Whether files can be in the root of the output under names of their own. Default: true. */
  rootFiles?: false
  /** Option `darkMode`. @default 'media' */
  darkMode?: string
  /** Whether a placeholder also has the property name that `<Image>` of Next.js reads. */
  blurDataURL?: true
  /** Writes CommonJS instead of ES modules. Requires layout `whole`, and addresses that don't need an import. */
  commonJs?: boolean
}

/**
 * The settings of modules for Next.js. Every router of Next.js accepts a style sheet in a component if it is imported
 * from a package.
 */
export const ofNext = { rootFiles: false, blurDataURL: true, pictureStyles: 'package' } as const

/**
 * Imports a runtime.
 * @param from its file; default: the file in this package
 */
export function importRuntime(name: RuntimeName, exported: RuntimeExport, from = runtimePath(name)): Expression {
  const local = `runtime$${exported}`
  return { code: local, import: { local, from, exported } }
}

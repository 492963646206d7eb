import type { FileDescriptor, ValueDescriptor } from '../files/plan.js'

/** An expression in generated code, and the import it needs, if any. */
export interface Expression {
  code: string
  import?: { local: string; from: string }
}

/** How generated code of one bundler refers to what is made of bytes. Each bundler family brings one. */
export interface References {
  /** The address of a file in the output: a token, an import of a stub, or an address of the dev server. */
  address(file: FileDescriptor): Expression
  /** A string made of the bytes: a token where it can be filled in late, else the literal itself. */
  value(value: ValueDescriptor): Promise<Expression>
  /** One module with every asset in it (dev servers), or one that re-exports asset modules (builds). */
  layout: 'flat' | 'barrel'
}

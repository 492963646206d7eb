import type { FileDescriptor, ValueDescriptor } from '../files/plan.js'

/** An expression in generated code, and the import that it needs, if any. */
export interface Expression {
  code: string
  import?: { local: string; from: string }
}

/** How the generated code of a bundler refers to files. Each bundler family has an implementation. */
export interface References {
  /** Returns the address of a file: a token, an import of a stub, or a URL of the dev server. */
  address(file: FileDescriptor): Expression
  /** Returns a string made from the bytes of a file: a token that is replaced later, or a literal. */
  value(value: ValueDescriptor): Promise<Expression>
  /** `flat`: one module with all assets, for dev servers. `barrel`: re-exports of asset modules, for builds. */
  layout: 'flat' | 'barrel'
  /** Writes CommonJS in place of ES modules. Only with layout `flat`, and with addresses that need no import. */
  commonJs?: boolean
}

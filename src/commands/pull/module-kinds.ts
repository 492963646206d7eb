/**
 * How the modules of a pulled kit refer to files: by an address relative to the module, by an import for bundlers
 * with an asset pipeline, or, in CommonJS, by absolute path.
 */
export const moduleKinds = ['url', 'import', 'cjs'] as const

export type ModuleKind = (typeof moduleKinds)[number]

import type { RuntimeName } from '../components/runtimes.js'
import { ContentSpaceError } from '../errors.js'
import { literal } from '../modules/literal.js'
import type { Expression } from '../modules/references.js'

/**
 * How modules on disk refer to files: by an address relative to the module, by an import for bundlers with an asset
 * pipeline, or, in CommonJS, by absolute path.
 */
export const moduleKinds = ['url', 'import', 'cjs'] as const

export type ModuleKind = (typeof moduleKinds)[number]

/** The kinds of `pull`, and `next`: `import` for pictures, because Next.js imports them, and `url` for other files. */
export type ReferenceKind = ModuleKind | 'next'

/** The pictures that Next.js imports. */
const nextPicture = /\.(?:avif|bmp|gif|ico|jpg|jpeg|png|svg|webp)$/

/**
 * Returns the address of a file that lies beside a module or below its folder.
 * @param path relative to the module: `./acme-logo.svg`
 * @param local the name of the variable that an import gets
 */
export function fileReference(path: string, kind: ReferenceKind, local: string): Expression {
  if (kind === 'url' || (kind === 'next' && !nextPicture.test(path)))
    return { code: `new URL(${literal(path)}, import.meta.url).href` }
  if (kind === 'cjs') return { code: `require("node:path").join(__dirname, ${literal(path)})` }
  // A picture is imported as its address in most bundlers, and as an object with `src` in Next.js. For bundlers,
  // reading a property may have side effects. The annotation allows them to drop it.
  return { code: `/* @__PURE__ */ ((file) => file.src ?? file)(${local})`, import: { local, from: path } }
}

/**
 * Checks that components can be modules of a kind. The files of Svelte and Astro contain ES imports.
 * @throws ContentSpaceError `invalidQuery`
 */
export function checkRuntime(name: RuntimeName, kind: ReferenceKind): void {
  const [framework] = /^(?:svelte|astro)/.exec(name) ?? []
  if (kind !== 'cjs' || framework === undefined) return
  throw new ContentSpaceError('invalidQuery', `as=${framework} cannot be written as CommonJS.`, {
    hint:
      'Pull ES modules: content-space pull with --module url or --module import. ' +
      'Jest gets CommonJS modules: test these components with Vitest.',
  })
}

import type { RuntimeName } from '../../components/runtimes.js'
import { ContentSpaceError } from '../../errors.js'
import { literal } from '../../modules/literal.js'
import type { Expression } from '../../modules/references.js'

/**
 * How modules on disk refer to files: by a URL relative to the module, by an import for bundlers with an asset
 * pipeline, in CommonJS by an absolute path, or by a `require` that Metro replaces with the number of the file.
 */
export const moduleKinds = ['url', 'import', 'cjs', 'react-native'] as const

export type ModuleKind = (typeof moduleKinds)[number]

/**
 * The kind `angular` is like `import`, but modules specify the file loader, so that Angular's configuration doesn't
 * have to.
 */
export type PulledKind = ModuleKind | 'angular'

/** The kinds of `pull`, plus `next`: `import` for pictures, because Next.js imports them, and `url` for other files. */
export type ReferenceKind = PulledKind | 'next'

const nextPicture = /\.(?:avif|bmp|gif|ico|jpg|jpeg|png|svg|webp)$/

/**
 * Returns the address of a file beside a module or in a subfolder.
 * @param path relative to the module: `./acme-logo.svg`
 * @param local the name of the variable for an import
 */
export function fileReference(path: string, kind: ReferenceKind, local: string): Expression {
  if (kind === 'url' || (kind === 'next' && !nextPicture.test(path)))
    return { code: `new URL(${literal(path)}, import.meta.url).href` }
  if (kind === 'cjs') return { code: `require("node:path").join(__dirname, ${literal(path)})` }
  if (kind === 'react-native') return { code: `require(${literal(path)})` }
  const loader = kind === 'angular' ? ({ loader: 'file' } as const) : {}
  // Most bundlers import a picture as its URL, but Next.js imports it as an object with `src`. The annotation lets
  // bundlers drop the call, which could otherwise have side effects.
  const read = kind === 'next' ? '(file) => file.src ?? file' : readAddress(path)
  return { code: `/* @__PURE__ */ (${read})(${local})`, import: { local, from: path, ...loader } }
}

/**
 * Returns code that reads the URL of an imported file, and that throws if a bundler rule of the project turned the file
 * into something else.
 */
function readAddress(path: string): string {
  const hint = 'because a rule of the bundler applies to it. Exclude its folder from the rule.'
  return (
    '(file) => { const src = file?.src ?? file; if (typeof src === "string" && !/^\\s*</.test(src)) return src; ' +
    `throw new TypeError(${literal(`${path} is not an address, ${hint}`)}) }`
  )
}

/**
 * Checks that components can be modules of a kind. Svelte and Astro files contain ES imports, and React Native doesn't
 * have HTML elements.
 * @throws ContentSpaceError `invalidQuery`
 */
export function checkRuntime(name: RuntimeName, kind: ReferenceKind): void {
  if (kind === 'react-native')
    throw new ContentSpaceError('invalidQuery', 'Components for the web cannot be modules of React Native.', {
      hint: 'Pull pictures, such as --query format=png, and render them with <Image source={logo.src} />.',
    })
  const [framework] = /^(?:svelte|astro)/.exec(name) ?? []
  if (kind !== 'cjs' || framework === undefined) return
  throw new ContentSpaceError('invalidQuery', `as=${framework} cannot be written as CommonJS.`, {
    hint:
      'Pull ES modules: npx content-space pull with --module url or --module import. ' +
      'Jest gets CommonJS modules: test these components with Vitest.',
  })
}

import { readFile } from 'node:fs/promises'
import type { OutputOptions } from 'rollup'
import type { References } from '../modules/references.js'
import { nameOfContent } from './references/file-names.js'

/** The output options of Rollup and Rolldown that name the files of modules. */
export type NamingOptions = Pick<OutputOptions, 'preserveModules' | 'sanitizeFileName'>

/** Characters that bundlers replace in file names. */
const INVALID = /[\p{Cc}"#$%&*+,:;<=>?[\]^`{|}]/gu

/** Replaces characters in a name as the bundler would. */
export function sanitizeName({ sanitizeFileName: sanitize = true }: NamingOptions, name: string): string {
  return typeof sanitize === 'function' ? sanitize(name) : sanitize ? name.replace(INVALID, '_') : name
}

/**
 * Names the files of content in outputs with one file per module, such as `content-space/hero-photo-1a2b3c4d.js`, and
 * puts runtimes beside them, such as `content-space/runtime-react.js`. Bundlers would use the whole id, which may be
 * too long for a file name.
 * @returns the changed options; null if they remain unchanged
 */
export function shortModuleNames<T extends NamingOptions>(options: T): T | null {
  if (!options.preserveModules) return null
  return {
    ...options,
    sanitizeFileName: (name: string) => {
      const [, runtime] = /content-space-runtime:([\w-]+)\.js$/.exec(name) ?? []
      if (runtime !== undefined) return `content-space/runtime-${runtime}`
      const [id] = /content-space:.*$/s.exec(name) ?? []
      if (id === undefined) return sanitizeName(options, name)
      return `content-space/${nameOfContent(id.slice(id.lastIndexOf('/') + 1), id)}`
    },
  }
}

/**
 * The prefix for ids of runtimes. A path of this package would match the option `external` of many libraries, such as
 * `/node_modules/`, and would affect where `preserveModules` puts all files of the output.
 */
const PREFIX = '\0content-space-runtime:'

export const RUNTIME_ID = /^\0content-space-runtime:[\w-]+\.js$/

/**
 * The packages that runtimes import. This list is separate so that bundler entries don't load the table of frameworks.
 */
export const PACKAGE = /^(?:preact|react|solid-js|vue)(?:\/|$)/

/** The result of resolving an import in Rollup-compatible bundlers. */
type Resolved = { id: string; external: boolean | 'absolute' } | null

interface ResolveContext {
  resolve(source: string, importer: string, options: { skipSelf: true }): Promise<Resolved>
}

/** Refers to runtimes by id, except for runtimes that a framework's compiler must build, which remain files. */
export const runtimeReference: NonNullable<References['runtime']> = (name, exported) => {
  if (/^(?:astro|svelte)\b/.test(name)) return undefined
  const local = `runtime$${exported}`
  return { code: local, import: { local, from: `${PREFIX}${name}.js`, exported } }
}

/** Returns the hooks that resolve and load runtimes by their ids in Rollup-compatible bundlers. */
export function runtimeHooks() {
  return {
    resolveId: {
      order: 'pre' as const,
      filter: { id: [RUNTIME_ID, PACKAGE] },
      async handler(this: ResolveContext, source: string, importer?: string) {
        if (RUNTIME_ID.test(source)) return { id: source, moduleSideEffects: false }
        if (!PACKAGE.test(source) || importer === undefined || !RUNTIME_ID.test(importer)) return null
        return this.resolve(source, await pathOfRuntime(importer), { skipSelf: true })
      },
    },
    load: {
      filter: { id: RUNTIME_ID },
      async handler(id: string) {
        if (!RUNTIME_ID.test(id)) return null
        const text = await readFile(await pathOfRuntime(id), 'utf8')
        const code = text.replace(/(?<=\bfrom ['"])\.\/(?=[\w-]+\.js['"])/g, '\\0content-space-runtime:')
        // An empty map keeps the code out of source maps.
        return { code, map: { mappings: '' as const } }
      },
    },
    /**
     * Silences Rollup's warning about `'use client'` in a runtime, because every build would repeat the warning. A
     * library keeps the directive only if it uses a plugin for that.
     */
    onLog(_level: string, { code, id }: { code?: string | undefined; id?: string | undefined }) {
      return code === 'MODULE_LEVEL_DIRECTIVE' && id !== undefined && RUNTIME_ID.test(id) ? false : undefined
    },
  }
}

async function pathOfRuntime(id: string): Promise<string> {
  const { runtimeFilePath } = await import('../components/runtimes.js')
  return runtimeFilePath(id.slice(PREFIX.length))
}

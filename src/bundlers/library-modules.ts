import { readFile } from 'node:fs/promises'
import type { OutputOptions } from 'rollup'
import type { References } from '../modules/references.js'
import { nameOfContent } from './references/file-names.js'

/** The output options that name the files of modules. Rollup and Rolldown have them. */
type NamingOptions = Pick<OutputOptions, 'preserveModules' | 'sanitizeFileName'>

/** Characters that bundlers replace in file names. */
const INVALID = /[\p{Cc}"#$%&*+,:;<=>?[\]^`{|}]/gu

/**
 * Names the files of content in outputs with one file for each module: `content-space/hero-photo-1a2b3c4d.js`.
 * Runtimes are beside them: `content-space/runtime-react.js`. Bundlers would take the whole id, which may be longer
 * than a file name can be.
 * @returns the options, or null if they stay as they are
 */
export function shortModuleNames<T extends NamingOptions>(options: T): T | null {
  const { preserveModules, sanitizeFileName: sanitize = true } = options
  if (!preserveModules) return null
  const others = (name: string): string =>
    typeof sanitize === 'function' ? sanitize(name) : sanitize ? name.replace(INVALID, '_') : name
  return {
    ...options,
    sanitizeFileName: (name: string) => {
      const [, runtime] = /content-space-runtime:([\w-]+)\.js$/.exec(name) ?? []
      if (runtime !== undefined) return `content-space/runtime-${runtime}`
      const [id] = /content-space:.*$/s.exec(name) ?? []
      if (id === undefined) return others(name)
      return `content-space/${nameOfContent(id.slice(id.lastIndexOf('/') + 1), id)}`
    },
  }
}

/**
 * The prefix of ids of runtimes. Paths of this package would match option `external` of many libraries, such as
 * `/node_modules/`, and would decide where `preserveModules` puts all files of the output.
 */
const PREFIX = '\0content-space-runtime:'

const RUNTIME_ID = /^\0content-space-runtime:[\w-]+\.js$/

/** Packages that runtimes import. A list of its own, so that entries of bundlers load no table of frameworks. */
const PACKAGE = /^(?:preact|react|solid-js|vue)(?:\/|$)/

/** The result of resolving an import in Rollup and its relatives. */
type Resolved = { id: string; external: boolean | 'absolute' } | null

interface ResolveContext {
  resolve(source: string, importer: string, options: { skipSelf: true }): Promise<Resolved>
}

/** Refers to runtimes by ids. Those that a compiler of a framework must build stay files. */
export const runtimeReference: NonNullable<References['runtime']> = (name, exported) => {
  if (/^(?:astro|svelte)\b/.test(name)) return undefined
  const local = `runtime$${exported}`
  return { code: local, import: { local, from: `${PREFIX}${name}.js`, exported } }
}

/** Returns the hooks of Rollup and its relatives that resolve and load runtimes by their ids. */
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
        // An empty map keeps the code out of the source maps.
        return { code, map: { mappings: '' as const } }
      },
    },
    /** A library keeps the directive only with a plugin for it. Rollup would warn of it in every build. */
    onLog(_level: string, { code, id }: { code?: string | undefined; id?: string | undefined }) {
      return code === 'MODULE_LEVEL_DIRECTIVE' && id !== undefined && RUNTIME_ID.test(id) ? false : undefined
    },
  }
}

async function pathOfRuntime(id: string): Promise<string> {
  const { runtimeFilePath } = await import('../components/runtimes.js')
  return runtimeFilePath(id.slice(PREFIX.length))
}

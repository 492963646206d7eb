import { posix } from 'node:path'
import type { RenderedChunk } from 'rollup'
import type { ResolvedOptions } from '../config/options.js'
import type { FileDescriptor } from '../files/plan.js'
import type { Adapter } from './plugin.js'
import type { Session } from './session/session.js'
import { openTokens, type Tokens } from './references/tokens.js'

/** The output options that Rollup, Rolldown and all versions of Vite have. */
interface Output {
  format: string
}

type Chunk = Pick<RenderedChunk, 'fileName'>

interface Context {
  meta: { watchMode: boolean }
  info(message: string): void
  warn(message: string): void
}

interface Emitter {
  emitFile(file: { type: 'asset'; name: string; source: Uint8Array }): string
  getFileName(reference: string): string
}

/** Returns the JavaScript expression for the address of an emitted file. */
type WriteAddress = (
  file: { name: string; reference: string },
  chunk: Chunk,
  output: Output,
  options: ResolvedOptions,
) => string

/**
 * Returns the hooks that emit files when chunks are rendered: the only phase in which Rollup and its relatives have
 * removed unused code and still accept files.
 */
export function emissionHooks(session: Session, tokens: Tokens, writeAddress: WriteAddress) {
  const filesToOmit = new Set<string>()

  return {
    renderChunk: {
      // Before minifiers, and before Vite replaces its own tokens.
      order: 'pre' as const,
      async handler(this: Emitter, code: string, chunk: Chunk, output: Output) {
        const text = await tokens.replace(code, output.format === 'es' ? 'module' : 'script', async (target) => {
          if ('value' in target) {
            const literal = await session.literal(target.value)
            return () => literal
          }
          const { options } = await session.importer()
          const bytes = await session.file(target.file)
          return () => {
            const reference = emitBytes(this, target.file, bytes)
            const name = this.getFileName(reference)
            if (!options.emitFiles) filesToOmit.add(name)
            return writeAddress({ name, reference }, chunk, output, options)
          }
        })
        return text && { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) }
      },
    },
    generateBundle(_output: Output, bundle: object) {
      // With `emitFiles: false`, files are emitted and removed here, because the bundler makes names from bytes, and
      // the names must be those of the client build.
      for (const file of filesToOmit) Reflect.deleteProperty(bundle, file)
    },
    writeBundle: () => session.finish(),
    async closeBundle() {
      if (session.host.command !== 'watch') await session.close()
    },
    closeWatcher: () => session.close(),
  }
}

/** @returns the bundler's reference to the emitted file */
export function emitBytes(emitter: Pick<Emitter, 'emitFile'>, file: FileDescriptor, source: Uint8Array): string {
  return emitter.emitFile({ type: 'asset', name: `${file.name}.${file.ext}`, source })
}

/** The adapter of Rollup and Rolldown. */
export function rollupAdapter(session: Session): Adapter {
  const tokens = openTokens()
  let platformIsNode = false
  const hooks = {
    ...emissionHooks(session, tokens, ({ name }, { fileName }, { format }, { publicPath }) => {
      if (publicPath !== undefined) return JSON.stringify(joinUrl(publicPath, encodePath(name)))
      if (format === 'cjs' || platformIsNode) session.warnOfFileUrls()
      return relativeUrl(encodePath(posix.relative(posix.dirname(fileName), name)), format)
    }),
    buildStart(this: Context, input: object) {
      session.configure({
        // Rolldown has the option `cwd`. Rollup always works in the working directory.
        root: 'cwd' in input && typeof input.cwd === 'string' ? input.cwd : process.cwd(),
        command: this.meta.watchMode ? 'watch' : 'build',
        log: { info: (message) => this.info(message), warn: (message) => this.warn(message) },
      })
      platformIsNode = 'platform' in input && input.platform === 'node'
    },
  }
  return { prefix: '\0', references: () => tokens.references, options: { rollup: hooks, rolldown: hooks } }
}

export function joinUrl(base: string, path: string): string {
  return base.endsWith('/') || base === '' ? base + path : `${base}/${path}`
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/**
 * Returns an expression that resolves a path against the address of the running chunk. The format of the chunk decides
 * how code gets this address.
 */
function relativeUrl(path: string, format: string): string {
  const relative = JSON.stringify(path)
  if (format === 'es') return `new URL(${relative}, import.meta.url).href`
  const node = `new URL(${relative}, require("node:url").pathToFileURL(__filename)).href`
  if (format === 'cjs') return node
  if (format === 'system') return `new URL(${relative}, module.meta.url).href`
  const page = `new URL(${relative}, document.currentScript && document.currentScript.src || document.baseURI).href`
  const worker = `new URL(${relative}, location.href).href`
  return `(typeof document === "object" ? ${page} : typeof location === "object" ? ${worker} : ${node})`
}

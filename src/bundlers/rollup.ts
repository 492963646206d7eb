import { posix } from 'node:path'
import type { RenderedChunk } from 'rollup'
import type { FileDescriptor } from '../files/plan.js'
import { contentLiteral } from '../modules/literal.js'
import type { ResolvedOptions } from '../config/options.js'
import type { Adapter } from './plugin.js'
import type { Session } from './session.js'
import { openTokens, type Tokens } from './tokens.js'

/** What Rollup, Rolldown and both generations of Vite share of an output's options. */
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

/** The JavaScript for the address of an emitted file. */
type Address = (
  file: { name: string; reference: string },
  chunk: Chunk,
  output: Output,
  options: ResolvedOptions,
) => string

/**
 * Hooks that emit what survived tree-shaking, in the one phase in which rollup-likes know it and still accept files.
 */
export function emission(session: Session, tokens: Tokens, address: Address) {
  const unwanted = new Set<string>()

  return {
    renderChunk: {
      // before minifiers, and before Vite looks for its own tokens
      order: 'pre' as const,
      async handler(this: Emitter, code: string, chunk: Chunk, output: Output) {
        const text = await tokens.fill(code, output.format === 'es' ? 'module' : 'script', async (slot) => {
          if ('value' in slot) {
            const value = contentLiteral(await session.value(slot.value))
            return () => value
          }
          const { options } = await session.importer()
          const source = await session.file(slot.file)
          return () => {
            const reference = emitBytes(this, slot.file, source)
            const name = this.getFileName(reference)
            if (!options.emitFiles) unwanted.add(name)
            return address({ name, reference }, chunk, output, options)
          }
        })
        return text && { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) }
      },
    },
    generateBundle(_output: Output, bundle: object) {
      // Emitted all the same: the bundler gives names from bytes, and the client build must give the same.
      for (const file of unwanted) Reflect.deleteProperty(bundle, file)
    },
    writeBundle: () => session.finish(),
    async closeBundle() {
      if (session.host.command !== 'watch') await session.close()
    },
    closeWatcher: () => session.close(),
  }
}

export function emitBytes(emitter: Pick<Emitter, 'emitFile'>, file: FileDescriptor, source: Uint8Array): string {
  return emitter.emitFile({ type: 'asset', name: `${file.name}.${file.ext}`, source })
}

/** The family of Rollup and Rolldown. */
export function rollupAdapter(session: Session): Adapter {
  const tokens = openTokens()
  const emitting = emission(session, tokens, ({ name }, { fileName }, { format }, { publicPath }) => {
    if (publicPath !== undefined) return JSON.stringify(joinUrl(publicPath, encodePath(name)))
    if (format === 'cjs' || forNode) session.warnOfFileAddresses()
    return relativeAddress(encodePath(posix.relative(posix.dirname(fileName), name)), format)
  })
  let forNode = false
  const hooks = {
    ...emitting,
    buildStart(this: Context, input: object) {
      session.configure({
        // Rolldown's; the root of Rollup is the working directory.
        root: 'cwd' in input && typeof input.cwd === 'string' ? input.cwd : process.cwd(),
        command: this.meta.watchMode ? 'watch' : 'build',
        log: { info: (message) => this.info(message), warn: (message) => this.warn(message) },
      })
      forNode = 'platform' in input && input.platform === 'node'
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

/** What a chunk of a format calls itself, so that a path relative to it becomes an address. */
function relativeAddress(path: string, format: string): string {
  const relative = JSON.stringify(path)
  if (format === 'es') return `new URL(${relative}, import.meta.url).href`
  const node = `new URL(${relative}, require("node:url").pathToFileURL(__filename)).href`
  if (format === 'cjs') return node
  if (format === 'system') return `new URL(${relative}, module.meta.url).href`
  const page = `new URL(${relative}, document.currentScript && document.currentScript.src || document.baseURI).href`
  const worker = `new URL(${relative}, location.href).href`
  return `(typeof document === "object" ? ${page} : typeof location === "object" ? ${worker} : ${node})`
}

import { posix } from 'node:path'
import type { RenderedChunk } from 'rollup'
import type { FileDescriptor } from '../files/plan.js'
import type { Family } from './plugin.js'
import type { Session } from './session.js'
import { fillTokens, tokenReferences } from './tokens.js'

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
type Address = (emitter: Emitter, reference: string, chunk: Chunk, output: Output) => string

/** Hooks that emit what survived tree-shaking: the one phase in which rollup-likes know it and still accept files. */
export function emission(session: Session, address: Address) {
  const emitted = new Set<string>()

  return {
    renderChunk: {
      // before minifiers, and before Vite looks for its own tokens
      order: 'pre' as const,
      async handler(this: Emitter, code: string, chunk: Chunk, output: Output) {
        const text = await fillTokens(code, output.format === 'es' ? 'module' : 'script', async (slot) => {
          if ('value' in slot) {
            const value = JSON.stringify(await session.value(slot.value))
            return () => value
          }
          const source = await session.file(slot.file)
          return () => {
            const reference = this.emitFile({ type: 'asset', name: outputName(slot.file), source })
            emitted.add(this.getFileName(reference))
            return address(this, reference, chunk, output)
          }
        })
        return text && { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) }
      },
    },
    generateBundle(_output: Output, bundle: object) {
      if (session.options.emitFiles !== false) return
      // Emitted all the same: the bundler gives names from bytes, and the client build must give the same.
      for (const file of emitted) Reflect.deleteProperty(bundle, file)
    },
    writeBundle: () => session.finish(),
    async closeBundle() {
      if (session.host.command === 'build') await session.close()
    },
    closeWatcher: () => session.close(),
  }
}

function outputName(file: FileDescriptor): string {
  return `${file.name}.${file.ext}`
}

/** The family of Rollup and Rolldown. */
export function rollupFamily(session: Session): Family {
  const { publicPath } = session.options
  const hooks = {
    ...emission(session, (emitter, reference, { fileName }, { format }) => {
      const file = emitter.getFileName(reference)
      if (publicPath !== undefined) return JSON.stringify(joinUrl(publicPath, encodePath(file)))
      if (format === 'cjs') session.warnOfFileAddresses()
      return relativeAddress(encodePath(posix.relative(posix.dirname(fileName), file)), format)
    }),
    buildStart(this: Context, input: object) {
      session.configure({
        command: this.meta.watchMode ? 'watch' : 'build',
        log: { info: (message) => this.info(message), warn: (message) => this.warn(message) },
      })
      if ('platform' in input && input.platform === 'node' && publicPath === undefined) session.warnOfFileAddresses()
    },
  }
  return { prefix: '\0', references: () => tokenReferences, options: { rollup: hooks, rolldown: hooks } }
}

function joinUrl(base: string, path: string): string {
  return base.endsWith('/') || base === '' ? base + path : `${base}/${path}`
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** What a chunk of a format calls itself, so that a path relative to it becomes an address. */
function relativeAddress(path: string, format: string): string {
  const literal = JSON.stringify(path)
  if (format === 'es') return `new URL(${literal}, import.meta.url).href`
  const node = `new URL(${literal}, require("node:url").pathToFileURL(__filename)).href`
  if (format === 'cjs') return node
  if (format === 'system') return `new URL(${literal}, module.meta.url).href`
  const page = `new URL(${literal}, document.currentScript && document.currentScript.src || document.baseURI).href`
  const worker = `new URL(${literal}, location.href).href`
  return `(typeof document === "object" ? ${page} : typeof location === "object" ? ${worker} : ${node})`
}

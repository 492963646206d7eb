import { createHash } from 'node:crypto'
import type { FileDescriptor } from '../files/plan.js'
import type { Expression, References } from '../modules/references.js'
import type { Session } from './session.js'

const TYPE = 'application/x-content-space'
const PREFIX = `data:${TYPE};base64,`

/** A file as text, which stands in an import and is all that is needed to make the file. */
export function describe(file: FileDescriptor): string {
  return Buffer.from(JSON.stringify(file)).toString('base64url')
}

export function readDescription(text: string): FileDescriptor {
  return readStub(Buffer.from(text, 'base64url'))
}

export function importStub(from: string): Expression {
  const local = `file_${createHash('sha256').update(from).digest('hex').slice(0, 12)}`
  return { code: local, import: { local, from } }
}

/**
 * References of webpack and Rspack: an asset module imports its file as a `data:` address that holds the description.
 * So the stub needs no place on disk, has the same module id on every machine, and survives any cache.
 */
export function stubReferences(session: Session): References {
  return {
    layout: 'barrel',
    address: (file) => importStub(PREFIX + describe(file)),
    value: async (value) => ({ code: JSON.stringify(await session.value(value)) }),
  }
}

/** Whether an emitted asset, by its source as the bundler tells it, still is a description. */
export function isStub(source: string | undefined): boolean {
  return source !== undefined && source.startsWith(PREFIX)
}

/** @param bytes of an emitted asset that `isStub` */
export function readStub(bytes: Uint8Array): FileDescriptor {
  const file: FileDescriptor = JSON.parse(Buffer.from(bytes).toString())
  return file
}

/** What both hand to a naming function; `filename` is the source's. */
interface PathData {
  filename?: string
}

/**
 * The rule that makes files of descriptions, named as the configuration names asset modules.
 * @param template `output.assetModuleFilename`, when it is needed: it is not known when plugins are applied
 * @param publicPath stands before the addresses of these files only
 */
export function stubRule(template: () => unknown, publicPath: string | undefined): object {
  return {
    mimetype: TYPE,
    type: 'asset/resource',
    // An address that is imported and not used is no reason for a file.
    sideEffects: false,
    generator: {
      filename: (path: PathData, info: unknown) => fileName(template(), path, info),
      ...(publicPath === undefined ? {} : { publicPath }),
    },
  }
}

/** A `data:` address has no name: what a template takes from the source's path is filled in here, the rest by the bundler. */
function fileName(template: unknown, path: PathData, info: unknown): string {
  const { name, ext } = readDescription((path.filename ?? '').slice(PREFIX.length))
  const base = `${name}.${ext}`
  const text: unknown = typeof template === 'function' ? template({ ...path, filename: base }, info) : template
  const parts: Record<string, string> = { name, ext: `.${ext}`, base, file: base, path: '', query: '', fragment: '' }
  return (typeof text === 'string' ? text : '[hash][ext]')
    .replace(/\[(name|ext|base|file|path|query|fragment)\]/g, (_, part: string) => parts[part] ?? '')
    // `hash` is that of the description; Rspack replaces only this one by that of the bytes.
    .replaceAll('[hash', '[contenthash')
}

import { createHash } from 'node:crypto'
import type { FileDescriptor } from '../files/plan.js'
import type { References } from '../modules/references.js'
import type { Session } from './session.js'

const TYPE = 'application/x-content-space'
const PREFIX = `data:${TYPE};base64,`

/**
 * References of webpack and Rspack: an asset module imports its file as a `data:` address that holds the description.
 * So the stub needs no place on disk, has the same module id on every machine, and survives any cache.
 */
export function stubReferences(session: Session): References {
  return {
    layout: 'barrel',
    address(file) {
      const text = Buffer.from(JSON.stringify(file)).toString('base64url')
      const local = `file_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
      return { code: local, import: { local, from: PREFIX + text } }
    },
    value: async (value) => ({ code: JSON.stringify(await session.value(value)) }),
  }
}

/** Whether an emitted asset, by its source as the bundler tells it, still is a description. */
export function isStub(source: string | undefined): boolean {
  return source !== undefined && source.startsWith(PREFIX)
}

export function stubSlot(bytes: Uint8Array): FileDescriptor {
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
    generator: {
      filename: (path: PathData, info: unknown) => fileName(template(), path, info),
      ...(publicPath === undefined ? {} : { publicPath }),
    },
  }
}

/** A `data:` address has no name: what a template takes from the source's path is filled in here, the rest by the bundler. */
function fileName(template: unknown, path: PathData, info: unknown): string {
  const { name, ext } = stubSlot(Buffer.from((path.filename ?? '').slice(PREFIX.length), 'base64url'))
  const base = `${name}.${ext}`
  const text: unknown = typeof template === 'function' ? template({ ...path, filename: base }, info) : template
  const parts: Record<string, string> = { name, ext: `.${ext}`, base, file: base, path: '', query: '', fragment: '' }
  return (typeof text === 'string' ? text : '[hash][ext]')
    .replace(/\[(name|ext|base|file|path|query|fragment)\]/g, (_, part: string) => parts[part] ?? '')
    // `hash` is that of the description; Rspack replaces only this one by that of the bytes.
    .replaceAll('[hash', '[contenthash')
}

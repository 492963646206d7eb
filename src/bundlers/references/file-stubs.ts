import type { FileDescriptor } from '../../files/plan.js'
import type { Expression, References } from '../../modules/references.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import type { Session } from '../session/session.js'
import { writeDescriptor } from './descriptors.js'
import { sha256 } from './digest.js'

/*
 * A stub is an asset module that contains the descriptor of a file in place of its bytes. The bundler removes unused
 * stubs and names the others, then the adapter replaces their descriptors with bytes.
 */

const TYPE = 'application/x-content-space'
const PREFIX = `data:${TYPE};base64,`

/** Returns the import of a stub, and the expression for its address. */
export function importStub(from: string): Expression {
  const local = `file_${sha256(from).slice(0, 12)}`
  return { code: local, import: { local, from } }
}

/**
 * Returns the references of webpack and Rspack, which import a stub as a `data:` URL that holds the descriptor. Such a
 * stub needs no file on disk, has the same module id on every machine, and can be restored from any cache.
 *
 * Stubs are not signed: with a key of the machine, their module ids would differ between machines. Content cannot forge
 * one: only `importStub` writes imports into generated modules, from ids of this package, and content is always in
 * literals. Code that imports a forged stub could do the same without it, and gets only files that `readDescriptor` and
 * option `svg` accept.
 * @param write writes a descriptor as base64
 */
export function stubReferences(session: Session, write: (file: FileDescriptor) => string): References {
  return {
    layout: 'barrel',
    address: (file) => importStub(PREFIX + write(file)),
    value: async (value) => ({ code: await session.literal(value) }),
  }
}

/**
 * Writes a descriptor for Rspack, whose `data:` URLs support only the standard base64 alphabet. If the text would
 * contain `-` or `_`, in which the alphabets differ, characters of its JSON are escaped to avoid them. Other
 * descriptors, and all those for webpack, which supports both alphabets, are not escaped: module ids and file names
 * depend on the text.
 */
export function writeForRspack(file: FileDescriptor): string {
  const written = writeDescriptor(file)
  if (!/[-_]/.test(written)) return written
  const escaped = JSON.stringify(file).replace(
    DIFFERING,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return Buffer.from(escaped).toString('base64url')
}

/** Characters that base64 can write with `-` or `_`. In ASCII, these are `>`, `?`, `~` and DEL. */
const DIFFERING = /[>?~\x7f-\uffff]/g

/** Whether an emitted asset is a stub whose descriptor has not been replaced. */
export function isStub(sourceFilename: string | undefined): boolean {
  return sourceFilename !== undefined && sourceFilename.startsWith(PREFIX)
}

/** The data that webpack and Rspack pass to a naming function. `filename` is the name of the source. */
interface PathData {
  filename?: string
}

/** The rule for stubs, and what must be loaded before the bundler applies it. */
export interface StubRule {
  rule: object
  /** Loads the reader of descriptors, because the bundler calls naming functions synchronously. */
  load(this: void): Promise<void>
}

/**
 * Makes the module rule that emits stubs, named as the configuration names asset modules.
 * @param template returns `output.assetModuleFilename`, which is unknown when plugins are applied
 * @param publicPath the base of the addresses of these files only
 */
export function stubRule(template: () => unknown, publicPath: string | undefined): StubRule {
  let reader: typeof import('./read-descriptors.js') | undefined
  return {
    rule: {
      mimetype: TYPE,
      type: 'asset/resource',
      // An address that is imported but not used must not emit a file.
      sideEffects: false,
      generator: omitUndefined({
        filename: (path: PathData, info: unknown) => {
          if (reader === undefined) throw new Error('The reader of descriptors is not loaded.')
          const file = reader.readDescriptor((path.filename ?? '').slice(PREFIX.length))
          return fileName(file, template(), path, info)
        },
        publicPath,
      }),
    },
    async load() {
      reader = await import('./read-descriptors.js')
    },
  }
}

/**
 * Fills in those parts of a template that a bundler takes from the path of the source, which a `data:` URL does not
 * have. The bundler fills in the rest.
 */
function fileName({ name, ext }: FileDescriptor, template: unknown, path: PathData, info: unknown): string {
  const base = `${name}.${ext}`
  const text: unknown = typeof template === 'function' ? template({ ...path, filename: base }, info) : template
  const parts: Record<string, string> = { name, ext: `.${ext}`, base, file: base, path: '', query: '', fragment: '' }
  return (
    (typeof text === 'string' ? text : '[hash][ext]')
      .replace(/\[(name|ext|base|file|path|query|fragment)\]/g, (_, part: string) => parts[part] ?? '')
      // `hash` is the hash of the descriptor. `contenthash` is the only one that Rspack updates with the bytes.
      .replaceAll('[hash', '[contenthash')
  )
}

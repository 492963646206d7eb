import { createHash } from 'node:crypto'
import type { FileDescriptor } from '../files/plan.js'
import { contentLiteral } from '../modules/literal.js'
import type { Expression, References } from '../modules/references.js'
import { readFile, writeFile } from './descriptors.js'
import type { Session } from './session.js'

const TYPE = 'application/x-content-space'
const PREFIX = `data:${TYPE};base64,`

export function importStub(from: string): Expression {
  const local = `file_${createHash('sha256').update(from).digest('hex').slice(0, 12)}`
  return { code: local, import: { local, from } }
}

/**
 * References of webpack and Rspack: an asset module imports its file as a `data:` address that holds the description.
 * So the stub needs no place on disk, has the same module id on every machine, and survives any cache.
 *
 * It is not signed: with a key of the machine, module ids would differ between machines. Content cannot reach an
 * import: imports in our modules are made by `importStub` and of our ids alone, and content stands in literals. Whoever
 * can write such an import can write code, and still gets no other file than one that `readFile` and option `svg` let
 * through.
 * @param write makes the text of a description
 */
export function stubReferences(session: Session, write: (file: FileDescriptor) => string): References {
  return {
    layout: 'barrel',
    address: (file) => importStub(PREFIX + write(file)),
    value: async (value) => ({ code: contentLiteral(await session.value(value)) }),
  }
}

/**
 * Writes a descriptor for Rspack, which reads `data:` addresses in the standard alphabet of base64 only. Where a text
 * would need the two digits in which the alphabets differ, its JSON is escaped until it needs neither. Other texts, and
 * all of webpack's, which reads both alphabets, stay as they are: module ids and names of files depend on them.
 */
export function writeForRspack(file: FileDescriptor): string {
  const written = writeFile(file)
  if (!/[-_]/.test(written)) return written
  const escaped = JSON.stringify(file).replace(
    DIFFERING,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return Buffer.from(escaped).toString('base64url')
}

/** What base64 can write with its last two digits: of ASCII, only what ends in five ones and one more bit. */
const DIFFERING = /[>?~\x7f-\uffff]/g

/** Whether an emitted asset, by its source as the bundler tells it, still is a description. */
export function isStub(source: string | undefined): boolean {
  return source !== undefined && source.startsWith(PREFIX)
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

/**
 * A `data:` address has no name: what a template takes from the source's path is filled in here, the rest by the
 * bundler.
 */
function fileName(template: unknown, path: PathData, info: unknown): string {
  const { name, ext } = readFile((path.filename ?? '').slice(PREFIX.length))
  const base = `${name}.${ext}`
  const text: unknown = typeof template === 'function' ? template({ ...path, filename: base }, info) : template
  const parts: Record<string, string> = { name, ext: `.${ext}`, base, file: base, path: '', query: '', fragment: '' }
  return (
    (typeof text === 'string' ? text : '[hash][ext]')
      .replace(/\[(name|ext|base|file|path|query|fragment)\]/g, (_, part: string) => parts[part] ?? '')
      // `hash` is that of the description; Rspack replaces only this one by that of the bytes.
      .replaceAll('[hash', '[contenthash')
  )
}

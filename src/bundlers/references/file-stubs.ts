import type { FileDescriptor } from '../../files/plan.js'
import type { Expression, References } from '../../modules/references.js'
import type { Session } from '../session/session.js'
import { writeDescriptor } from './descriptors.js'
import { sha256 } from './digest.js'
import { isSameSet, nameFor } from './file-names.js'

/*
 * A stub is an asset module that contains the descriptor of a file instead of its bytes. The bundler removes unused
 * stubs and names the others, and then the adapter replaces their descriptors with bytes.
 */

const TYPE = 'application/x-content-space'
const PREFIX = `data:${TYPE};base64,`

/** Returns the import of a stub and an expression for its URL. */
export function importStub(from: string): Expression {
  const local = `file_${sha256(from).slice(0, 12)}`
  return { code: local, import: { local, from } }
}

/**
 * Returns the references for webpack and Rspack, which import a stub: a `data:` URL that contains the descriptor. A
 * stub doesn't need a file on disk, has the same module id on every machine, and can be restored from any cache.
 *
 * Stubs aren't signed, because a key per machine would make their module ids differ between machines. Content can't
 * forge a stub: only `importStub` writes imports into generated modules, from this package's own ids, and content is
 * always in literals. A forged stub doesn't help the code that imports it, because such an import returns only files
 * that `readDescriptor` and the option `svg` accept.
 * @param write writes a descriptor as base64
 */
export function stubReferences(session: Session, write: (file: FileDescriptor) => string): References {
  return {
    layout: 'barrel',
    address: (file) => importStub(stubRequest(file, write)),
    value: async (value) => ({ code: await session.literal(value) }),
  }
}

/** @param write as in `stubReferences` */
export function stubRequest(file: FileDescriptor, write: (file: FileDescriptor) => string): string {
  return PREFIX + write(file)
}

/** Replaces the requests for stubs that a loader has left in its output. */
export async function replaceStubs(
  text: string,
  replace: (file: FileDescriptor) => Promise<string> | string,
): Promise<string> {
  const stubs = new Set(text.match(new RegExp(`${PREFIX}[\\w+/-]+`, 'g')))
  if (stubs.size === 0) return text
  const { readDescriptor } = await import('./read-descriptors.js')
  let replaced = text
  for (const stub of stubs)
    replaced = replaced.replaceAll(stub, await replace(readDescriptor(stub.slice(PREFIX.length))))
  return replaced
}

/**
 * Replaces imports of stubs in the source of a generated module with the data URIs of their files.
 * @param small returns the data URI of a small file; undefined for any other file
 */
export async function inlineStubs(source: string, small: SmallFile): Promise<string> {
  const imports = [...source.matchAll(STUB_IMPORT)]
  if (imports.length === 0) return source
  const { readDescriptor } = await import('./read-descriptors.js')
  const uris = await Promise.all(imports.map(([, , stub = '']) => small(readDescriptor(stub))))
  return source.replace(STUB_IMPORT, (line, local: string) => {
    const uri = uris.shift()
    return uri === undefined ? line : `const ${local} = ${JSON.stringify(uri)}`
  })
}

/**
 * Matches a line of a generated module. Content can't match, because it is in literals, which don't contain line
 * breaks.
 */
const STUB_IMPORT = new RegExp(`^import (\\w+) from "${PREFIX}([\\w+/-]+)"$`, 'gm')

/** Returns the data URI of a file that is small enough to inline; undefined for any other file. */
export type SmallFile = (file: FileDescriptor) => Promise<string | undefined>

/**
 * Writes a descriptor for Rspack, whose `data:` URLs support only the standard base64 alphabet. If the text would
 * contain `-` or `_`, in which the alphabets differ, escapes characters of the JSON to avoid them. Other descriptors
 * aren't escaped, because module ids and file names depend on the text. The same goes for all descriptors for webpack,
 * which supports both alphabets.
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

/** Characters that base64 may write with `-` or `_`. In ASCII, these are `>`, `?`, `~`, and DEL. */
const DIFFERING = /[>?~\x7f-\uffff]/g

/** Checks whether an emitted asset is a stub that still contains its descriptor. */
export function isStub(sourceFilename: string | undefined): boolean {
  return sourceFilename !== undefined && sourceFilename.startsWith(PREFIX)
}

/** The data that webpack and Rspack pass to a naming function. `filename` is the name of the source. */
type PathData = { filename?: string }

/** Returns the name of an asset module, or a template for it. */
export type NameFile = (path: PathData, info: unknown) => string

/**
 * How to name stubs. The functions are called only when a stub is used, because the configuration isn't final when
 * plugins are applied.
 */
export interface StubNames {
  template: () => unknown
  /** Returns the path where a dev server serves a file; undefined in builds. */
  served: (file: FileDescriptor) => string | undefined
  /** The base of content files' URLs, if it differs from other assets. */
  publicPath: string | undefined
  /** Collects the application icons of a build. */
  icons: Set<FileDescriptor>
  small: SmallFile
}

/** Makes the module rule that emits stubs. @param publicPath as in `StubNames` */
export function stubRule(filename: NameFile, publicPath: string | undefined) {
  return {
    mimetype: TYPE,
    type: 'asset/resource',
    // An unused import of a URL must not emit a file.
    sideEffects: false,
    // Emit always, because names contain the hash of the bytes, and only emitted files have a hash. The adapter may
    // remove the files afterwards.
    generator: { emit: true, filename, ...(publicPath !== undefined && { publicPath }) },
  }
}

/**
 * Returns functions that name stubs as the configuration names asset modules.
 * @param readDescriptor passed by the caller, because naming functions are synchronous
 */
export function stubNaming({ template, served, icons }: StubNames, readDescriptor: (text: string) => FileDescriptor) {
  const read = (stub: string): FileDescriptor => readDescriptor(stub.slice(PREFIX.length))

  function filename(path: PathData, info: unknown): string {
    const file = read(path.filename ?? '')
    // If two files have the same name, the bundler's error doesn't mention the imports, but the error of `session.file`
    // does.
    if (file.set !== undefined) icons.add(file)
    const [first = file] = icons
    const isSecondSet = file.set !== undefined && !isSameSet(first, file)
    return served(file) ?? (isSecondSet ? 'second/' : '') + fileName(file, template(), path, info)
  }

  return {
    filename,
    /** Returns a stub's name for messages, such as `content-space:hero.webp`; undefined for any other module. */
    displayName(this: void, module: string): string | undefined {
      if (!isStub(module)) return undefined
      const { name, ext } = read(module)
      return `${CONTENT_SOURCE}${name}.${ext}`
    },
  }
}

/** The beginning of the source file name of an emitted content file. */
export const CONTENT_SOURCE = 'content-space:'

/**
 * Returns the name of a file that is emitted without a module.
 * @param hash hexadecimal digits
 */
export function completeName(file: FileDescriptor, template: unknown, hash: string): string {
  return fileName(file, template, {}, {}).replace(/\[contenthash(?::(\d+))?\]/g, (_, length: string | undefined) =>
    hash.slice(0, Number(length ?? 20)),
  )
}

/**
 * Fills in the placeholders that bundlers take from the source's path, because a `data:` URL doesn't have a path. The
 * bundler fills in the rest.
 */
function fileName(file: FileDescriptor, template: unknown, path: PathData, info: unknown): string {
  if (file.set !== undefined) return `${file.name}.${file.ext}`
  const hashed = patternFor(`${file.name}.${file.ext}`, template, path, info)
  const name = nameFor(file, hashed)
  const base = `${name}.${file.ext}`
  const pattern = name === file.name ? hashed : patternFor(base, template, path, info)
  const parts: Record<string, string> = {
    name,
    ext: `.${file.ext}`,
    base,
    file: base,
    path: '',
    query: '',
    fragment: '',
  }
  return (
    pattern
      .replace(/\[(name|ext|base|file|path|query|fragment)\]/g, (_, part: string) => parts[part] ?? '')
      // `hash` is the hash of the descriptor. Rspack updates only `contenthash` when the bytes change.
      .replaceAll('[hash', '[contenthash')
  )
}

/**
 * Returns a naming function for all asset modules of a configuration: stubs get the names of the rule, and other
 * modules follow the template. Rspack needs it because `generator.asset` in its configuration overrides rules.
 */
export function nameAll(template: unknown, nameStub: NameFile): NameFile {
  return (path, info) =>
    isStub(path.filename)
      ? nameStub(path, info)
      : String(typeof template === 'function' ? template(path, info) : template)
}

/** Returns the template for the name of a file. If the user configured a function, calls it to get the template. */
function patternFor(filename: string, template: unknown, path: PathData, info: unknown): string {
  const text: unknown = typeof template === 'function' ? template({ ...path, filename }, info) : template
  return typeof text === 'string' ? text : '[hash][ext]'
}

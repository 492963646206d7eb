import type { FileDescriptor } from '../../files/plan.js'
import type { Expression } from '../../modules/references.js'
import { writeDescriptor } from './descriptors.js'
import { importStub } from './file-stubs.js'

/*
 * The references for bundlers whose plugins can load a file from an invented path: generated modules import
 * `content-space-file:~<descriptor>/<name>.<ext>`, and the bundler derives the name of the output from the end of the
 * path.
 */

/** The scheme of file imports in generated modules, and the namespace of their resolved paths. */
export const FILE = 'content-space-file'

export function importFile(file: FileDescriptor): Expression {
  return importStub(`${FILE}:${writeFilePath(file)}`)
}

/** Returns the path of a file within the namespace. */
export function writeFilePath(file: FileDescriptor): string {
  return `~${writeDescriptor(file)}/${file.name}.${file.ext}`
}

/**
 * Reads the descriptor in a path. The path ends with a file name, which the bundler uses for the output.
 * @throws ContentSpaceError `integrity` if `writeFilePath` didn't write the path
 */
export async function readFilePath(path: string): Promise<FileDescriptor> {
  const { invalidReference, readDescriptor } = await import('../session/content.js')
  const at = path.indexOf('/')
  const file = readDescriptor(path.slice(1, at))
  if (path.slice(at + 1) === `${file.name}.${file.ext}`) return file
  throw invalidReference({ asset: file.asset })
}

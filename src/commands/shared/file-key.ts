import { createHash } from 'node:crypto'
import type { FileDescriptor } from '../../files/plan.js'

/** Identifies a file of a kit, independent of its name. */
export function fileKey({ asset, hash, updated, cut, recipe, ext }: FileDescriptor): string {
  return JSON.stringify([asset, hash, updated, cut, recipe, ext])
}

/**
 * Returns 16 hexadecimal digits that change if the service has a different file or if a different recipe is requested.
 */
export function revisionOfDescriptor(file: FileDescriptor): string {
  return createHash('sha256').update(fileKey(file)).digest('hex').slice(0, 16)
}

/** Returns the path of a file within a folder of written modules. */
export function addressPath(file: FileDescriptor): string {
  return `files/${revisionOfDescriptor(file)}/${file.name}.${file.ext}`
}

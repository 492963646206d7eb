import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { ContentSpaceError } from '../errors.js'

/**
 * Without O_NONBLOCK, opening a named pipe would wait for a writer. On Windows, the flag is undefined and counts as 0.
 */
const flags = constants.O_RDONLY | constants.O_NONBLOCK

/**
 * Reads a file of the project or the cache. Accepts only regular files and links to them, because reading a named pipe
 * or a device may never end.
 * @throws ContentSpaceError `fileSystem` for a pipe, a socket or a device; the system's error, including for a folder
 */
export async function readRegularFile(path: string): Promise<Buffer> {
  const file = await open(path, flags)
  try {
    requireFile(await file.stat(), path)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Works like `readRegularFile`, but synchronously. */
export function readRegularFileSync(path: string): Buffer {
  const file = openSync(path, flags)
  try {
    requireFile(fstatSync(file), path)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * @throws ContentSpaceError `fileSystem` for anything but a regular file or a folder. Reading a folder throws anyway.
 */
export function requireFile(stats: Stats, path: string): void {
  if (stats.isFile() || stats.isDirectory()) return
  throw new ContentSpaceError('fileSystem', `${path} is ${kindOfFile(stats)}, not a file.`, { hint: 'Move it.' })
}

function kindOfFile(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}

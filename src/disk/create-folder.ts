import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileError, hasCode } from './file-error.js'

/** Attempts while another process removes parents that are empty. */
const maxAttempts = 10

/**
 * Creates a folder that `--out` names, and its parents. The recursive `mkdir` of Node does not end for a folder whose
 * parent exists but cannot contain it, such as `/proc/icons`.
 * @returns the first folder that was created
 * @throws ContentSpaceError `fileSystem`
 */
export async function createFolder(path: string): Promise<string | undefined> {
  try {
    return await create(path)
  } catch (error) {
    throw fileError(error, path, '--out')
  }
}

async function create(path: string): Promise<string | undefined> {
  const parent = dirname(path)
  let first: string | undefined
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(path)
      return first ?? path
    } catch (error) {
      if (await isFolder(path)) return first
      if (!hasCode(error, 'ENOENT') || parent === path || attempt === maxAttempts) throw error
      first = (await create(parent)) ?? first
    }
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
}

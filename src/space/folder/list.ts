import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { ContentSpaceError } from '../../errors.js'
import { compareNames } from './naming.js'

export interface Entry {
  name: string
  /** Absolute. */
  path: string
  isFolder: boolean
  /** Changes when the file's content may have changed. */
  stamp: string
}

/**
 * What stands in a folder, in natural order; names that start with a dot are left out.
 * @param root real path of the space, which no link may leave
 * @throws ContentSpaceError `invalidSpace`
 */
export async function listFolder(root: string, folder: string): Promise<Entry[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new ContentSpaceError('invalidSpace', `${folder} is no folder that can be read.`, { cause })
  })
  const entries = await Promise.all(
    found
      .filter((entry) => !entry.name.startsWith('.'))
      .map(async (entry): Promise<Entry | undefined> => {
        const path = join(folder, entry.name)
        if (entry.isSymbolicLink()) await checkLink(root, path, folder)
        const facts = await stat(path)
        if (!facts.isDirectory() && !facts.isFile()) return undefined
        const stamp = [facts.size, facts.mtimeMs, facts.ctimeMs, facts.ino].join(':')
        return { name: entry.name, path, isFolder: facts.isDirectory(), stamp }
      }),
  )
  return entries.filter((entry) => entry !== undefined).toSorted((a, b) => compareNames(a.name, b.name))
}

/** @throws ContentSpaceError `invalidSpace` when the path leads out of the space */
export async function checkInside(root: string, path: string): Promise<string> {
  const real = await realpath(path).catch((cause: unknown) => {
    throw new ContentSpaceError('invalidSpace', `${path} leads nowhere.`, { cause })
  })
  if (real === root || real.startsWith(root + sep)) return real
  throw new ContentSpaceError('invalidSpace', `${path} leads out of the space.`, {
    hint: 'A space holds its files itself: replace the link by a copy.',
  })
}

async function checkLink(root: string, path: string, folder: string): Promise<void> {
  const real = await checkInside(root, path)
  const home = await realpath(folder)
  if (home === real || home.startsWith(real + sep)) {
    throw new ContentSpaceError('invalidSpace', `${path} leads to a folder that it stands in.`)
  }
}

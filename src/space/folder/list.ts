import { statSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { ContentSpaceError } from '../../errors.js'
import { compareNames } from './naming.js'

export interface FolderEntry {
  name: string
  path: string
  isFolder: boolean
  /** Bytes. */
  size: number
  /** When the file was last changed, in milliseconds since 1970. */
  changed: number
  /** Changes when the content of the file may have changed. */
  stamp: string
}

/** Lists a folder in natural order, without hidden and system files. @throws ContentSpaceError `invalidSpace` */
export type ListFolder = (folder: string) => Promise<FolderEntry[]>

/**
 * Creates a function that lists folders and caches the results.
 * @param root real path of the space. Links must not lead out of the space.
 */
export function createLister(root: string) {
  const listed = new Map<string, Promise<FolderEntry[]>>()
  const list: ListFolder = async (folder) => {
    const entries = entriesOf(root, folder)
    listed.set(folder, entries)
    return (await entries).toSorted((a, b) => compareNames(a.name, b.name))
  }
  const isSame = async ([folder, entries]: [string, Promise<FolderEntry[]>]): Promise<boolean> =>
    isDeepStrictEqual(await entriesOf(root, folder), await entries)
  /** Checks whether all listed folders still have the same, unchanged entries. */
  const isCurrent = async (): Promise<boolean> =>
    (await Promise.all([...listed].map((one) => isSame(one).catch(() => false)))).every(Boolean)
  return { list, isCurrent }
}

/** Hidden files, and files that Windows creates in folders. */
const ignored = /^(?:\..*|(?:eh)?thumbs\.db|desktop\.ini)$/is

async function entriesOf(root: string, folder: string): Promise<FolderEntry[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new ContentSpaceError('invalidSpace', `${folder} is not a readable folder.`, { cause })
  })
  const entries = await Promise.all(
    found
      .filter((entry) => !ignored.test(entry.name))
      .map(async (entry): Promise<FolderEntry | undefined> => {
        const path = join(folder, entry.name)
        if (entry.isSymbolicLink()) await checkLink(root, path, folder)
        // For thousands of files, promises take four times as long as synchronous calls.
        const facts = statSync(path, { throwIfNoEntry: false })
        if (facts === undefined) return checkName(path)
        const isFolder = facts.isDirectory()
        if (!isFolder && !facts.isFile()) return undefined
        const { size, mtimeMs, ctimeMs: changed, ino } = facts
        return { name: entry.name, path, isFolder, size, changed, stamp: [size, mtimeMs, changed, ino].join(':') }
      }),
  )
  return entries.filter((entry) => entry !== undefined)
}

/** Handles a file that is listed but doesn't exist: it has been removed since, or Node can't represent its name. */
function checkName(path: string): undefined {
  if (!path.includes('\uFFFD')) return
  throw new ContentSpaceError('invalidSpace', `The name of ${path} is not valid UTF-8.`, { hint: 'Rename it.' })
}

/**
 * Resolves a path.
 * @throws ContentSpaceError `invalidSpace` for a broken link, and for a target outside of the space
 */
export async function checkInside(root: string, path: string): Promise<string> {
  const real = await realpath(path).catch((cause: unknown) => {
    throw new ContentSpaceError('invalidSpace', `${path} is a broken symbolic link, or is missing.`, { cause })
  })
  if (real === root || real.startsWith(root + sep)) return real
  throw new ContentSpaceError('invalidSpace', `${path} links to a file outside of the space.`, {
    hint: 'Replace the link with a copy of the file.',
  })
}

async function checkLink(root: string, path: string, folder: string): Promise<void> {
  const real = await checkInside(root, path)
  const parent = await realpath(folder)
  if (parent === real || parent.startsWith(real + sep)) {
    throw new ContentSpaceError('invalidSpace', `${path} links to a folder that contains it.`)
  }
}

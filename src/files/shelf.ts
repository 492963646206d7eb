import { randomUUID } from 'node:crypto'
import { lstatSync, renameSync, writeFileSync } from 'node:fs'
import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import cacache from 'cacache'
import { isTooManyFiles, retryWhileTooManyFiles } from '../disk/open-files.js'
import {
  checkContent,
  contentPath,
  indexPath,
  integrityOf,
  smallFile,
  type Content,
  type ContentInfo,
} from '../disk/content.js'
import { makeFolder } from '../disk/make-folder.js'

/** Raise it when the layout of the folder changes: `<cacheDir>/files-v1/content-v2/sha256/ab/cd/…` is cacache's own. */
export const storeFolder = 'files-v1'

type Kept = ContentInfo & { path: string }

/**
 * Content by key and by hash on disk, in the layout of cacache, whose index it uses. Anything that is in the place of a
 * file or a folder of ours and is none is removed.
 */
export interface Shelf {
  /** What the index has for a key, where a file of that size is there. */
  find(key: string): Promise<Kept | undefined>
  /** Content by its hash. @param size undefined: any */
  at(integrity: string, size?: number): Promise<Kept | undefined>
  /** Brings checked content to its place, whatever is there. A file that holds it is moved. */
  place(content: Content): Promise<Kept>
  /** Notes what is kept under a key. */
  note(key: string, facts: ContentInfo): Promise<void>
  /** Removes content that is not what its hash says. */
  drop(integrity: string): Promise<void>
  /** The folder for files that are not checked yet, which is made. */
  unchecked(): string
}

/** @param cacheDir absolute path */
export function openShelf(cacheDir: string): Shelf {
  const root = join(cacheDir, storeFolder)

  async function at(integrity: string, size?: number): Promise<Kept | undefined> {
    const path = contentPath(root, integrity)
    const facts = factsOf(path)
    if (facts?.isFile() && (size === undefined || facts.size === size)) return { integrity, size: facts.size, path }
    if (facts) await remove(path)
    return undefined
  }

  function unchecked(): string {
    const folder = join(root, 'tmp')
    makeFolder(cacheDir, folder)
    return folder
  }

  async function insert(key: string, { integrity, size }: ContentInfo): Promise<void> {
    const metadata = { bound: boundOf(key, { integrity, size }) }
    const noted: unknown = await retryWhileTooManyFiles(() =>
      cacache.index.insert(root, key, integrity, { size, metadata }),
    )
    if (noted === undefined) throw new Error(`The index of ${root} cannot be written.`)
  }

  return {
    at,
    unchecked,
    async find(key) {
      try {
        const entry = await retryWhileTooManyFiles(() => cacache.get.info(root, key))
        return entry && isSound(entry) ? await at(entry.integrity, entry.size) : undefined
      } catch (error) {
        if (isTooManyFiles(error)) throw error
        await removeNoFile(indexPath(root, key))
        return undefined
      }
    },
    async place(content) {
      const { integrity, size } = content
      const path = contentPath(root, integrity)
      const from = 'path' in content ? content.path : join(unchecked(), randomUUID())
      try {
        if ('bytes' in content) await write(from, content.bytes)
        makeFolder(cacheDir, dirname(path))
        await move(from, { integrity, size, path })
      } catch (error) {
        if ('bytes' in content) await remove(from)
        throw error
      }
      return { integrity, size, path }
    },
    async note(key, facts) {
      try {
        await insert(key, facts)
      } catch {
        const path = indexPath(root, key)
        await removeNoFile(path)
        makeFolder(cacheDir, dirname(path))
        await insert(key, facts)
      }
    },
    async drop(integrity) {
      const path = contentPath(root, integrity)
      const facts = factsOf(path)
      if (facts === undefined) return
      // Another process may have replaced it meanwhile.
      const isGood = await checkContent({ integrity, size: facts.size, path }).then(
        () => true,
        () => false,
      )
      if (!isGood) await remove(path)
    },
  }
}

/**
 * What an entry of the index says, together with its key: an entry that was copied from another key, or changed, is
 * none.
 */
export function isSound({
  key,
  integrity,
  size = -1,
  metadata,
}: {
  key: string
  integrity: string
  size?: number
  metadata?: unknown
}): boolean {
  if (!/^sha256-[A-Za-z0-9+/]{43}=$/.test(integrity)) return false
  const bound: unknown =
    typeof metadata === 'object' && metadata !== null && 'bound' in metadata ? metadata.bound : undefined
  return bound === boundOf(key, { integrity, size })
}

function boundOf(key: string, { integrity, size }: ContentInfo): string {
  return integrityOf([key, integrity, size].join('\n'))
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  if (bytes.length < smallFile)
    await retryWhileTooManyFiles(async () => writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 }))
  else await retryWhileTooManyFiles(() => writeFile(path, bytes, { flag: 'wx', mode: 0o600 }))
}

/** Not flushed to the disk: content that a crash of the machine has damaged is found out when it is read. */
async function move(from: string, to: Kept): Promise<void> {
  try {
    renameSync(from, to.path)
    return
  } catch (error) {
    if (factsOf(to.path)?.isDirectory()) {
      await remove(to.path)
      renameSync(from, to.path)
      return
    }
    if (error instanceof Error && 'code' in error && error.code === 'EXDEV') {
      const beside = `${to.path}.${randomUUID()}`
      await copyFile(from, beside)
      await rename(beside, to.path)
    } else {
      // Windows does not replace a file that is being read: it is as good if it is right.
      await checkContent(to).catch(() => {
        throw error
      })
    }
  }
  await rm(from, { force: true })
}

async function removeNoFile(path: string): Promise<void> {
  if (factsOf(path)?.isFile() === false) await remove(path)
}

/** Where it cannot be removed, it is found again, and what is needed is fetched without the cache. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

/** Of a link itself. */
function factsOf(path: string) {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
